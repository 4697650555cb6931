import { isListening, onGap, subscribe, type Topic } from '../platform/bus';
import { NewestMap } from '../platform/newest-map';
import { shared } from '../platform/registry';

/** Everything that a token's standing depends on, beside the time. */
const topics: Topic[] = ['revoked', 'credential', 'user', 'agent', 'app', 'grant', 'keys'];
/** Times run out unannounced: what was found holds for so long at most, milliseconds. */
const heldMs = 1_000;
const maxKept = 5_000;

interface Found<Value> {
  value: Value;
  epoch: number;
  from: number;
  until: number;
}

/**
 * How often anything was changed, on any node, that a token's standing depends on. What was looked up before the latest change
 * counts for nothing.
 */
function changes(): { epoch: number } {
  return shared('trust-changes', () => {
    const state = { epoch: 0 };
    const change = (): void => {
      state.epoch += 1;
    };
    for (const topic of topics) subscribe(topic, '*', change);
    onGap(change);
    return state;
  });
}

/**
 * What was found out a moment ago, for callers who come again at once: for a second, and only while no notice came. To find it out
 * anew takes a dozen looks into other memories.
 */
export class Recall<Value> {
  private readonly kept = new NewestMap<string, Found<Value>>(maxKept);

  /** What was found under `key`, if it still holds at `now`. */
  get(key: string, now: Date): Value | undefined {
    const found = this.kept.get(key);
    const at = now.getTime();
    return found && found.epoch === changes().epoch && at >= found.from && at < found.until ? found.value : undefined;
  }

  /** Finds something out and keeps it until `endsAt` (milliseconds since 1970) at most, unless something changes meanwhile. */
  async find(key: string, now: Date, look: () => Promise<{ value: Value; endsAt: number }>): Promise<Value> {
    const { epoch } = changes();
    const { value, endsAt } = await look();
    const from = now.getTime();
    if (isListening()) this.kept.set(key, { value, epoch, from, until: Math.min(from + heldMs, endsAt) });
    return value;
  }
}
