import { type Counter, metrics } from '@opentelemetry/api';
import { errorFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { OUTAGE_END_MS } from '../limits';

interface Outage {
  /** Requests that failed since the outage began; 0 without an outage. */
  failures: number;
  beganAt: number;
  end: NodeJS.Timeout | undefined;
  counter: Counter;
}

const outage = once((): Outage => {
  const description = 'Requests that failed because the database was unavailable';
  const counter = metrics.getMeter('parley').createCounter('db.unavailable.requests', { description });
  return { failures: 0, beganAt: 0, end: undefined, counter };
});

/**
 * Counts a request that failed because the database is unavailable. Logs a line for the first one, and a line with
 * their number once none failed for {@link OUTAGE_END_MS}.
 */
export function recordDatabaseFailure(error: unknown, requestId: string): void {
  const state = outage();
  state.counter.add(1);
  state.failures += 1;
  if (state.end) {
    state.end.refresh();
    return;
  }
  state.beganAt = performance.now();
  log.error('database.unavailable', { requestId, ...errorFields(error) });
  state.end = setTimeout(() => {
    const seconds = Math.round((performance.now() - state.beganAt - OUTAGE_END_MS) / 1_000);
    log.warn('database.failures_ended', { requests: state.failures, seconds });
    Object.assign(state, { failures: 0, end: undefined });
  }, OUTAGE_END_MS).unref();
}
