import WebSocket from 'ws';
import { waitFor } from '../support/wait-for';

/** A JSON-RPC frame of the hub. */
interface SocietyFrame {
  id?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** A task as the client gets it. */
export interface SocietyTask {
  id: string;
  sessionId: string;
  message: { role: string; parts: { type: string; text?: string; data?: unknown }[] };
  metadata: Record<string, unknown>;
}

/** A client of Society AI's protocol that sends what a test wants. It never answers `task.execute`. */
export class SocietyClient {
  readonly received: SocietyFrame[] = [];
  readonly tasks: SocietyTask[] = [];
  closed: { code: number; reason: string } | null = null;
  /** What the client does with a task. */
  onTask: (task: SocietyTask) => void = () => undefined;
  private lastId = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.receive(JSON.parse(String(data)) as SocietyFrame));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    socket.on('error', () => undefined);
  }

  /** Opens a connection without a subprotocol, and waits until it is established. */
  static async open(url: string, query = ''): Promise<SocietyClient> {
    const client = new SocietyClient(new WebSocket(`${url.replace('http', 'ws')}/ws/agents${query}`));
    await waitFor(() => client.frames('connection.established').length > 0, { what: 'the connection' });
    return client;
  }

  /** Opens a connection and registers the agent. */
  static async register(url: string, agent: { name: string; token: string }): Promise<SocietyClient> {
    const client = await SocietyClient.open(url);
    const result = await client.registerAs(agent);
    if (result?.registered !== true) throw new Error(`register: ${JSON.stringify(result)}`);
    return client;
  }

  async registerAs({
    name,
    token,
    ...more
  }: {
    name: string;
    token?: string;
    visibility?: string;
  }): Promise<Record<string, unknown> | undefined> {
    const identity = { framework: 'claude_code', adapter_version: '0.15.0', framework_version: '2.1.220' };
    const params = { agent_name: name, auth_token: token, visibility: 'private', ...identity, ...more };
    return (await this.request('agent.register', params)).result;
  }

  /** A request of the client, and its response. */
  async request(method: string, params: object): Promise<SocietyFrame> {
    const id = this.send(method, params);
    return waitFor(() => this.received.find((frame) => frame.id === id && !frame.method), { what: method });
  }

  /** Sends a frame with an id of its own, as Society's clients do, and returns the id. */
  send(method: string, params: object): string {
    this.lastId += 1;
    const id = `msg-${this.lastId}`;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  status(taskId: string, ...parts: object[]): void {
    const status = { state: 'working', message: { role: 'agent', parts } };
    this.send('task.status', { task_id: taskId, status, final: false });
  }

  /** A piece of the text. */
  piece(taskId: string, text: string): void {
    this.status(taskId, { type: 'text', text });
  }

  complete(taskId: string, text: string, state = 'completed'): string {
    const status = { state, message: { role: 'agent', parts: [{ type: 'text', text }] } };
    return this.send('task.complete', { task_id: taskId, status, final: true });
  }

  frames(method: string): SocietyFrame[] {
    return this.received.filter((frame) => frame.method === method);
  }

  async close(): Promise<void> {
    this.socket.terminate();
    await waitFor(() => this.closed, { what: 'the connection to close' });
  }

  private receive(frame: SocietyFrame): void {
    this.received.push(frame);
    if (frame.method !== 'task.execute') return;
    const task = frame.params as object as SocietyTask;
    this.tasks.push(task);
    this.onTask(task);
  }
}
