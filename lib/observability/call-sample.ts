import { SAMPLED_SHARE } from './limits';
import type { AgentCall } from './store/agent-call-rows';

/** The calls of one agent, failed and other ones separately. */
interface Group {
  kept: AgentCall[];
  seen: number;
  /** Maximum calls to keep, set once the sample is full. */
  limit: number;
  isNotable: boolean;
}

/**
 * Keeps all calls up to the maximum, then a fair sample: calls of agents with many calls are dropped first, at least
 * one call of each agent is kept, and up to half of the capacity is reserved for failed calls and calls from the
 * console. All calls of an agent have the same probability to be kept.
 */
export class CallSample {
  private readonly groups = new Map<string, Group>();
  private size = 0;

  /** `onMissing` receives each call that is not kept, once. */
  constructor(private readonly onMissing: (call: AgentCall) => void) {}

  /** `room`: the number of calls that may be kept now. */
  add(call: AgentCall, room: number): void {
    const isNotable = call.failure !== null || call.exchange !== null;
    const group = this.groupOf(`${call.agentId} ${isNotable}`, isNotable);
    group.seen += 1;
    if (group.kept.length < group.limit) {
      group.kept.push(call);
      this.size += 1;
      if (this.size > room) this.shrink(room * SAMPLED_SHARE);
      return;
    }
    const at = Math.floor(Math.random() * group.seen);
    this.onMissing(group.kept[at] ?? call);
    if (at < group.kept.length) group.kept[at] = call;
  }

  /** The calls that were kept. */
  calls(): AgentCall[] {
    return [...this.groups.values()].flatMap(({ kept }) => kept);
  }

  private groupOf(key: string, isNotable: boolean): Group {
    const known = this.groups.get(key);
    if (known) return known;
    const group = { kept: [], seen: 0, limit: Number.POSITIVE_INFINITY, isNotable };
    this.groups.set(key, group);
    return group;
  }

  private shrink(room: number): void {
    const groups = [...this.groups.values()];
    const notable = groups.filter(({ isNotable }) => isNotable);
    const others = groups.filter(({ isNotable }) => !isNotable);
    const forNotable = Math.min(sizeOf(notable), Math.max(room / 2, room - sizeOf(others)));
    for (const [kind, share] of [
      [notable, forNotable],
      [others, room - forNotable],
    ] as const) {
      const limit = fairLimit(kind, share);
      for (const group of kind) if (group.kept.length > limit) this.cut(group, limit);
    }
  }

  private cut(group: Group, limit: number): void {
    const { kept } = group;
    for (let at = 0; at < limit; at++) {
      const other = at + Math.floor(Math.random() * (kept.length - at));
      const [first, second] = [kept[at], kept[other]];
      if (first && second) [kept[at], kept[other]] = [second, first];
    }
    this.size -= kept.length - limit;
    for (const call of kept.slice(limit)) this.onMissing(call);
    group.kept = kept.slice(0, limit);
    group.limit = limit;
  }
}

function sizeOf(groups: Group[]): number {
  return groups.reduce((sum, { kept }) => sum + kept.length, 0);
}

/** The maximum calls that each group may keep so that all calls fit into `room`. */
function fairLimit(groups: Group[], room: number): number {
  const sizes = groups.map(({ kept }) => kept.length).sort((a, b) => a - b);
  let left = room;
  for (const [at, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - at));
    if (size > share) return Math.max(1, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
