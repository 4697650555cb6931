import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';

/** The response to a call that was written byte by byte. */
export interface RawResponse {
  status: number | undefined;
  /** Headers and trailers. */
  metadata: IncomingHttpHeaders;
  bytes: Buffer;
  /** The code of the reset; 0 without one. */
  reset: number;
}

/** A connection without a gRPC library, for calls that such a library would not send. */
export class RawGrpc {
  readonly session: ClientHttp2Session;

  constructor(address: string, options = {}) {
    this.session = connect(`http://${address}`, options);
    this.session.on('error', () => undefined);
  }

  close(): void {
    this.session.destroy();
  }

  /** Sends these bytes as the body; resolves when the stream is closed. */
  async call(path: string, body: Buffer | null, headers: OutgoingHttpHeaders = {}): Promise<RawResponse> {
    const stream = this.session.request({
      ':method': 'POST',
      ':path': path.startsWith('/') ? path : `/lf.a2a.v1.A2AService/${path}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    const response: RawResponse = { status: undefined, metadata: {}, bytes: Buffer.alloc(0), reset: 0 };
    const chunks: Buffer[] = [];
    stream.on('response', (head) => {
      response.status = head[':status'];
      Object.assign(response.metadata, head);
    });
    stream.on('trailers', (trailers) => Object.assign(response.metadata, trailers));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.end(body ?? undefined);
    await new Promise<void>((resolve) => stream.once('close', resolve));
    return { ...response, bytes: Buffer.concat(chunks), reset: stream.rstCode };
  }
}

/** A message with its prefix. `declared` replaces its size. */
export function frameOf(message: Buffer, { declared = message.length, compressed = 0 } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = compressed;
  prefix.writeUInt32BE(declared, 1);
  return Buffer.concat([prefix, message]);
}

/** The codes of gRPC that the tests expect. */
export const CODE = {
  INVALID_ARGUMENT: '3',
  DEADLINE_EXCEEDED: '4',
  NOT_FOUND: '5',
  RESOURCE_EXHAUSTED: '8',
  FAILED_PRECONDITION: '9',
  UNIMPLEMENTED: '12',
  UNAUTHENTICATED: '16',
} as const;
