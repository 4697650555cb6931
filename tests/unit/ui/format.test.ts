import { describe, expect, test } from 'vitest';
import { timeZoneOf } from '@/components/texts/time-zone';
import { formatOf } from '@/components/ui/display/format';
import { directionOf, localeOf, regionalLocale } from '@/lib/texts/languages';

/** Current ICU data separates with narrow no-break spaces, older data with spaces. */
const plain = (text: string): string => text.replaceAll(/[\u202f\u00a0]/g, ' ');
const english = formatOf('en', 'UTC');
const german = formatOf('de', 'Europe/Berlin');

describe('the number formatter', () => {
  test.each([
    [0.995, '99.5%'],
    [1, '100%'],
    [0.99999, '99.9%'],
    [0.00001, '0.1%'],
    [0, '0%'],
  ])('formats a share of %d as %s', (share, text) => {
    expect(english.percent(share)).toBe(text);
  });

  test.each([
    [309, '309 ms'],
    [309.4, '309 ms'],
    [2_840, '2.8 s'],
    [59_960, '1 min'],
    [65_000, '1 min 5 s'],
    [7_380_000, '2 hr 3 min'],
    [90_000_000, '1 day 1 hr'],
  ])('formats %d ms as %s', (ms, text) => {
    expect(english.duration(ms)).toBe(text);
  });

  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [812, '812 bytes'],
    [1_400, '1.4 kB'],
    [999_700, '1.0 MB'],
    [12_300_000, '12 MB'],
  ])('formats %d bytes as %s', (size, text) => {
    expect(english.bytes(size)).toBe(text);
  });

  test('uses the formats of other languages', () => {
    expect(german.number(1_234.5)).toBe('1.234,5');
    expect(plain(german.percent(0.5))).toBe('50 %');
    expect(plain(german.duration(2_800))).toBe('2,8 Sek.');
    expect(german.list(['a', 'b', 'c'])).toBe('a, b und c');
    expect(english.list(['a', 'b', 'c'], 'disjunction')).toBe('a, b, or c');
    expect(english.compact(12_345)).toBe('12.3K');
    expect(english.rating(4)).toBe('4.0');
  });
});

describe('the time formatter', () => {
  const at = '2026-11-20T15:04:05Z';

  test('uses the reader’s zone and names UTC', () => {
    expect(plain(english.date(at, 'moment'))).toBe('Nov 20, 2026, 3:04 PM UTC');
    expect(english.date(at)).toBe('Nov 20, 2026');
    expect(plain(formatOf('en-GB', 'Asia/Tokyo').date(at, 'time'))).toBe('00:04:05');
    expect(german.date(at, 'moment')).toBe('20.11.2026, 16:04');
  });

  test.each([
    ['2026-11-20T15:03:30Z', 'now'],
    ['2026-11-20T14:59:00Z', '5 minutes ago'],
    ['2026-11-20T13:00:00Z', '2 hours ago'],
    ['2026-11-19T12:00:00Z', 'yesterday'],
    ['2026-11-20T15:10:00Z', 'in 5 minutes'],
    ['2026-11-01T12:00:00Z', 'Nov 1, 2026'],
  ])('formats %s as %s', (then, text) => {
    expect(english.relative(then, Date.parse(at))).toBe(text);
  });
});

test('the page language comes from the cookie, then the browser, and is a pseudo-language only on request', () => {
  expect(localeOf('en-XB', 'en')).toBe('en-XB');
  expect(localeOf('xx', 'fr, en-GB')).toBe('en');
  expect(localeOf(undefined, 'fr, de-AT;q=0.9, en;q=0.8')).toBe('de');
  expect(localeOf('es', 'de')).toBe('es');
  expect(localeOf(undefined, 'en-XA, fr')).toBe('en');
  expect(localeOf(undefined, null)).toBe('en');
  expect(['en', 'en-GB', 'en-XA', 'en-XB'].map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'rtl']);
});

test('the reader’s region applies to a page in the reader’s language', () => {
  expect(regionalLocale('en', 'de-DE,de;q=0.9,en-GB;q=0.8')).toBe('en-GB');
  expect(regionalLocale('en', 'de-DE')).toBe('en');
  expect(regionalLocale('en', null)).toBe('en');
  expect(regionalLocale('en-XB', 'en-GB')).toBe('en-XB');
  expect(regionalLocale('de', 'de-AT, de;q=0.9')).toBe('de-AT');
});

test('a cookie with an unknown time zone is ignored', () => {
  expect(timeZoneOf('Europe%2FBerlin')).toBe('Europe/Berlin');
  for (const value of [undefined, '', 'Mars/Base', '%', 'x'.repeat(100)]) expect(timeZoneOf(value)).toBe('UTC');
});
