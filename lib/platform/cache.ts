import { isListening, onGap, subscribe, type Topic } from './bus';
import { NewestMap, type Weighing } from './newest-map';
import { shared } from './registry';

interface CacheOptions<T> {
  /** Name within the process; the cache is shared by both planes. */
  name: string;
  /** Most entries kept; the oldest go first. */
  max: number;
  /** Where entries may be large: what they weigh, and the most that is kept of that. */
  weighing?: Weighing<T>;
  /** Which notices empty the entry of their key. */
  topic: Topic;
  load: (key: string) => Promise<T>;
}

export interface Cache<T> {
  /** The loaded value, from memory while notices are heard, else from the database. One load at a time per key. */
  get(key: string): Promise<T>;
  /** The value when it is in memory. */
  known(key: string): T | undefined;
  forget(key: string): void;
}

/**
 * A cache of rows that changes of other nodes empty (LISTEN/NOTIFY). While the listener is down nothing is kept, so a
 * revocation is never missed. A load that was under way when its key was emptied is not kept either.
 */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  return shared(`cache:${options.name}`, () => build(options));
}

function build<T>({ max, weighing, topic, load }: CacheOptions<T>): Cache<T> {
  const kept = new NewestMap<string, T>(max, weighing);
  const loading = new Map<string, Promise<T>>();
  const forget = (key: string): void => {
    kept.delete(key);
    loading.delete(key);
  };
  subscribe(topic, '*', forget);
  onGap(() => {
    kept.clear();
    loading.clear();
  });

  async function loadOnce(key: string): Promise<T> {
    const started = load(key);
    loading.set(key, started);
    try {
      const value = await started;
      if (loading.get(key) === started && isListening()) kept.set(key, value);
      return value;
    } finally {
      if (loading.get(key) === started) loading.delete(key);
    }
  }

  return {
    forget,
    known: (key) => kept.get(key),
    get(key) {
      const value = kept.get(key);
      if (value !== undefined || kept.has(key)) return Promise.resolve(value as T);
      return loading.get(key) ?? loadOnce(key);
    },
  };
}
