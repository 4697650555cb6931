import { type Counter, metrics } from '@opentelemetry/api';
import { log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { workDelayMs } from '../../platform/runtime/work-delay';
import { ADMISSION_SAMPLE_MS, OVERLOAD_END_MS } from '../limits';
import { countStreams } from '../sse/send-stream';
import { AdmissionController, type Priority, type Sheddable } from './controller';

/** The time in which requests are rejected, for the log. */
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

/** The share of requests of this priority that is rejected now, from 0 to 1. */
export function rejectedShareOf(priority: Sheddable): number {
  return admission().controller.rejectedShareOf(priority);
}

function scheduleSample(state: Admission): void {
  state.dueAt = performance.now() + ADMISSION_SAMPLE_MS;
  setTimeout(takeSample, ADMISSION_SAMPLE_MS, state).unref();
}

/** The lateness of a timer is the time for which the event loop is busy with earlier work. */
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
