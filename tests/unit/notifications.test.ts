import { describe, expect, test } from 'vitest';
import webPush from 'web-push';
import { LATE_SWEEP_OVERLAP_MS } from '@/lib/notifications/limits';
import { endOfQuietHours, isTimeZone, toMinutes, toTimeOfDay } from '@/lib/notifications/quiet-hours';
import { vapidKeysOf } from '@/lib/notifications/vapid';
import { MINUTE_MS } from '@/lib/platform/time';
import { WRITE_RETRY_TIMEOUT_MS } from '@/lib/tasks/limits';

const overnight = { quietFrom: toMinutes('22:00'), quietUntil: toMinutes('07:30'), timeZone: 'Europe/Berlin' };
const endAt = (now: string, hours = overnight): string | undefined =>
  endOfQuietHours(hours, new Date(now))?.toISOString();

describe('quiet hours', () => {
  test('end at a time in the user’s zone, also after midnight', () => {
    // Berlin is one hour ahead of UTC in winter.
    expect(endAt('2026-11-29T20:59:59Z')).toBeUndefined();
    expect(endAt('2026-11-29T21:00:00Z')).toBe('2026-11-30T06:30:00.000Z');
    expect(endAt('2026-11-30T00:15:42Z')).toBe('2026-11-30T06:30:00.000Z');
    expect(endAt('2026-11-30T06:29:59Z')).toBe('2026-11-30T06:30:00.000Z');
    expect(endAt('2026-11-30T06:30:00Z')).toBeUndefined();
  });

  test('can start and end on the same day', () => {
    const noon = { quietFrom: toMinutes('12:00'), quietUntil: toMinutes('13:00'), timeZone: 'UTC' };
    expect(endAt('2026-11-29T11:59:00Z', noon)).toBeUndefined();
    expect(endAt('2026-11-29T12:30:00Z', noon)).toBe('2026-11-29T13:00:00.000Z');
    expect(endAt('2026-11-29T13:00:00Z', noon)).toBeUndefined();
  });

  test('can be absent', () => {
    expect(endOfQuietHours({ quietFrom: null, quietUntil: null, timeZone: 'UTC' }, new Date())).toBeNull();
  });

  test('are read and written as times of day, and only in known zones', () => {
    expect([toMinutes('00:00'), toMinutes('23:59'), toTimeOfDay(0), toTimeOfDay(425)]).toEqual([
      0,
      1439,
      '00:00',
      '07:05',
    ]);
    expect(['Europe/Berlin', 'Mars/Base'].map(isTimeZone)).toEqual([true, false]);
  });
});

test('events are read again for longer than a writer retries a write with an earlier time', () => {
  expect(LATE_SWEEP_OVERLAP_MS).toBeGreaterThanOrEqual(WRITE_RETRY_TIMEOUT_MS + MINUTE_MS);
});

describe('the key of the site', () => {
  test.each([1, 2, 31])('signs requests if its private key begins with %i zero bytes', (zeros) => {
    const keys = vapidKeysOf(Buffer.concat([Buffer.alloc(zeros), Buffer.alloc(32 - zeros, 7)]));
    const headers = webPush.getVapidHeaders(
      'https://push.example',
      'mailto:owner@site.example',
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
    );
    expect(headers.Authorization).toContain(`k=${keys.publicKey}`);
  });
});
