import { type Counter, metrics } from '@opentelemetry/api';
import { log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { workDelayMs } from '../../platform/runtime/work-delay';
import {
  ADMISSION_DELAY_GAIN,
  ADMISSION_LATE_SAMPLES,
  ADMISSION_SAMPLE_MS,
  ADMISSION_TARGET_MS,
  ADMISSION_TREND_GAIN,
  MAX_DELAY_RATIO,
  MAX_PRESSURE,
  MAX_REQUESTS_IN_PROGRESS,
  MIN_REQUESTS_TO_SHED,
  OVERLOAD_END_MS,
} from '../limits';
import { countStreams } from '../sse';

/** A period in which requests are rejected, for the log. */
interface Overload {
  beganAt: number;
  rejectedAt: number;
  rejected: Record<Sheddable, number>;
}

interface Admission {
  controller: AdmissionController;
  /** The time at which the next sample is due; null while the node is idle and has no timer. */
  dueAt: number | null;
  delayMs: number;
  overload: Overload | null;
  counter: Counter;
}

const admission = once(
  (): Admission => ({
    controller: new AdmissionController(countStreams),
    dueAt: null,
    delayMs: 0,
    overload: null,
    counter: metrics
      .getMeter('parley')
      .createCounter('http.server.rejected', { description: 'Requests rejected because the node is overloaded' }),
  }),
);

/**
 * Accepts a request of this priority and returns the function to call at its end, or returns null if the node has too
 * much work.
 */
export function admit(priority: Priority): (() => void) | null {
  const state = admission();
  const { controller } = state;
  if (priority !== 'critical' && !controller.admits(priority)) {
    recordRejection(state, priority);
    return null;
  }
  controller.begin(priority);
  if (state.dueAt === null) scheduleSample(state);
  return () => controller.end(priority);
}

/** Returns the share of requests of this priority that is rejected now, from 0 to 1. */
export function rejectedShareOf(priority: Sheddable): number {
  return admission().controller.rejectedShareOf(priority);
}

function scheduleSample(state: Admission): void {
  state.dueAt = performance.now() + ADMISSION_SAMPLE_MS;
  setTimeout(takeSample, ADMISSION_SAMPLE_MS, state).unref();
}

/** Takes a sample. The delay of a timer is the time for which the event loop is busy with earlier work. */
function takeSample(state: Admission): void {
  const now = performance.now();
  const { controller } = state;
  state.delayMs = Math.max(0, now - (state.dueAt ?? now), workDelayMs());
  controller.sample(state.delayMs);
  if (state.overload && now - state.overload.rejectedAt >= OVERLOAD_END_MS) logEnd(state, now);
  if (controller.isIdle && !state.overload) state.dueAt = null;
  else scheduleSample(state);
}

function recordRejection(state: Admission, priority: Sheddable): void {
  const now = performance.now();
  const { controller, delayMs } = state;
  const fields = { delayMs: Math.round(delayMs), inProgress: controller.work() };
  if (!state.overload) {
    state.overload = { beganAt: now, rejectedAt: now, rejected: { calls: 0, background: 0 } };
    log.warn('overload.began', fields);
    if (state.dueAt === null) scheduleSample(state);
  }
  const { rejected } = state.overload;
  if (priority === 'calls' && rejected.calls === 0) log.warn('overload.calls_rejected', fields);
  rejected[priority] += 1;
  state.overload.rejectedAt = now;
  state.counter.add(1, { priority });
}

function logEnd(state: Admission, now: number): void {
  const { beganAt, rejected } = state.overload ?? { beganAt: now, rejected: { calls: 0, background: 0 } };
  const seconds = Math.round((now - OVERLOAD_END_MS - beganAt) / 1_000);
  log.warn('overload.ended', { seconds, calls: rejected.calls, background: rejected.background });
  state.overload = null;
}

/** The priority of a request during overload: `background` is rejected first, then `calls`, and `critical` never. */
export type Priority = 'critical' | 'calls' | 'background';

/** The priorities whose requests may be rejected. */
export type Sheddable = Exclude<Priority, 'critical'>;

/**
 * Determines which requests a node accepts. Measures the time for which work waits, and adjusts the share of rejected
 * requests by the difference of this delay from its target and by its trend (the controller of PIE, RFC 8033 §4.2).
 * Rejects no request during a peak of only a few samples.
 */
export class AdmissionController {
  /** The rejected share: up to 1, of background requests; above 1, all of them, and a share of calls. */
  private pressure = 0;
  private lastRatio = 0;
  /** Number of consecutive samples with a delay above the target. */
  private lateSamples = 0;
  private readonly inProgress: Record<Priority, number> = { critical: 0, calls: 0, background: 0 };
  /**
   * Sums of the shares of the requests so far. A request is rejected whenever a sum reaches 1, which distributes the
   * rejections evenly.
   */
  private readonly sums: Record<Sheddable, number> = { calls: 0, background: 0 };

  /** `countStreams` counts the streams among the calls in progress, which wait for agents and not for this node. */
  constructor(private readonly countStreams: () => number) {}

  /** Returns true if another request is accepted. */
  admits(priority: Priority): boolean {
    if (priority === 'critical') return true;
    if (this.workOf(priority) >= MAX_REQUESTS_IN_PROGRESS[priority]) return false;
    if (this.pressure === 0 || this.work() < MIN_REQUESTS_TO_SHED) return true;
    this.sums[priority] += this.rejectedShareOf(priority);
    if (this.sums[priority] < 1) return true;
    this.sums[priority] -= 1;
    return false;
  }

  /** Counts a request as in progress until {@link end}. */
  begin(priority: Priority): void {
    this.inProgress[priority] += 1;
  }

  end(priority: Priority): void {
    this.inProgress[priority] -= 1;
  }

  /** Adds a sample, which is the time for which work waited in the latest interval of {@link ADMISSION_SAMPLE_MS}. */
  sample(delayMs: number): void {
    const ratio = Math.min(delayMs / ADMISSION_TARGET_MS, MAX_DELAY_RATIO);
    this.lateSamples = ratio > 1 ? this.lateSamples + 1 : 0;
    if (this.pressure > 0 || this.lateSamples >= ADMISSION_LATE_SAMPLES) {
      const change = ADMISSION_DELAY_GAIN * (ratio - 1) + ADMISSION_TREND_GAIN * (ratio - this.lastRatio);
      this.pressure = Math.min(Math.max(this.pressure + change, 0), MAX_PRESSURE);
    }
    this.lastRatio = ratio;
  }

  /** Returns the share of requests of this priority that is rejected now, from 0 to 1. */
  rejectedShareOf(priority: Sheddable): number {
    return Math.min(Math.max(priority === 'background' ? this.pressure : this.pressure - 1, 0), 1);
  }

  /** True if no request is in progress, and none would be rejected. */
  get isIdle(): boolean {
    const { critical, calls, background } = this.inProgress;
    return this.pressure === 0 && critical + calls + background === 0;
  }

  /** Returns the requests in progress, without streams. */
  work(): number {
    return this.inProgress.critical + this.workOf('calls') + this.workOf('background');
  }

  private workOf(priority: Sheddable): number {
    const count = this.inProgress[priority];
    return priority === 'calls' ? Math.max(0, count - this.countStreams()) : count;
  }
}
