import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A host with metadata documents of OAuth clients; with a certificate, over TLS. Unknown paths return 404. */
export class ClientHost {
  /** The path of every request, in order. */
  readonly requests: string[] = [];
  private readonly answers = new Map<string, Answer>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(tls?: { key: string; cert: string }): Promise<ClientHost> {
    let host: ClientHost | undefined;
    const listener: RequestListener = (request, response) => host?.respond(request, response);
    const server = tls ? createTlsServer(tls, listener) : createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    host = new ClientHost(server, tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`);
    return host;
  }

  /** The URL of a path at this host. */
  url(path: string): string {
    return this.origin + path;
  }

  /** Serves a document and returns its URL, which is the client id. `changes` replace members of a valid document. */
  serve(path: string, changes: object = {}, headers: Record<string, string> = {}): string {
    const body = JSON.stringify({ ...validDocument(this.url(path)), ...changes });
    this.on(path, (response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
    });
    return this.url(path);
  }

  /** Answers requests of this path from now on; returns its URL. */
  on(path: string, answer: Answer): string {
    this.answers.set(path, answer);
    return this.url(path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    const { url: path = '' } = request;
    this.requests.push(path);
    const answer = this.answers.get(path);
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  }
}

function validDocument(clientId: string): object {
  return {
    client_id: clientId,
    client_name: 'Example client',
    redirect_uris: ['https://client.example/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
}
