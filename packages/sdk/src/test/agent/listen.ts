/** A server that listens, until `close`. */
export interface Listening {
  /** Origin, such as `http://127.0.0.1:41234`. */
  url: string;
  close(): Promise<void>;
}

type Answer = (request: Request) => Promise<Response>;

/** The members of Node's `http` that are used here; the package imports nothing of Node. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string;
  url?: string;
  headers: Record<string, string | string[] | undefined>;
}

interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): void;
  write(chunk: Uint8Array): boolean;
  end(): void;
  destroy(): void;
  on(event: 'close', listener: () => void): void;
}

interface NodeServer {
  listen(port: number, host: string, listener: () => void): void;
  once(event: 'error', listener: (error: Error) => void): void;
  address(): { port: number };
  close(listener: () => void): void;
  closeAllConnections(): void;
}

interface NodeHttp {
  createServer(listener: (request: NodeRequest, response: NodeResponse) => void): NodeServer;
}

/**
 * Serves a fetch handler on a port of this machine; a free one by default. Requires Node 20.16 or newer.
 * @throws {Error} on other runtimes, and for a port that is in use
 */
export async function listenOn(answer: Answer, port = 0): Promise<Listening> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const http = process?.getBuiltinModule?.('node:http') as NodeHttp | undefined;
  if (!http) throw new Error('listen() requires Node 20.16 or newer; elsewhere, pass `fetch` to your server.');
  const server = http.createServer((request, response) => void respond(answer, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function respond(answer: Answer, request: NodeRequest, response: NodeResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const { status, headers, body } = await answer(await toRequest(request, gone.signal));
    response.writeHead(status, Object.fromEntries(headers));
    const reader = body?.getReader();
    gone.signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined));
    for (;;) {
      const step = await reader?.read();
      if (!step || step.done) break;
      response.write(step.value);
    }
    response.end();
  } catch {
    // A broken response ends the connection, as intended by the faults of a mock agent.
    response.destroy();
  }
}

async function toRequest(request: NodeRequest, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/' } = request;
  const chunks: BlobPart[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array<ArrayBuffer>);
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((text) => [name, text]),
  );
  const body = method === 'GET' || method === 'HEAD' ? undefined : await new Blob(chunks).text();
  return new Request(`http://${String(request.headers.host)}${url}`, { method, headers, body, signal });
}
