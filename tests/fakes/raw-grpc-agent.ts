import { createServer as createHttpServer, type Server } from 'node:http';
import { createSecureServer, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** An agent that writes its responses to gRPC calls byte by byte. */
export interface RawGrpcAgent {
  /** The URL of its card, whose only interface is gRPC. */
  url: string;
  /** The methods that were called, without the probe of its card. */
  calls: string[];
  stop: () => Promise<void>;
}

interface Options {
  /** Answers a call to this method. */
  answer: (stream: ServerHttp2Stream, method: string) => void;
  tls?: { key: string; cert: string };
}

/** Starts the agent; with `tls` on `localhost`, otherwise on 127.0.0.1. */
export async function startRawGrpcAgent({ answer, tls }: Options): Promise<RawGrpcAgent> {
  const calls: string[] = [];
  const grpc: Http2Server = tls ? createSecureServer(tls) : createServer();
  grpc.on('stream', (stream, headers) => {
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    stream.on('error', () => undefined);
    stream.resume();
    calls.push(method);
    stream.on('end', () => answer(stream, method));
  });
  await listen(grpc);
  const { port } = grpc.address() as AddressInfo;
  const card = {
    name: 'Raw gRPC',
    description: 'Answers byte by byte',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${tls ? 'localhost' : '127.0.0.1'}:${port}`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'S', tags: ['s'] }],
  };
  const cards = await listen(createHttpServer((_request, response) => response.end(JSON.stringify(card))));
  return {
    url: `http://127.0.0.1:${(cards.address() as AddressInfo).port}`,
    calls,
    async stop() {
      cards.closeAllConnections();
      await new Promise((resolve) => cards.close(resolve));
      grpc.close();
    },
  };
}

async function listen<Listening extends Server | Http2Server>(server: Listening): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Sends these bytes as the body of a gRPC response, and the trailers after it; without trailers, none. */
export function respondWith(stream: ServerHttp2Stream, body: Buffer, trailers?: Record<string, string>): void {
  const head = { ':status': 200, 'content-type': 'application/grpc' };
  stream.respond(head, { waitForTrailers: trailers !== undefined });
  if (trailers) stream.once('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}
