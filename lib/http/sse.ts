import type { ServerResponse } from 'node:http';
import { errorFields, log } from '../platform/runtime/log';
import { MAX_EVENTS_CHARS, SSE_HEARTBEAT_MS, SSE_RECONNECT_MS } from './limits';

interface EventStreamSource<Item> {
  batches: AsyncGenerator<Item[]>;
  /** Returns the events of one item as SSE text; empty if there are none for this client. */
  encode: (item: Item) => string;
  /** Called when the client disconnects. */
  onCancel: () => void;
}

/** The same with events in a binary format, such as gRPC messages. */
interface FrameStreamSource<Item> extends Pick<EventStreamSource<Item>, 'batches' | 'onCancel'> {
  encode: (item: Item) => Uint8Array[];
}

/**
 * A response of server-sent events (WHATWG HTML §9.2), written to the connection by `sendStream`, or of gRPC messages,
 * written by `lib/http/grpc`.
 */
export class EventStream {
  readonly headers: Record<string, string> = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  /**
   * Returns the next events, in text or in binary; null after the last. Called once at a time, so that a slow client
   * delays only its own stream.
   */
  readonly next: () => Promise<string | Uint8Array | null>;
  /** Stops the stream early. Resolves when its source is released. */
  readonly cancel: () => Promise<void>;

  private endListener: () => void = () => undefined;

  private constructor(stream: { next: EventStream['next']; cancel: EventStream['cancel'] }) {
    this.next = stream.next;
    this.cancel = stream.cancel;
  }

  /** Called once, when the stream has ended for any reason. */
  onEnded(listener: () => void): void {
    this.endListener = listener;
  }

  /** Called by the writer when it stops writing. */
  markEnded(): void {
    const { endListener } = this;
    this.endListener = () => undefined;
    endListener();
  }

  static of<Item>({ batches, encode, onCancel }: EventStreamSource<Item>): EventStream {
    let batch: Item[] = [];
    let at = 0;
    return new EventStream({
      async next() {
        for (;;) {
          if (at >= batch.length) {
            const { done, value } = await batches.next();
            if (done) return null;
            batch = value;
            at = 0;
          }
          let text = '';
          while (at < batch.length && text.length < MAX_EVENTS_CHARS) text += encode(batch[at++] as Item);
          if (at >= batch.length) batch = [];
          if (text) return text;
        }
      },
      async cancel() {
        batch = [];
        onCancel();
        await batches.return(undefined);
      },
    });
  }

  static ofFrames<Item>({ batches, encode, onCancel }: FrameStreamSource<Item>): EventStream {
    let batch: Item[] = [];
    let at = 0;
    return new EventStream({
      async next() {
        const frames: Uint8Array[] = [];
        let size = 0;
        while (size === 0) {
          if (at >= batch.length) {
            const { done, value } = await batches.next();
            if (done) return null;
            batch = value;
            at = 0;
          }
          while (at < batch.length && size < MAX_EVENTS_CHARS) {
            for (const frame of encode(batch[at++] as Item)) {
              frames.push(frame);
              size += frame.byteLength;
            }
          }
        }
        return frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames, size);
      },
      async cancel() {
        batch = [];
        onCancel();
        await batches.return(undefined);
      },
    });
  }
}

const reconnectField = `retry: ${SSE_RECONNECT_MS}\n\n`;

interface OpenStreams {
  ends: Set<() => void>;
  /** True during shutdown. Streams that are opened then send their first events and end. */
  isClosing: boolean;
}

const openStreams: OpenStreams = { ends: new Set(), isClosing: false };

/** Returns the number of open streams. */
export function countStreams(): number {
  return openStreams.ends.size;
}

/** Counts an open stream, which `end` ends at shutdown. Returns the function to call when it is closed. */
export function trackStream(end: () => void): () => void {
  openStreams.ends.add(end);
  return () => openStreams.ends.delete(end);
}

/** Returns true during shutdown: streams that are opened then send their first events and end. */
export function areStreamsClosing(): boolean {
  return openStreams.isClosing;
}

/** Ends every open stream. Clients reconnect with `Last-Event-ID`, to the next process or another node. */
export function closeStreams(): void {
  openStreams.isClosing = true;
  for (const end of openStreams.ends) end();
}

/**
 * Writes a stream to the connection until either ends, with backpressure. A failure closes the connection, so that the
 * client reconnects with `Last-Event-ID`.
 */
export async function sendStream(stream: EventStream, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    stream.markEnded();
    return stream.cancel();
  }
  response.writeHead(200, stream.headers);
  if (response.req.method === 'HEAD') {
    response.end();
    stream.markEnded();
    return stream.cancel();
  }
  const client = trackClient(response, () => {
    stopHeartbeat();
    stream.markEnded();
    stream.cancel().catch((error) => log.error('stream.cancel_failed', errorFields(error)));
  });
  // A heartbeat to a client that does not read would prevent it from counting as stalled.
  const stopHeartbeat = startHeartbeat((comment) => {
    if (client.isOpen() && !response.writableNeedDrain) response.write(comment);
  });
  // After the first events, so that both fit into one packet. Idle streams send only their headers.
  setImmediate(() => response.flushHeaders());
  try {
    for (let text = await stream.next(); text !== null && client.isOpen(); text = await stream.next()) {
      if (!response.write(text)) await client.drained();
      if (openStreams.isClosing) client.end();
    }
    response.end();
  } catch (error) {
    if (client.isOpen()) log.warn('stream.failed', errorFields(error));
    response.destroy();
  }
}

interface Client {
  isOpen(): boolean;
  /** Ends the stream and makes the client reconnect. */
  end(): void;
  /** Resolves when the connection accepts more data or is closed. */
  drained(): Promise<void>;
}

function trackClient(response: ServerResponse, onClose: () => void): Client {
  let isOpen = true;
  let onDrain: () => void = () => undefined;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    onDrain();
    response.end(reconnectField);
  };
  const release = trackStream(end);
  response.on('drain', () => onDrain());
  response.on('close', () => {
    isOpen = false;
    release();
    onDrain();
    onClose();
  });
  return {
    isOpen: () => isOpen,
    end,
    drained: () =>
      new Promise((resolve) => {
        onDrain = resolve;
        if (!isOpen) resolve();
      }),
  };
}

const COMMENT = ': heartbeat\n\n';

/**
 * Sends an SSE comment every {@link SSE_HEARTBEAT_MS}, because proxies close idle streams. Returns a function that
 * stops it.
 */
function startHeartbeat(send: (comment: string) => void): () => void {
  const timer = setInterval(() => send(COMMENT), SSE_HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
