import { LRUCache } from 'lru-cache';
import { EXPIRY_SWEEP_MS } from '../limits';

/**
 * A cache whose entries have individual expiry times. Expired entries are deleted at most once a minute, when an entry
 * is added, because a cache that is never full would otherwise retain them forever.
 */
export class ExpiringCache<Value extends NonNullable<unknown>> {
  private readonly entries: LRUCache<string, Value>;
  private sweptAt = 0;

  /** `endOf`: milliseconds since 1970. */
  constructor(
    max: number,
    private readonly endOf: (value: Value) => number,
  ) {
    this.entries = new LRUCache({ max });
  }

  get size(): number {
    return this.entries.size;
  }

  /** The value of `key`, if it has not expired at `now`, milliseconds since 1970. */
  get(key: string, now: number): Value | undefined {
    const value = this.entries.get(key);
    return value !== undefined && now < this.endOf(value) ? value : undefined;
  }

  set(key: string, value: Value, now: number): void {
    this.entries.set(key, value);
    // A clock that was set back must not stop the sweeps.
    if (Math.abs(now - this.sweptAt) < EXPIRY_SWEEP_MS) return;
    this.sweptAt = now;
    for (const [known, entry] of this.entries.entries()) if (this.endOf(entry) <= now) this.entries.delete(known);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
