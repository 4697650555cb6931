/** How often a silent stream gets a comment, so that proxies and people see it is alive (SSE-4), milliseconds. */
export const HEARTBEAT_MS = 15_000;
export const HEARTBEAT = ': heartbeat\n\n';

interface EventStreamSource<Item> {
  batches: AsyncGenerator<Item[]>;
  /** The events that say one item, as text; empty for what this reader is not told. */
  encode: (item: Item) => string;
  /** Runs when the reader leaves. */
  onCancel: () => void;
}

/**
 * An answer that goes on: server-sent events (WHATWG HTML §9.2), whatever they are about. server.ts writes it to the
 * connection, a Next mount makes a web `Response` of it.
 */
export class EventStream {
  readonly headers: Record<string, string> = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  /** The next events as text, or null after the last. One call at a time: a slow reader holds back its stream alone. */
  readonly next: () => Promise<string | null>;
  /** Ends the stream before its end; resolves when its source has let go of everything. */
  readonly cancel: () => Promise<void>;

  private endListener: () => void = () => undefined;

  private constructor(stream: { next: EventStream['next']; cancel: EventStream['cancel'] }) {
    this.next = stream.next;
    this.cancel = stream.cancel;
  }

  /** Runs once, when the stream is over for its reader, in whatever way. */
  onEnded(listener: () => void): void {
    this.endListener = listener;
  }

  /** Said by whoever writes the stream, when nothing more is written. */
  markEnded(): void {
    const { endListener: ended } = this;
    this.endListener = () => undefined;
    ended();
  }

  static of<Item>({ batches, encode: write, onCancel: leave }: EventStreamSource<Item>): EventStream {
    return new EventStream({
      async next() {
        for (;;) {
          const { done, value } = await batches.next();
          if (done) return null;
          let text = '';
          for (const item of value) text += write(item);
          if (text) return text;
        }
      },
      async cancel() {
        leave();
        await batches.return(undefined);
      },
    });
  }
}
