import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

interface Rejection {
  status: number;
  retryAfter?: string;
  /** The request is processed, and its response replaced by the rejection. */
  isProcessed?: boolean;
}

/** A server before a Parley that is busy as often as a test says. */
export class BusyFront {
  /** Paths of all requests. */
  readonly received: string[] = [];
  private rejections: { path: string; rejection: Rejection }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: () => string,
  ) {}

  static async start(port: number, target: () => string): Promise<BusyFront> {
    const server = createServer();
    const front = new BusyFront(server, target);
    server.on('request', (request, response) => void front.serve(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return front;
  }

  /** The next requests whose path ends so are rejected, one by each. */
  reject(path: string, ...rejections: Rejection[]): void {
    this.received.length = 0;
    this.rejections = rejections.map((rejection) => ({ path, rejection }));
  }

  /** How many requests had a path that ends so. */
  count(path: string): number {
    return this.received.filter((each) => each.endsWith(path)).length;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = 'GET', headers } = request;
    this.received.push(url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const at = this.rejections.findIndex(({ path }) => url.endsWith(path));
    const rejection = at === -1 ? null : this.rejections.splice(at, 1)[0]?.rejection;
    if (rejection && !rejection.isProcessed) return reject(response, rejection);
    const answer = await fetch(this.target() + url, {
      method,
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
      ) as Record<string, string>,
      body: method === 'GET' ? undefined : Buffer.concat(chunks),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (rejection) return reject(response, rejection);
    const type = answer.headers.get('content-type') ?? 'text/plain';
    const retryAfter = answer.headers.get('retry-after');
    const passed = { 'content-type': type, ...(retryAfter !== null && { 'retry-after': retryAfter }) };
    response.writeHead(answer.status, passed).end(body);
  }
}

function reject(response: ServerResponse, { status, retryAfter }: Rejection): void {
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  response.end(JSON.stringify({ code: 'unavailable', title: 'Busy', status }));
}
