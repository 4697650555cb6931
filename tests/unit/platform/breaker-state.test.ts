import { expect, test } from 'vitest';
import {
  type BreakerState,
  closedState,
  recordResult,
  retryAfterMs,
  tryHalfOpen,
} from '@/lib/platform/http-client/breaker-state';

function afterFailures(count: number, at = 0): BreakerState {
  let state = closedState;
  for (let times = 0; times < count; times++) state = recordResult(state, 'failed', at);
  return state;
}

test('the breaker opens at the fifth consecutive failure, for five seconds', () => {
  expect(retryAfterMs(afterFailures(4, 1_000), 1_000)).toBe(0);
  const open = afterFailures(5, 1_000);
  expect([retryAfterMs(open, 1_000), retryAfterMs(open, 5_999), retryAfterMs(open, 6_000)]).toEqual([5_000, 1, 0]);
});

test('a success resets the breaker’s failure count', () => {
  const answered = recordResult(afterFailures(4), 'answered', 0);
  expect(retryAfterMs(recordResult(answered, 'failed', 0), 0)).toBe(0);
});

test('an open breaker allows one call after its pause, and others only after that call succeeds', () => {
  const probing = tryHalfOpen(afterFailures(5), 5_000);
  expect(retryAfterMs(probing, 5_000)).toBeGreaterThan(0);
  expect(recordResult(probing, 'answered', 5_100)).toEqual(closedState);
});

test('a failed probe doubles the breaker’s pause, up to a minute', () => {
  let state = afterFailures(5);
  const pauses: number[] = [];
  for (let now = state.openUntil; pauses.length < 6; now = state.openUntil) {
    state = recordResult(tryHalfOpen(state, now), 'failed', now);
    pauses.push(state.openUntil - now);
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
});

test('failures of calls that started before the breaker opened do not prolong the pause', () => {
  const open = afterFailures(5);
  expect(recordResult(open, 'failed', 3_000).openUntil).toBe(open.openUntil);
});

test('an abandoned or lost probe lets the breaker make the next probe', () => {
  const probing = tryHalfOpen(afterFailures(5), 5_000);
  expect(retryAfterMs(recordResult(probing, 'given-up', 5_001), 5_001)).toBe(0);
  expect(retryAfterMs(probing, 65_000)).toBe(0);
});

test('a clock that is set back neither prolongs the breaker’s pause nor delays the next call', () => {
  const hour = 3_600_000;
  const open = afterFailures(5, hour);
  expect(retryAfterMs(open, 1_000)).toBe(0);
  expect(retryAfterMs(tryHalfOpen(open, hour), 1_000)).toBe(0);
});

test('abandoned calls do not count for the breaker', () => {
  expect(recordResult(afterFailures(4), 'given-up', 0)).toMatchObject({ failures: 4, openUntil: 0 });
});
