import type { Handler } from '@parley/agent/serve';

/** The exports of a file: its handler as `default` or `handle`, and its card as `card`. */
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
  /** Called with the reason why a later version cannot be used; the previous version remains in use. */
  onError: (message: string) => void;
}
