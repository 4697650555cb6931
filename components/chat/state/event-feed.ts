import type { ThreadUpdate } from '../../../lib/chat/schema-thread';
import type { ChainView } from '../../../lib/tasks/schema-chains';

/** `live`: connected. `waiting`: reconnecting. `offline`: the device has no network. */
export type FeedStatus = 'live' | 'waiting' | 'offline';

export interface FeedOptions {
  /** URL of the stream from a cursor on. */
  urlOf: (cursor: string) => string;
  cursor: string;
  /** Called with updates in the server's order, at most once per animation frame. */
  onUpdates: (updates: ThreadUpdate[]) => void;
  /** Called when the work of other agents for a task has changed. */
  onChain: (chain: ChainView) => void;
  onStatus: (status: FeedStatus) => void;
  /** Called when the server rejected the stream. Resolves to true if it should be retried. */
  onRefused: () => Promise<boolean>;
}

const firstDelayMs = 400;
const maxDelayMs = 8_000;
/** Delay until a hidden tab closes its connection, because browsers permit six connections per server for all tabs. */
const hiddenMs = 60_000;
/** Interval of updates in hidden tabs, which have no animation frames. */
const hiddenFlushMs = 500;

/**
 * Reads a conversation's stream while the page is open. Resumes from the last cursor after every disconnect,
 * immediately when the network or the tab is available again. Returns a function that stops it.
 */
export function openFeed(options: FeedOptions): () => void {
  const feed = new Feed(options);
  feed.start();
  return () => feed.stop();
}

class Feed {
  private source: EventSource | null = null;
  private cursor: string;
  private status: FeedStatus | null = null;
  private failures = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private queue: ThreadUpdate[] = [];
  private isFlushScheduled = false;
  private readonly abortController = new AbortController();

  constructor(private readonly options: FeedOptions) {
    this.cursor = options.cursor;
  }

  start(): void {
    const { signal } = this.abortController;
    window.addEventListener('online', () => this.connect(), { signal });
    window.addEventListener('offline', () => this.setStatus('offline'), { signal });
    document.addEventListener('visibilitychange', () => this.onVisibility(), { signal });
    this.connect();
  }

  stop(): void {
    this.abortController.abort();
    this.disconnect();
    clearTimeout(this.hiddenTimer);
  }

  private disconnect(): void {
    clearTimeout(this.retryTimer);
    this.source?.close();
    this.source = null;
  }

  private connect(): void {
    this.disconnect();
    const source = new EventSource(this.options.urlOf(this.cursor));
    this.source = source;
    source.onopen = () => {
      this.failures = 0;
      this.setStatus('live');
    };
    source.onmessage = (event: MessageEvent<string>) => {
      // Browsers sometimes report that they are offline too early. A received event proves the connection.
      this.setStatus('live');
      this.cursor = event.lastEventId;
      this.queue.push(JSON.parse(event.data) as ThreadUpdate);
      this.scheduleFlush();
    };
    source.addEventListener('chain', (event: MessageEvent<string>) => {
      this.options.onChain(JSON.parse(event.data) as ChainView);
    });
    source.onerror = () => {
      const refused = source.readyState === EventSource.CLOSED;
      this.disconnect();
      // Most reconnects take less than a second and need no message.
      if (!navigator.onLine) this.setStatus('offline');
      else if (this.failures > 0) this.setStatus('waiting');
      void this.scheduleReconnect(refused);
    };
  }

  private setStatus(status: FeedStatus): void {
    if (status === this.status) return;
    this.status = status;
    this.options.onStatus(status);
  }

  private async scheduleReconnect(refused: boolean): Promise<void> {
    if (refused && navigator.onLine && !(await this.options.onRefused())) return;
    if (this.abortController.signal.aborted || this.source) return;
    const delayMs = Math.min(firstDelayMs * 2 ** this.failures, maxDelayMs);
    this.failures += 1;
    this.retryTimer = setTimeout(() => this.connect(), delayMs * (0.75 + Math.random() / 2));
  }

  private onVisibility(): void {
    clearTimeout(this.hiddenTimer);
    if (document.hidden) this.hiddenTimer = setTimeout(() => this.disconnect(), hiddenMs);
    else if (!this.source) this.connect();
  }

  private scheduleFlush(): void {
    if (this.isFlushScheduled) return;
    this.isFlushScheduled = true;
    if (document.hidden) setTimeout(() => this.flush(), hiddenFlushMs);
    else requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    this.isFlushScheduled = false;
    if (this.queue.length === 0 || this.abortController.signal.aborted) return;
    const updates = this.queue;
    this.queue = [];
    this.options.onUpdates(updates);
  }
}
