import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server with many agents, each under its own path; unknown paths return 404. */
export class CardServer {
  /** Method and path of every request, in order. */
  readonly requests: string[] = [];
  private readonly handlers = new Map<string, Handler>();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      const handler = this.handlers.get(`${request.method} ${request.url}`) ?? notFound;
      handler(request, response);
    });
  }

  static async start(): Promise<CardServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CardServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Handles `method path` with this handler from now on. */
  on(method: 'GET' | 'POST', path: string, handler: Handler): void {
    this.handlers.set(`${method} ${path}`, handler);
  }

  /** Serves a card at the well-known path below `/name`; returns the address to register. */
  serve(name: string, card: object | string | Buffer, headers: Record<string, string> = {}): string {
    const body = typeof card === 'string' || Buffer.isBuffer(card) ? card : JSON.stringify(card);
    this.on('GET', `/${name}/.well-known/agent-card.json`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
    });
    return this.base(name);
  }

  /** The address to register for the agent below `/name`. */
  base(name: string): string {
    return `${this.url}/${name}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
}
