import { constants, type ServerHttp2Stream } from 'node:http2';
import { type GrpcStatus, statusTrailers } from '../../platform/grpc/status';
import { errorFields, log } from '../../platform/runtime/log';
import { STALL_MS } from '../limits';
import { areStreamsClosing, type EventStream, trackStream } from '../sse';
import { countClosed } from './session-guard';

export const GRPC_CONTENT_TYPE = 'application/grpc';

/** Initial metadata of a response. */
type Metadata = Record<string, string | string[]>;

const stopping: GrpcStatus = {
  name: 'UNAVAILABLE',
  message: 'The server is restarting. Subscribe to the task to receive its further events.',
  details: [],
};

/** The response of one call. Its status is sent once; later calls have no effect. */
export class GrpcResponse {
  private isEnded = false;
  private trailers: Record<string, string> = { 'grpc-status': '0' };

  constructor(private readonly stream: ServerHttp2Stream) {}

  /** Sends the only message of a unary call and the status OK. */
  sendMessage(metadata: Metadata, frame: Uint8Array): void {
    if (!this.begin(metadata)) return;
    this.isEnded = true;
    this.stream.end(frame);
  }

  /** Ends the call with a status, with only trailers if nothing was sent before. */
  fail(status: GrpcStatus, metadata: Metadata = {}): void {
    this.end({ ...metadata, ...statusTrailers(status) });
  }

  /** Ends the call with these trailers, of which `grpc-status` is one. */
  end(trailers: Metadata): void {
    const { stream } = this;
    if (this.isEnded || stream.closed || stream.destroyed) return;
    this.isEnded = true;
    if (stream.headersSent) {
      this.trailers = trailers as Record<string, string>;
      stream.end();
    } else {
      const head = { ':status': 200, 'content-type': GRPC_CONTENT_TYPE, ...trailers };
      stream.respond(head, { endStream: true });
    }
    // The rest of a message that is not read would stay in the windows of the connection.
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  }

  /** Writes the messages of a stream until either ends, as fast as the client reads. */
  async sendStream(events: EventStream, trailersOf: (error: unknown) => Metadata): Promise<void> {
    const { stream } = this;
    const release = trackStream(() => this.fail(stopping));
    stream.once('close', () => {
      release();
      events.markEnded();
      events.cancel().catch((error) => log.error('stream.cancel_failed', errorFields(error)));
    });
    const { 'content-type': _, 'cache-control': __, 'x-accel-buffering': ___, ...metadata } = events.headers;
    if (!this.begin(metadata)) return;
    try {
      for (let frame = await events.next(); frame !== null && this.isOpen; frame = await events.next()) {
        if (!stream.write(frame)) await this.drained();
        if (areStreamsClosing()) this.fail(stopping);
      }
      this.end({ 'grpc-status': '0' });
    } catch (error) {
      if (this.isOpen) this.end(trailersOf(error));
    }
  }

  private get isOpen(): boolean {
    return !this.isEnded && !this.stream.closed;
  }

  private begin(metadata: Metadata): boolean {
    const { stream } = this;
    if (!this.isOpen) return false;
    stream.respond({ ':status': 200, 'content-type': GRPC_CONTENT_TYPE, ...metadata }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(this.trailers));
    return true;
  }

  /** Resolves when the client has read, or is disconnected because it does not read. */
  private drained(): Promise<void> {
    const { stream } = this;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        countClosed('stalled');
        stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      }, STALL_MS);
      const finish = (): void => {
        clearTimeout(timer);
        stream.off('drain', finish).off('close', finish);
        resolve();
      };
      stream.on('drain', finish).on('close', finish);
    });
  }
}
