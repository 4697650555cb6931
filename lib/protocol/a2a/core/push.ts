/** The wire on which a push is written: the dialect that its configuration was made in. */
export type PushDialect = '0.3' | '1.0';

/** Where and how a caller wants to be told of a task's updates (A2A 1.0 §4.3). */
export interface PushTarget {
  /** The caller's own name for it; the same name again replaces it. */
  id?: string;
  url: string;
  /** Comes back in `X-A2A-Notification-Token`. */
  token?: string;
  authentication?: { scheme: string; credentials?: string };
}

/** A target as it is kept. The credentials are never shown again. */
export interface PushConfig extends PushTarget {
  id: string;
  taskId: string;
}
