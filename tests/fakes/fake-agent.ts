import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request a fake agent received, in any protocol. */
export interface AgentCall {
  verb: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The JSON-RPC request; empty members when the body is none. */
  id: unknown;
  method: string;
  params: { id?: string; metadata?: Record<string, unknown> };
}

export type Serve = (call: AgentCall, response: ServerResponse) => void;

/** A real HTTP agent that serves a card at its well-known path and passes everything else to `serve`. */
export class FakeAgent {
  readonly calls: AgentCall[] = [];

  private constructor(private readonly server: Server) {}

  static async start(card: (url: string) => object, serve: Serve): Promise<FakeAgent> {
    const server = createServer();
    const agent = new FakeAgent(server);
    server.on('request', (request, response) => void agent.take(request, response, { card, serve }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Calls of one JSON-RPC method, in order. */
  of(method: string): AgentCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(
    request: IncomingMessage,
    response: ServerResponse,
    { card, serve }: { card: (url: string) => object; serve: Serve },
  ): Promise<void> {
    const { method: verb = '', url: path = '', headers } = request;
    if (verb === 'GET' && path.startsWith('/.well-known/')) return sendJson(response, card(this.url));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Partial<AgentCall>;
    const call = { verb, path, headers, id: body.id, method: body.method ?? '', params: body.params ?? {} };
    this.calls.push(call);
    serve(call, response);
  }
}

export function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** The JSON-RPC response to a call. */
export function answerWith(response: ServerResponse, { id }: AgentCall, result: object): void {
  sendJson(response, { jsonrpc: '2.0', id, result });
}

export function failWith(response: ServerResponse, { id }: AgentCall, error: { code: number; message: string }): void {
  sendJson(response, { jsonrpc: '2.0', id, error });
}

/** One server-sent event; opens the stream on the first call. */
export function sendEvent(response: ServerResponse, value: object, event?: string): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(value)}\n\n`);
}
