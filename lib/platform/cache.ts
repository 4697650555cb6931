import { LRUCache } from 'lru-cache';
import { isListening, onConnectionGap, subscribe, type Topic } from './bus';
import { readFromPrimary } from './db/replicas/read-context';
import { EXPIRY_SWEEP_MS } from './limits';

/** The size of an entry, a positive integer, and the maximum total size. */
export interface SizeLimit<T> {
  sizeCalculation: (value: T) => number;
  maxSize: number;
}

interface CacheOptions<T> {
  /** Maximum number of entries; the least recently used are evicted. */
  max: number;
  /** The size of entries that may be large, and the maximum total size. */
  sizeLimit?: SizeLimit<T>;
  /** Notifications of this topic invalidate the entry of their key. */
  topic: Topic;
  load: (key: string) => Promise<T>;
}

export interface Cache<T> {
  /**
   * Returns the value, from memory while the bus is listening, otherwise from the database. Loads each key at most once
   * at a time.
   */
  get(key: string): Promise<T>;
  /** Returns the value if it is in memory. */
  peek(key: string): T | undefined;
  invalidate(key: string): void;
}

/**
 * Returns a cache of rows that other nodes invalidate (LISTEN/NOTIFY). Nothing is cached while the bus is disconnected,
 * so that no revocation is missed. A load whose key is invalidated in the meantime is not cached.
 */
export function createCache<T>({ max, sizeLimit, topic, load }: CacheOptions<T>): Cache<T> {
  const entries = new LRUCache<string, { value: T }>({
    max,
    ...(sizeLimit && { maxSize: sizeLimit.maxSize, sizeCalculation: ({ value }) => sizeLimit.sizeCalculation(value) }),
  });
  const loading = new Map<string, Promise<T>>();
  const invalidate = (key: string): void => {
    entries.delete(key);
    loading.delete(key);
  };
  subscribe(topic, '*', invalidate);
  onConnectionGap(() => {
    entries.clear();
    loading.clear();
  });

  async function loadOnce(key: string): Promise<T> {
    // The change whose notification emptied the entry may not have reached a replica yet.
    const pending = readFromPrimary(() => load(key));
    loading.set(key, pending);
    try {
      const value = await pending;
      if (loading.get(key) === pending && isListening()) entries.set(key, { value });
      return value;
    } finally {
      if (loading.get(key) === pending) loading.delete(key);
    }
  }

  return {
    invalidate,
    peek: (key) => entries.get(key)?.value,
    get(key) {
      const entry = entries.get(key);
      if (entry) return Promise.resolve(entry.value);
      return loading.get(key) ?? loadOnce(key);
    },
  };
}

/**
 * A cache whose entries expire individually. Deletes expired entries at most once a minute, when an entry is added;
 * otherwise a cache that is never full would retain them forever.
 */
export class ExpiringCache<Value extends NonNullable<unknown>> {
  private readonly entries: LRUCache<string, Value>;
  private sweptAt = 0;

  /** `endOf` returns the expiry time of a value, milliseconds since 1970. */
  constructor(
    max: number,
    private readonly endOf: (value: Value) => number,
  ) {
    this.entries = new LRUCache({ max });
  }

  get size(): number {
    return this.entries.size;
  }

  /** Returns the value of `key` unless it has expired at `now`, milliseconds since 1970. */
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
