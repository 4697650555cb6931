import { MAX_EVENTS_CHARS } from '../limits';

interface EventStreamSource<Item> {
  batches: AsyncGenerator<Item[]>;
  /** Returns the events of one item as SSE text; empty if there are none for this client. */
  encode: (item: Item) => string;
  /** Called when the client disconnects. */
  onCancel: () => void;
}

/** A response of server-sent events (WHATWG HTML §9.2), written to the connection by `sendStream`. */
export class EventStream {
  readonly headers: Record<string, string> = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  /**
   * Returns the next events as text; null after the last. Called once at a time, so that a slow client delays only its
   * own stream.
   */
  readonly next: () => Promise<string | null>;
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
}
