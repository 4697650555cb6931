import { expect, test } from 'vitest';
import { instantOf, toCallFilter } from '@/lib/console/calls';

test.each([
  ['2026-01-15T12:00', 'UTC', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15T12:00', 'Europe/Rome', '2026-01-15T11:00:00.000Z'],
  ['2026-07-15T12:00', 'Europe/Rome', '2026-07-15T10:00:00.000Z'],
  ['2026-01-15T12:00', 'Asia/Kolkata', '2026-01-15T06:30:00.000Z'],
  ['2026-03-29T00:30', 'Europe/Rome', '2026-03-28T23:30:00.000Z'],
  ['2026-03-29T03:30', 'Europe/Rome', '2026-03-29T01:30:00.000Z'],
  ['2026-11-01T00:30', 'America/New_York', '2026-11-01T04:30:00.000Z'],
])('%s local time in %s is %s', (local, zone, moment) => {
  expect(instantOf(local, zone).toISOString()).toBe(moment);
});

test('a relative call range ends now, and explicit times take precedence', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  expect(toCallFilter({ range: '1h' }, now).from?.toISOString()).toBe('2026-11-22T09:00:00.000Z');
  expect(toCallFilter({ range: '1h', from: '2026-11-01T00:00' }, now).from?.toISOString()).toBe(
    '2026-11-01T00:00:00.000Z',
  );
  expect(toCallFilter({}, now).from).toBeUndefined();
});
