import { describe, expect, test } from 'vitest';
import { afterAlertFailed, isAlertOverdue, type ProbeState, secondsToNext } from '@/lib/probes/state-transitions';

const now = new Date('2026-05-20T12:00:00Z');
const intervals = { reach: 900, run: 86_400 };
const failed = { intervals, retryAfter: null, failedBefore: false, stage: 'listed' as const };

function downFor(days: number, stage: ProbeState['stage'] = 'listed'): ProbeState {
  const failingSince = new Date(now.getTime() - days * 86_400_000);
  const checked = { checkedAt: now, checkedBy: 'reach' as const, alertedAt: null };
  return { health: 'down', consecutiveFailures: 9, failingSince, runFailed: false, stage, ...checked };
}

describe('the next probe after a failure', () => {
  test('repeats a real run once', () => {
    expect(secondsToNext({ ...failed, kind: 'run' })).toBe(3_600);
    expect(secondsToNext({ ...failed, kind: 'run', failedBefore: true })).toBe(86_400);
  });

  test('runs hourly under maintenance, daily when out of search, and at most as often as published', () => {
    expect(secondsToNext({ ...failed, kind: 'reach' })).toBe(900);
    expect(secondsToNext({ ...failed, kind: 'reach', stage: 'maintenance' })).toBe(3_600);
    expect(secondsToNext({ ...failed, kind: 'reach', stage: 'withheld' })).toBe(86_400);
    const rarely = { reach: 50_000, run: 600_000 };
    expect(secondsToNext({ ...failed, kind: 'reach', stage: 'maintenance', intervals: rarely })).toBe(50_000);
  });

  test('waits as long as the agent requests, up to a day', () => {
    expect(secondsToNext({ ...failed, kind: 'reach', retryAfter: 1_800 })).toBe(1_800);
    expect(secondsToNext({ ...failed, kind: 'run', retryAfter: 9_000_000 })).toBe(86_400);
  });
});

describe('a status change whose email cannot be sent', () => {
  test('waits for a day, and takes effect without the email', () => {
    expect(isAlertOverdue(downFor(1.5), 'maintenance', now)).toBe(false);
    expect(isAlertOverdue(downFor(2), 'maintenance', now)).toBe(true);
    expect(isAlertOverdue(downFor(14.9, 'maintenance'), 'withheld', now)).toBe(false);
    expect(isAlertOverdue(downFor(15, 'maintenance'), 'withheld', now)).toBe(true);
    expect(isAlertOverdue(downFor(30), 'down', now)).toBe(false);
  });

  test('records that the owner was not notified', () => {
    expect(afterAlertFailed(downFor(2), 'maintenance')).toMatchObject({ stage: 'maintenance', alertedAt: null });
  });
});
