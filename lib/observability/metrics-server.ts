import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { constantTimeEqual, sha256 } from '../platform/secrets/crypto';

interface MetricsAddress {
  host: string;
  port: number;
  /** The bearer token that scrapers must send; undefined if none is required. */
  token: string | undefined;
}

/**
 * Serves `GET /metrics` on a separate address. Returns the function that stops it.
 * @throws when the address cannot be opened
 */
export async function serveMetrics(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  { host, port, token }: MetricsAddress,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end();
    if (token !== undefined && !isAuthorized(request, token))
      return response.writeHead(401, { 'www-authenticate': 'Bearer realm="metrics"' }).end();
    return serve(request, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
    (cause: unknown) => {
      const text = `METRICS_HOST, METRICS_PORT: found ${host} and ${port}, which cannot be opened; expected an address of this machine and a free port.`;
      throw new Error(text, { cause });
    },
  );
  server.unref();
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  return constantTimeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));
}
