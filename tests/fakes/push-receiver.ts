import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One received push. */
export interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, never>;
  at: number;
}

/** A caller's webhook: a real HTTP server with scripted responses that stores what it receives. */
export class PushReceiver {
  readonly arrived: Arrived[] = [];
  /** Statuses of the next responses on a path; 204 when there is none. */
  readonly answers = new Map<string, number[]>();
  /** Paths whose responses break off after the head. */
  readonly breaking = new Set<string>();
  private readonly server = createServer();

  static async start(): Promise<PushReceiver> {
    const receiver = new PushReceiver();
    receiver.server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const path = request.url ?? '';
      receiver.arrived.push({ path, headers: request.headers, text, body: JSON.parse(text), at: Date.now() });
      response.statusCode = receiver.answers.get(path)?.shift() ?? 204;
      if (response.statusCode === 302) response.setHeader('location', '/elsewhere');
      if (!receiver.breaking.has(path)) return response.end();
      response.writeHead(200, { 'content-length': '10' }).flushHeaders();
      response.socket?.end();
    });
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests to a path, in order. */
  on(path: string): Arrived[] {
    return this.arrived.filter((push) => push.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
