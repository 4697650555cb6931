import { BoundedMap } from '../platform/bounded-map';
import { isListening, onConnectionGap, subscribe, type Topic } from '../platform/bus';
import { processSingleton } from '../platform/singleton';

/** Everything that a token's standing depends on, beside the time. */
const topics: Topic[] = ['revoked', 'credential', 'user', 'agent', 'app', 'grant', 'keys'];
/** Times run out unannounced: what was found holds for so long at most, milliseconds. */
const ttlMs = 1_000;
const maxEntries = 5_000;

interface CacheEntry<Value> {
  value: Value;
  epoch: number;
  from: number;
  until: number;
}

/**
 * How often anything was changed, on any node, that a token's standing depends on. What was looked up before the latest change
 * counts for nothing.
 */
function trustState(): { epoch: number } {
  return processSingleton('trust-changes', () => {
    const state = { epoch: 0 };
    const invalidate = (): void => {
      state.epoch += 1;
    };
    for (const topic of topics) subscribe(topic, '*', invalidate);
    onConnectionGap(invalidate);
    return state;
  });
}

/**
 * What was found out a moment ago, for callers who come again at once: for a second, and only while no notice came. To find it out
 * anew takes a dozen looks into other memories.
 */
export class MicroCache<Value> {
  private readonly entries = new BoundedMap<string, CacheEntry<Value>>(maxEntries);

  /** What was found under `key`, if it still holds at `now`. */
  get(key: string, now: Date): Value | undefined {
    const entry = this.entries.get(key);
    const at = now.getTime();
    return entry && entry.epoch === trustState().epoch && at >= entry.from && at < entry.until
      ? entry.value
      : undefined;
  }

  /** Finds something out and keeps it until `deadline` (milliseconds since 1970) at most, unless something changes meanwhile. */
  async getOrLoad(key: string, now: Date, load: () => Promise<{ value: Value; endsAt: number }>): Promise<Value> {
    const { epoch } = trustState();
    const { value, endsAt } = await load();
    const from = now.getTime();
    if (isListening()) this.entries.set(key, { value, epoch, from, until: Math.min(from + ttlMs, endsAt) });
    return value;
  }
}
