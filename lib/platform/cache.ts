import { BoundedMap, type SizeLimit } from './bounded-map';
import { isListening, onConnectionGap, subscribe, type Topic } from './bus';
import { processSingleton } from './singleton';

interface CacheOptions<T> {
  /** Name within the process; the cache is shared by both planes. */
  name: string;
  /** Most entries kept; the oldest go first. */
  max: number;
  /** Where entries may be large: what they weigh, and the most that is kept of that. */
  sizeLimit?: SizeLimit<T>;
  /** Which notices empty the entry of their key. */
  topic: Topic;
  load: (key: string) => Promise<T>;
}

export interface Cache<T> {
  /** The loaded value, from memory while notices are heard, else from the database. One load at a time per key. */
  get(key: string): Promise<T>;
  /** The value when it is in memory. */
  peek(key: string): T | undefined;
  invalidate(key: string): void;
}

/**
 * A cache of rows that changes of other nodes empty (LISTEN/NOTIFY). While the listener is down nothing is kept, so a
 * revocation is never missed. A load that was under way when its key was emptied is not kept either.
 */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  return processSingleton(`cache:${options.name}`, () => buildCache(options));
}

function buildCache<T>({ max, sizeLimit: weighing, topic, load }: CacheOptions<T>): Cache<T> {
  const entries = new BoundedMap<string, T>(max, weighing);
  const loading = new Map<string, Promise<T>>();
  const forget = (key: string): void => {
    entries.delete(key);
    loading.delete(key);
  };
  subscribe(topic, '*', forget);
  onConnectionGap(() => {
    entries.clear();
    loading.clear();
  });

  async function loadOnce(key: string): Promise<T> {
    const pending = load(key);
    loading.set(key, pending);
    try {
      const value = await pending;
      if (loading.get(key) === pending && isListening()) entries.set(key, value);
      return value;
    } finally {
      if (loading.get(key) === pending) loading.delete(key);
    }
  }

  return {
    invalidate: forget,
    peek: (key) => entries.get(key),
    get(key) {
      const value = entries.get(key);
      if (value !== undefined || entries.has(key)) return Promise.resolve(value as T);
      return loading.get(key) ?? loadOnce(key);
    },
  };
}
