import {
  ADMISSION_DELAY_GAIN,
  ADMISSION_LATE_SAMPLES,
  ADMISSION_TARGET_MS,
  ADMISSION_TREND_GAIN,
  MAX_DELAY_RATIO,
  MAX_PRESSURE,
  MAX_REQUESTS_IN_PROGRESS,
  MIN_REQUESTS_TO_SHED,
} from '../limits';

/** The priority of a request during overload: `background` is rejected first, then `calls`, and `critical` never. */
export type Priority = 'critical' | 'calls' | 'background';

/** The priorities whose requests may be rejected. */
export type Sheddable = Exclude<Priority, 'critical'>;

/**
 * Decides which requests a node accepts. It measures how long work waits, and raises or lowers the share of rejected
 * requests by the distance of this delay from its target and by its trend (the controller of PIE, RFC 8033 §4.2). No
 * request is rejected during a peak of only a few samples.
 */
export class AdmissionController {
  /** From 0 to 1: the rejected share of background requests; beyond 1: all of them, and a share of calls. */
  private pressure = 0;
  private lastRatio = 0;
  /** Consecutive samples with a delay beyond the target. */
  private lateSamples = 0;
  private readonly inProgress: Record<Priority, number> = { critical: 0, calls: 0, background: 0 };
  /** Sums of the shares of requests so far: one is rejected whenever a sum reaches 1, which spaces them evenly. */
  private readonly sums: Record<Sheddable, number> = { calls: 0, background: 0 };

  /** `countStreams`: the streams among the calls in progress; they wait for agents, not for this node. */
  constructor(private readonly countStreams: () => number) {}

  /** True if one more request is accepted. */
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

  /** Adds a sample: the time for which work waited in the latest interval of {@link ADMISSION_SAMPLE_MS}. */
  sample(delayMs: number): void {
    const ratio = Math.min(delayMs / ADMISSION_TARGET_MS, MAX_DELAY_RATIO);
    this.lateSamples = ratio > 1 ? this.lateSamples + 1 : 0;
    if (this.pressure > 0 || this.lateSamples >= ADMISSION_LATE_SAMPLES) {
      const change = ADMISSION_DELAY_GAIN * (ratio - 1) + ADMISSION_TREND_GAIN * (ratio - this.lastRatio);
      this.pressure = Math.min(Math.max(this.pressure + change, 0), MAX_PRESSURE);
    }
    this.lastRatio = ratio;
  }

  /** The share of requests of this priority that is rejected now, from 0 to 1. */
  rejectedShareOf(priority: Sheddable): number {
    return Math.min(Math.max(priority === 'background' ? this.pressure : this.pressure - 1, 0), 1);
  }

  /** True when nothing is in progress and nothing would be rejected. */
  get isIdle(): boolean {
    const { critical, calls, background } = this.inProgress;
    return this.pressure === 0 && critical + calls + background === 0;
  }

  /** The requests in progress, without streams. */
  work(): number {
    return this.inProgress.critical + this.workOf('calls') + this.workOf('background');
  }

  private workOf(priority: Sheddable): number {
    const count = this.inProgress[priority];
    return priority === 'calls' ? Math.max(0, count - this.countStreams()) : count;
  }
}
