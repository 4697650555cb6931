/** How often a silent stream gets a comment, so that proxies and people see it is alive (SSE-4), milliseconds. */
export const HEARTBEAT_MS = 15_000;
export const HEARTBEAT = ': heartbeat\n\n';

interface StreamOf<Item> {
  batches: AsyncGenerator<Item[]>;
  /** The events that say one item, as text; empty for what this reader is not told. */
  write: (item: Item) => string;
  /** Runs when the reader leaves. */
  leave: () => void;
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
  readonly leave: () => Promise<void>;

  private ended: () => void = () => undefined;

  private constructor(stream: { next: EventStream['next']; leave: EventStream['leave'] }) {
    this.next = stream.next;
    this.leave = stream.leave;
  }

  /** Runs once, when the stream is over for its reader, in whatever way. */
  whenOver(ended: () => void): void {
    this.ended = ended;
  }

  /** Said by whoever writes the stream, when nothing more is written. */
  over(): void {
    const { ended } = this;
    this.ended = () => undefined;
    ended();
  }

  static of<Item>({ batches, write, leave }: StreamOf<Item>): EventStream {
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
      async leave() {
        leave();
        await batches.return(undefined);
      },
    });
  }
}
