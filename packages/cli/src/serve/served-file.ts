import type { Handler } from '@parley/agent/serve';

/** What a file exports: its handler as `default` or `handle`, and its card as `card`. */
export interface ServedFile {
  handle: Handler;
  card?: object;
}

/** A file that is served, until `close`. */
export interface WatchedFile extends ServedFile {
  close(): Promise<void>;
}

export interface Watching {
  file: string;
  /** Called with each later version. */
  onChange: (served: ServedFile) => void;
  /** Called with why a later version cannot be used; the previous one stays. */
  onError: (message: string) => void;
}
