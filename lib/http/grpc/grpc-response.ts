import { constants, type ServerHttp2Stream } from 'node:http2';
import { type GrpcStatus, statusTrailers } from '../../platform/grpc/status';
import { errorFields, log } from '../../platform/runtime/log';
import { LINGER_MS, MAX_DRAIN_BYTES, STALL_MS } from '../limits';
import { areStreamsClosing, type EventStream, trackStream } from '../sse';
import { countClosed } from './session-guard';

const GRPC_CONTENT_TYPE = 'application/grpc';

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
    this.limitUnread();
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
      this.limitUnread();
    } else {
      const head = { ':status': 200, 'content-type': GRPC_CONTENT_TYPE, ...trailers };
      stream.respond(head, { endStream: true });
    }
    if (!stream.readableEnded) this.discardBody();
  }

  /**
   * Reads a small rest of the request, so that the client can send it, and stops it otherwise. Unread, it would stay in
   * the window of the connection.
   */
  private discardBody(): void {
    const { stream } = this;
    const stop = (): void => stream.close(constants.NGHTTP2_NO_ERROR);
    const timer = setTimeout(stop, LINGER_MS);
    stream.once('close', () => clearTimeout(timer));
    let size = 0;
    stream.on('data', ({ length }: Buffer) => {
      size += length;
      if (size > MAX_DRAIN_BYTES) stop();
    });
  }

  /** Writes the messages of a stream until either ends, as fast as the client reads. */
  async sendStream(events: EventStream, trailersOf: (error: unknown) => Metadata): Promise<void> {
    const { stream } = this;
    if (stream.destroyed) {
      events.markEnded();
      return events.cancel();
    }
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

  /** Resolves when the client has read the messages so far, or the stream is closed. */
  private drained(): Promise<void> {
    const { stream } = this;
    const stopTimer = this.limitUnread();
    return new Promise((resolve) => {
      const finish = (): void => {
        stopTimer();
        stream.off('drain', finish).off('close', finish);
        resolve();
      };
      stream.on('drain', finish).on('close', finish);
    });
  }

  /**
   * Closes the stream if the client does not read what was written: its window of the flow control is then closed, which
   * the connection does not show. Returns the function to call when it has read.
   */
  private limitUnread(): () => void {
    const { stream } = this;
    const timer = setTimeout(() => {
      countClosed('stalled');
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }, STALL_MS);
    const stop = (): void => {
      clearTimeout(timer);
      stream.off('close', stop);
    };
    stream.on('close', stop);
    return stop;
  }
}
