import { isListening, onConnectionGap, subscribe, type Topic } from '../../platform/bus';
import { ExpiringCache } from '../../platform/cache';
import { once } from '../../platform/runtime/once';
import { MICRO_CACHE_MS, MICRO_CACHE_SIZE } from '../limits';

/** The topics on which the validity of a token depends, except time. */
const TOPICS: Topic[] = ['revoked', 'credential', 'user', 'agent', 'app', 'grant', 'keys'];

interface CacheEntry<Value> {
  value: Value;
  epoch: number;
  from: number;
  until: number;
}

/** Counts changes, on any node, that the validity of a token depends on. An entry from an earlier epoch is stale. */
const tokenEpoch = once((): { epoch: number } => {
  const state = { epoch: 0 };
  const invalidate = (): void => {
    state.epoch += 1;
  };
  for (const topic of TOPICS) subscribe(topic, '*', invalidate);
  onConnectionGap(invalidate);
  return state;
});

/**
 * A one-second cache for values derived from tokens, invalidated as a whole by any relevant change. It saves repeated
 * requests a dozen cache lookups each.
 */
export class MicroCache<Value> {
  private readonly entries = new ExpiringCache<CacheEntry<Value>>(MICRO_CACHE_SIZE, ({ until }) => until);

  /** The value of `key` if it is still valid at `now`. */
  get(key: string, now: Date): Value | undefined {
    const at = now.getTime();
    const entry = this.entries.get(key, at);
    return entry && entry.epoch === tokenEpoch().epoch && at >= entry.from ? entry.value : undefined;
  }

  /**
   * Loads a value and stores it until `endsAt` (milliseconds since 1970) at most, unless a change occurs in the
   * meantime.
   */
  async getOrLoad(key: string, now: Date, load: () => Promise<{ value: Value; endsAt: number }>): Promise<Value> {
    const { epoch } = tokenEpoch();
    const { value, endsAt } = await load();
    const from = now.getTime();
    const until = Math.min(from + MICRO_CACHE_MS, endsAt);
    if (isListening()) this.entries.set(key, { value, epoch, from, until }, from);
    return value;
  }
}
