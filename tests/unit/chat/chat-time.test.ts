import { describe, expect, test } from 'vitest';
import { dayLabel, dayOf, groupConversations, messageAge } from '@/components/chat/state/chat-time';

const now = Date.parse('2026-11-26T01:30:00Z');
const rome = { now, timeZone: 'Europe/Rome' };
const losAngeles = { now, timeZone: 'America/Los_Angeles' };

const at = (iso: string): number => Date.parse(iso);

describe('a message’s age', () => {
  test('is shown in words within an hour, then as the time of day in the reader’s zone', () => {
    expect(messageAge(now - 20_000, rome, 'en')).toEqual({ kind: 'now' });
    expect(messageAge(now - 5 * 60_000, rome, 'en')).toEqual({ kind: 'minutes', minutes: 5 });
    expect(messageAge(at('2026-11-26T00:05:00Z'), rome, 'en')).toEqual({ kind: 'clock', text: '1:05 AM' });
    expect(messageAge(at('2026-11-26T00:05:00Z'), losAngeles, 'en')).toEqual({ kind: 'clock', text: '4:05 PM' });
  });

  test('is never in the future, even if the reader’s clock differs from the server’s', () => {
    expect(messageAge(now + 90_000, rome, 'en')).toEqual({ kind: 'now' });
  });
});

describe('a message’s day', () => {
  test('depends on the reader’s zone', () => {
    const moment = at('2026-11-25T23:30:00Z');
    expect(dayOf(moment, 'Europe/Rome') - dayOf(moment, 'UTC')).toBe(1);
    expect(dayLabel(moment, rome, 'en')).toEqual({ kind: 'today' });
    expect(dayLabel(at('2026-11-25T05:00:00Z'), losAngeles, 'en')).toEqual({ kind: 'yesterday' });
    expect(dayLabel(at('2026-11-20T12:00:00Z'), rome, 'en')).toEqual({ kind: 'date', text: 'Friday, November 20' });
    expect(dayLabel(at('2025-11-20T12:00:00Z'), rome, 'en')).toMatchObject({ text: 'Thursday, November 20, 2025' });
  });

  test('counts calendar days, even if daylight saving time begins or ends', () => {
    const clock = { now: at('2026-10-25T12:00:00Z'), timeZone: 'Europe/Rome' };
    expect(dayLabel(at('2026-10-24T21:59:00Z'), clock, 'en')).toEqual({ kind: 'yesterday' });
    expect(dayLabel(at('2026-10-24T22:01:00Z'), clock, 'en')).toEqual({ kind: 'today' });
  });
});

test('conversations are grouped by pin, day, week and month, in their order', () => {
  const list = [
    ['2025-01-01T12:00:00Z', true],
    ['2026-11-26T01:00:00Z', false],
    ['2026-11-25T12:00:00Z', false],
    ['2026-11-24T12:00:00Z', false],
    ['2026-11-18T12:00:00Z', false],
    ['2026-11-16T12:00:00Z', false],
    ['2026-10-02T12:00:00Z', false],
    ['2025-10-02T12:00:00Z', false],
  ] as const;
  const groups = groupConversations(
    list.map(([updatedAt, pinned]) => ({ updatedAt, pinned })),
    rome,
    'en',
  );
  expect(groups.map(({ heading, month, items }) => [heading, month, items.length])).toEqual([
    ['pinned', '', 1],
    ['today', '', 1],
    ['yesterday', '', 1],
    ['week', '', 2],
    ['month', 'November', 1],
    ['month', 'October', 1],
    ['month', 'October 2025', 1],
  ]);
});
