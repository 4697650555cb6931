import { describe, expect, test } from 'vitest';
import { expiryOf, isExpired, shouldTouch } from '@/lib/identity/sessions/session-cache';

const minute = 60_000;
const day = 1_440 * minute;
const signedIn = new Date('2030-01-01T00:00:00Z');
const expires = new Date(signedIn.getTime() + 30 * day);

function session(lastSeenDays: number): { expires: Date; lastSeenAt: Date } {
  return { expires, lastSeenAt: new Date(signedIn.getTime() + lastSeenDays * day) };
}

describe('a session (SES-1)', () => {
  test.each([
    [0, 14],
    [10, 24],
    [16, 30],
    [29, 30],
  ])('last used on day %i ends on day %i', (seen, end) => {
    const ends = new Date(signedIn.getTime() + end * day);
    expect(expiryOf(session(seen))).toEqual(ends);
    expect(isExpired(session(seen), new Date(ends.getTime() - 1))).toBe(false);
    expect(isExpired(session(seen), ends)).toBe(true);
  });

  test('records its use at most every five minutes', () => {
    const later = (ms: number): Date => new Date(signedIn.getTime() + ms);
    expect(shouldTouch(session(0), later(0))).toBe(false);
    expect(shouldTouch(session(0), later(5 * minute - 1))).toBe(false);
    expect(shouldTouch(session(0), later(5 * minute))).toBe(true);
  });
});
