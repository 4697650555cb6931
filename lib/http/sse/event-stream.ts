import { MAX_EVENTS_CHARS } from '../limits';
import { startHeartbeat } from './heartbeat';

interface EventStreamSource<Item> {
  batches: AsyncGenerator<Item[]>;
  /** The events of one item, as SSE text; empty when this client gets none. */
  encode: (item: Item) => string;
  /** Runs when the client disconnects. */
  onCancel: () => void;
}

/**
 * A response of server-sent events (WHATWG HTML §9.2). `server.ts` writes it to the connection; `app/` mounts convert
 * it to a `Response`.
 */
export class EventStream {
  readonly headers: Record<string, string> = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  /** The next events as text; null after the last. One call at a time: a slow client delays only its own stream. */
  readonly next: () => Promise<string | null>;
  /** Stops the stream early; resolves when its source is released. */
  readonly cancel: () => Promise<void>;

  private endListener: () => void = () => undefined;

  private constructor(stream: { next: EventStream['next']; cancel: EventStream['cancel'] }) {
    this.next = stream.next;
    this.cancel = stream.cancel;
  }

  /** Runs once, when the stream has ended for any reason. */
  onEnded(listener: () => void): void {
    this.endListener = listener;
  }

  /** Called by the writer when it writes no more. */
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
}

/** The stream as a web `Response`, for hosts without access to the connection. Batches are pulled one by one. */
export function streamResponse(stream: EventStream): Response {
  const encoder = new TextEncoder();
  let stopHeartbeat = (): void => undefined;
  const end = (): void => {
    stopHeartbeat();
    stream.markEnded();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stopHeartbeat = startHeartbeat((comment) => controller.enqueue(encoder.encode(comment)));
      },
      async pull(controller) {
        try {
          const text = await stream.next();
          if (text !== null) return controller.enqueue(encoder.encode(text));
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel() {
        end();
        await stream.cancel();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: stream.headers });
}
