import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { waitFor } from '../support/wait-for';

type JsonObject = Record<string, unknown>;

interface Frame {
  id?: string;
  method?: string;
  params: JsonObject;
  result?: JsonObject;
  error?: JsonObject;
}

/** How the hub answers a hello: a result or an error object, and how it then closes. */
export interface HelloAnswer {
  result?: JsonObject;
  error?: JsonObject;
  close?: number;
}

const policy = {
  pingMs: 20_000,
  graceMs: 30_000,
  windowEvents: 64,
  windowBytes: 262_144,
  maxFrameBytes: 1_048_576,
};

/** One connection of a worker. */
export class FakeConnection {
  readonly frames: Frame[] = [];
  closeCode: number | null = null;

  constructor(private readonly socket: WebSocket) {
    socket.on('close', (code) => {
      this.closeCode = code;
    });
  }

  /** The params of the notifications and requests of one method. */
  calls(method: string): JsonObject[] {
    return this.frames.filter((frame) => frame.method === method).map(({ params }) => params);
  }

  /** The items of a run's events. */
  items(): JsonObject[] {
    return this.calls('run.event').map(({ item }) => item as JsonObject);
  }

  notify(method: string, params: JsonObject): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and returns its result. */
  async request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = randomUUID();
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const frame = await waitFor(() => this.frames.find((sent) => sent.id === id), { what: `the answer to ${method}` });
    return frame.result ?? {};
  }

  respond(id: string | undefined, answer: { result: JsonObject } | { error: JsonObject }): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }

  close(code: number, reason = ''): void {
    this.socket.close(code, reason);
  }

  /** Ends the connection without a close frame. */
  cut(): void {
    this.socket.terminate();
  }
}

/** A hub under the control of a test. */
export class FakeHub {
  readonly connections: FakeConnection[] = [];
  readonly protocols: string[] = [];
  /** Answers to further hellos, in order; then every hello is accepted. */
  readonly helloAnswers: HelloAnswer[] = [];
  /** Of the response to a hello. */
  runs: JsonObject[] = [];
  policy: JsonObject = policy;
  /** Answers requests of the worker; the result is empty by default. */
  onRequest: (frame: Frame, connection: FakeConnection) => { result: JsonObject } | { error: JsonObject } | null =
    () => ({ result: {} });

  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async start(): Promise<FakeHub> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      path: '/ws/agents',
      handleProtocols: (offered) => [...offered][0] ?? false,
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return new FakeHub(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The latest connection that has said hello. */
  async connection(number = 1): Promise<FakeConnection> {
    return waitFor(
      () => {
        const connection = this.connections[number - 1];
        return connection?.calls('hub.hello').length ? connection : undefined;
      },
      { what: `connection ${number}` },
    );
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: WebSocket): void {
    const connection = new FakeConnection(socket);
    this.connections.push(connection);
    this.protocols.push(socket.protocol);
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame;
      connection.frames.push(frame);
      if (frame.method === 'hub.hello') this.answerHello(connection, frame.id);
      else if (frame.method && frame.id) this.answer(connection, frame);
    });
  }

  private answer(connection: FakeConnection, frame: Frame): void {
    const answer = this.onRequest(frame, connection);
    if (answer) connection.respond(frame.id, answer);
  }

  private answerHello(connection: FakeConnection, id: string | undefined): void {
    const result = { sessionId: randomUUID(), policy: this.policy, agent: { slug: 'a', url: '' }, runs: this.runs };
    const { error, close, ...answer } = this.helloAnswers.shift() ?? { result };
    if (answer.result) connection.respond(id, { result: answer.result });
    if (error) connection.respond(id, { error });
    if (close !== undefined) connection.close(close);
  }
}

/** The params of an offer. */
export function offer(text: string, more: JsonObject = {}): JsonObject {
  const taskId = randomUUID();
  return {
    runId: `${taskId}:2`,
    epoch: 1,
    attempt: 1,
    request: { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] } },
    task: { id: taskId, contextId: randomUUID() },
    token: '',
    trace: {},
    ...more,
  };
}
