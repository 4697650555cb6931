import { ApiError } from './params';

export interface Reply {
  status: number;
  body: string;
}

interface Entry {
  fingerprint: string;
  reply: Reply | null;
}

/** Stripe's idempotency store: one response per key, for identical parameters only. */
export class IdempotencyStore {
  private readonly entries = new Map<string, Entry>();

  /** The first response to the key, or null for a new key; then call `keep`. */
  begin(key: string, fingerprint: string): Reply | null {
    const entry = this.entries.get(key);
    if (!entry) {
      this.entries.set(key, { fingerprint, reply: null });
      return null;
    }
    if (entry.fingerprint !== fingerprint) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      throw new ApiError(400, { type: 'idempotency_error', message });
    }
    if (entry.reply) return entry.reply;
    const message = 'There is currently another in-progress request using this Idempotent Key.';
    throw new ApiError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
  }

  /** Stores a response; requests rejected before they had an effect may be retried. */
  keep(key: string, reply: Reply | null): void {
    const entry = this.entries.get(key);
    if (entry && reply) entry.reply = reply;
    else this.entries.delete(key);
  }
}
