import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** One message that the server received. */
export interface McpReceived {
  method: string | undefined;
  id: unknown;
  params: Json;
  result?: Json;
  headers: IncomingMessage['headers'];
}

/** Functions that answer one call of a tool. */
export interface McpCall {
  id: unknown;
  args: Json;
  token: unknown;
  response: ServerResponse;
  /** The response as JSON: the content of a result. */
  say(text: string, more?: Json): void;
  /** One event of a stream with this message. */
  event(message: Json): void;
  /** Resolves with the response to a request of the server, which is sent as an event. */
  ask(method: string, params: Json): Promise<Json>;
  /** Resolves when the caller has disconnected. */
  gone: Promise<void>;
}

function writeJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const none = { type: 'object', properties: {} };

/** An MCP server over HTTP whose calls a test answers; it records what it received. */
export class McpHttpServer {
  readonly received: McpReceived[] = [];
  url = '';
  tools: Json[] = [{ name: 'go', title: 'Go', description: 'Goes', inputSchema: none }];
  /** A value of `Authorization` that is required. */
  authorization: string | null = null;
  /** Sessions are named, and calls without one are rejected. */
  hasSessions = true;
  /** The status of the response to a message; null for the usual one. */
  statusOf: ((message: McpReceived) => number | null) | null = null;
  /** Replaces the whole response to every request. */
  respond: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  private answer: (call: McpCall) => unknown = ({ say }) => say('went');
  private readonly sessions = new Set<string>();
  private readonly waiting = new Map<unknown, (result: Json) => void>();
  private server: Server | null = null;

  static async start(): Promise<McpHttpServer> {
    const fake = new McpHttpServer();
    const server = createServer((request, response) => void fake.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    fake.server = server;
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    return fake;
  }

  onCall(answer: (call: McpCall) => unknown): void {
    this.answer = answer;
  }

  /** Ends all sessions, as a restart does. */
  forgetSessions(): void {
    this.sessions.clear();
  }

  methods(): (string | undefined)[] {
    return this.received.map(({ method }) => method);
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.respond) return this.respond(request, response);
    const { origin } = new URL(this.url);
    if (request.url === '/.well-known/oauth-protected-resource/mcp')
      return writeJson(response, { resource: this.url, authorization_servers: [`${origin}/as`] });
    if (request.url === '/.well-known/oauth-authorization-server/as')
      return writeJson(response, { issuer: `${origin}/as`, token_endpoint: `${origin}/token` });
    if (request.url === '/token') return this.issueToken(request, response);
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/mcp') return void response.writeHead(405).end();
    let text = '';
    for await (const chunk of request) text += chunk;
    const message = JSON.parse(text) as McpReceived;
    this.received.push({ ...message, params: message.params ?? {}, headers: request.headers });
    if (this.authorization !== null && request.headers.authorization !== this.authorization) {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    const session = request.headers['mcp-session-id'];
    const isKnown = typeof session === 'string' && this.sessions.has(session);
    if (this.hasSessions && message.method !== 'initialize' && !isKnown) return void response.writeHead(404).end('{}');
    const status = this.statusOf?.(message) ?? null;
    if (status !== null) return void response.writeHead(status).end('{}');
    this.dispatch(message, response);
  }

  /** Refuses connections from now on; those that exist continue. */
  refuseConnections(): void {
    this.server?.close();
  }

  /** Issues the required token to a client that names this server. */
  private async issueToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let form = '';
    for await (const chunk of request) form += chunk;
    const isOurs = new URLSearchParams(form).get('resource') === this.url;
    const token = isOurs ? this.authorization?.replace('Bearer ', '') : 'for-another-server';
    writeJson(response, { access_token: token, token_type: 'Bearer', expires_in: 600 });
  }

  private dispatch({ id, method, params, result }: McpReceived, response: ServerResponse): void {
    const json = (value: Json, headers = {}): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
    if (method === undefined) this.waiting.get(id)?.(result ?? {});
    if (method === 'initialize') {
      const session = randomUUID();
      this.sessions.add(session);
      const serverInfo = { name: 'remote-tools', title: 'Remote tools', version: '2.0' };
      const initialized = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      json(initialized, this.hasSessions ? { 'mcp-session-id': session } : {});
    } else if (method === 'tools/list') json({ tools: this.tools });
    else if (method === 'tools/call') this.call(id, params, response);
    else response.writeHead(202).end();
  }

  private call(id: unknown, params: Json, response: ServerResponse): void {
    const event = (message: Json): void => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    };
    const say = (text: string, more: Json = {}): void => {
      const message = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], ...more } };
      if (response.headersSent) return void response.end(`data: ${JSON.stringify(message)}\n\n`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    };
    const ask = (method: string, asked: Json): Promise<Json> => {
      const own = randomUUID();
      event({ id: own, method, params: asked });
      return new Promise((resolve) => this.waiting.set(own, resolve));
    };
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    const { arguments: args = {}, _meta: meta } = params as { arguments?: Json; _meta?: { progressToken?: unknown } };
    void this.answer({ id, args, token: meta?.progressToken, response, say, event, ask, gone });
  }
}
