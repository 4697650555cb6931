import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newUuid } from '@/lib/platform/ids';
import type { JsonObject } from '@/lib/protocol/json';

/** One received request. */
export interface Received {
  method: string;
  params: Record<string, never> & { id?: string; message?: ReceivedMessage };
  id: unknown;
  headers: IncomingMessage['headers'];
}

interface ReceivedMessage {
  messageId: string;
  taskId?: string;
  contextId?: string;
  parts: { kind: string; text?: string; data?: JsonObject }[];
}

export interface Exchange {
  received: Received;
  response: ServerResponse;
  /** One SSE event with this JSON as its data; opens the stream on the first call. */
  event(value: unknown): void;
  /** One SSE event with a JSON-RPC response around `result`. */
  result(result: unknown): void;
  /** The whole response as JSON. */
  json(value: unknown, status?: number): void;
  end(): void;
  /** Resolves when the caller has disconnected. */
  gone: Promise<void>;
}

type Script = (exchange: Exchange) => Promise<void> | void;

interface Options {
  protocolVersion?: '0.3' | '1.0';
  streaming?: boolean;
  pushNotifications?: boolean;
  name?: string;
  stateTransitionHistory?: boolean;
  extendedCard?: boolean;
  /** URIs of the extensions its card declares. */
  extensions?: string[];
  /** They are required. */
  requiresExtensions?: boolean;
  /** Of its one skill. */
  examples?: string[];
}

/** A real HTTP agent whose responses a test writes byte for byte; it records what it received. */
export class ScriptedAgent {
  readonly received: Received[] = [];
  /** Responses to GET other than the card, by path. */
  readonly pages: Record<string, object | string> = {};
  /** Remains after `stop`, when a call may still be in progress. */
  url = '';
  /** By default, every call returns a completed task. */
  private script: Script = ({ json, received }) => {
    const id = newUuid();
    const result =
      this.options.protocolVersion === '1.0'
        ? { task: { id, contextId: `${id}-context`, status: { state: 'TASK_STATE_COMPLETED' } } }
        : { kind: 'task', id, contextId: `${id}-context`, status: { state: 'completed' } };
    json({ jsonrpc: '2.0', id: received.id, result });
  };

  private constructor(
    private readonly server: Server,
    readonly options: Required<Options>,
  ) {}

  static async start(options: Options = {}): Promise<ScriptedAgent> {
    const server = createServer();
    const defaults = {
      protocolVersion: '0.3' as const,
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: false,
      extendedCard: false,
      extensions: [],
      requiresExtensions: false,
      examples: [],
      name: 'Scripted',
    };
    const agent = new ScriptedAgent(server, { ...defaults, ...options });
    server.on('request', (request, response) => void agent.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    agent.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return agent;
  }

  /** Handler of the next calls. */
  answer(script: Script): void {
    this.script = script;
  }

  /** The received messages. Parley polls waiting tasks at any time, so other requests may precede them. */
  get messages(): Received[] {
    return this.received.filter(({ params }) => params?.message);
  }

  /** Calls of one method, in order. */
  calls(method: string): Received[] {
    return this.received.filter((call) => call.method === method);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get card(): object {
    const {
      protocolVersion,
      streaming,
      pushNotifications,
      stateTransitionHistory,
      extendedCard,
      extensions,
      requiresExtensions: required,
      examples,
      name,
    } = this.options;
    const common = {
      name,
      description: 'An agent that does what the test says',
      version: '1.0.0',
      capabilities: {
        streaming,
        pushNotifications,
        stateTransitionHistory,
        ...(extendedCard && { extendedAgentCard: true }),
        ...(extensions.length > 0 && { extensions: extensions.map((uri) => ({ uri, ...(required && { required }) })) }),
      },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'script', name: 'Script', description: 'Does what the test says', tags: ['test'], examples }],
    };
    const url = `${this.url}/rpc`;
    return protocolVersion === '1.0'
      ? { ...common, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }
      : { ...common, protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      const page = this.pages[request.url ?? ''] ?? this.card;
      response.end(typeof page === 'string' ? page : JSON.stringify(page));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Omit<Received, 'headers'>;
    const received = { ...body, headers: request.headers };
    this.received.push(received);
    await this.script(exchangeOf(received, response));
  }
}

function exchangeOf(received: Received, response: ServerResponse): Exchange {
  const event = (value: unknown): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
  };
  return {
    received,
    response,
    event,
    result: (result) => event({ jsonrpc: '2.0', id: received.id, result }),
    json(value, status = 200) {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    },
    end: () => response.end(),
    gone: new Promise((resolve) => response.on('close', resolve)),
  };
}
