import { newId } from '../platform/ids';
import { HOUR_MS } from '../platform/time';
import {
  CALLS_LOGGED_PER_SECOND,
  MAX_BUFFERED_CALLERS,
  MAX_BUFFERED_CALLS,
  MAX_BUFFERED_EXCHANGES,
  MAX_BUFFERED_EXCHANGES_PER_AGENT,
  MAX_CALLS_PER_INSERT,
  MIN_BUFFERED_CALLS,
  SAMPLED_SHARE,
} from './limits';
import type { AgentCall, CallBatch } from './store/agent-call-rows';
import { bucketOf, type CallerHour, type MissingCalls } from './store/call-hours';

/** Calls that wait for the next insert, or a sample if there are too many, and the exact sums of the others. */
export class CallBuffer {
  private sample = this.newSample();
  private missing = 0;
  private sums = new Map<string, MissingCalls>();
  private callers = new Map<string, CallerHour>();
  private exchanges = new Map<string, number>();
  private exchangeCount = 0;
  /** Number of calls that may be stored, refilled at {@link CALLS_LOGGED_PER_SECOND}. */
  private room = MAX_BUFFERED_CALLS;
  private refilledAt = performance.now();

  add(call: AgentCall): void {
    this.sample.add(this.withBoundedExchange(call), this.roomNow());
  }

  /** Removes all calls, as batches to insert in this order, and the number of calls that the sample omitted. */
  take(): { batches: CallBatch[]; missing: number } {
    const { missing, sums, callers } = this;
    const calls = this.sample.calls();
    this.room = this.roomNow() - calls.length;
    Object.assign(this, { sample: this.newSample(), missing: 0, sums: new Map(), callers: new Map() });
    Object.assign(this, { exchanges: new Map(), exchangeCount: 0 });
    const batches: CallBatch[] = [];
    for (let at = 0; at < calls.length; at += MAX_CALLS_PER_INSERT) {
      const rows = calls.slice(at, at + MAX_CALLS_PER_INSERT).map((call) => ({ ...call, id: newId('call') }));
      const rest = at === 0 ? { missing: [...sums.values()], callers: [...callers.values()] } : noRest;
      batches.push({ calls: rows, ...rest });
    }
    return { batches, missing };
  }

  private newSample(): CallSample {
    return new CallSample((call) => this.countMissing(call));
  }

  private countMissing(call: AgentCall): void {
    const { agentId, caller } = call;
    const [hour, bucket] = [hourOf(call), bucketOf(call)];
    this.missing += 1;
    const key = `${agentId} ${hour} ${bucket}`;
    const known = this.sums.get(key);
    if (known) known.calls += 1;
    else this.sums.set(key, { agentId, hour, bucket, calls: 1 });
    if (caller !== '' && this.callers.size < MAX_BUFFERED_CALLERS)
      this.callers.set(`${agentId} ${hour} ${caller}`, { agentId, hour, caller });
  }

  /**
   * Returns the number of calls that may be stored, at least {@link MIN_BUFFERED_CALLS}, so that every flush contains
   * calls of each agent.
   */
  private roomNow(): number {
    const now = performance.now();
    this.room += ((now - this.refilledAt) / 1_000) * CALLS_LOGGED_PER_SECOND;
    this.room = Math.min(this.room, MAX_BUFFERED_CALLS);
    this.refilledAt = now;
    return Math.max(MIN_BUFFERED_CALLS, this.room);
  }

  /** Exchanges are large, so above the maximum a call is logged without its exchange. */
  private withBoundedExchange(call: AgentCall): AgentCall {
    if (!call.exchange) return call;
    const count = this.exchanges.get(call.agentId) ?? 0;
    if (count >= MAX_BUFFERED_EXCHANGES_PER_AGENT || this.exchangeCount >= MAX_BUFFERED_EXCHANGES)
      return { ...call, exchange: null };
    this.exchanges.set(call.agentId, count + 1);
    this.exchangeCount += 1;
    return call;
  }
}

const noRest = { missing: [], callers: [] };

function hourOf({ at }: AgentCall): number {
  return Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
}

/** The calls of one agent; failed and other ones are separate groups. */
interface Group {
  kept: AgentCall[];
  seen: number;
  /** Maximum calls to keep, set when the sample is full. */
  limit: number;
  isNotable: boolean;
}

/**
 * Keeps all calls up to the maximum. Above it, keeps a fair sample: drops calls of agents with many calls first, keeps
 * at least one call of each agent, and reserves up to half of the capacity for failed calls and calls from the console.
 * Within an agent, each call has the same probability of being kept.
 */
class CallSample {
  private readonly groups = new Map<string, Group>();
  private size = 0;

  /** `onMissing` receives each call that is not kept, once. */
  constructor(private readonly onMissing: (call: AgentCall) => void) {}

  /** Adds a call. `room` is the number of calls that may be kept now. */
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

  /** Returns the calls that were kept. */
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

/** Returns the maximum number of calls that each group may keep so that all calls fit into `room`. */
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
