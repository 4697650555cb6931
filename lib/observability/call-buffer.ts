import { newId } from '../platform/ids';
import { HOUR_MS } from '../platform/time';
import { CallSample } from './call-sample';
import {
  CALLS_LOGGED_PER_SECOND,
  MAX_BUFFERED_CALLERS,
  MAX_BUFFERED_CALLS,
  MAX_BUFFERED_EXCHANGES,
  MAX_BUFFERED_EXCHANGES_PER_AGENT,
  MAX_CALLS_PER_INSERT,
  MIN_BUFFERED_CALLS,
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
  /** Calls that may be stored: refilled at {@link CALLS_LOGGED_PER_SECOND}. */
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
   * The number of calls that may be stored, at least {@link MIN_BUFFERED_CALLS}, so that every flush has calls of each
   * agent.
   */
  private roomNow(): number {
    const now = performance.now();
    this.room += ((now - this.refilledAt) / 1_000) * CALLS_LOGGED_PER_SECOND;
    this.room = Math.min(this.room, MAX_BUFFERED_CALLS);
    this.refilledAt = now;
    return Math.max(MIN_BUFFERED_CALLS, this.room);
  }

  /** Exchanges are large: beyond the maximum the call is logged without its exchange. */
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
