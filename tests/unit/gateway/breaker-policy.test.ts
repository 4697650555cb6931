import { expect, test } from 'vitest';
import { afterCall, type BreakerState, closedBreaker, letThrough, waitOf } from '@/lib/gateway/upstream/breaker-policy';

function afterFailures(count: number, at = 0): BreakerState {
  let state = closedBreaker;
  for (let times = 0; times < count; times++) state = afterCall(state, 'failed', at);
  return state;
}

test('opens at the fifth failure in a row, for five seconds', () => {
  expect(waitOf(afterFailures(4, 1_000), 1_000)).toBe(0);
  const open = afterFailures(5, 1_000);
  expect([waitOf(open, 1_000), waitOf(open, 5_999), waitOf(open, 6_000)]).toEqual([5_000, 1, 0]);
});

test('an answer in between begins the count anew', () => {
  const answered = afterCall(afterFailures(4), 'answered', 0);
  expect(waitOf(afterCall(answered, 'failed', 0), 0)).toBe(0);
});

test('lets one call through when its time is over, and the rest only after that went well', () => {
  const probing = letThrough(afterFailures(5), 5_000);
  expect(waitOf(probing, 5_000)).toBeGreaterThan(0);
  expect(afterCall(probing, 'answered', 5_100)).toEqual(closedBreaker);
});

test('a failed probe opens it for twice as long, to a minute', () => {
  let state = afterFailures(5);
  const pauses: number[] = [];
  for (let now = state.openUntil; pauses.length < 6; now = state.openUntil) {
    state = afterCall(letThrough(state, now), 'failed', now);
    pauses.push(state.openUntil - now);
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
});

test('failures of calls that were under way when it opened do not prolong it', () => {
  const open = afterFailures(5);
  expect(afterCall(open, 'failed', 3_000).openUntil).toBe(open.openUntil);
});

test('a probe that was given up or never heard of again makes room for the next', () => {
  const probing = letThrough(afterFailures(5), 5_000);
  expect(waitOf(afterCall(probing, 'given-up', 5_001), 5_001)).toBe(0);
  expect(waitOf(probing, 65_000)).toBe(0);
});

test('calls that were given up count for nothing', () => {
  expect(afterCall(afterFailures(4), 'given-up', 0)).toMatchObject({ failures: 4, openUntil: 0 });
});
