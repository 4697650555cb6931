import { expect, test } from 'vitest';
import { parseRetryAfter } from '@/lib/tasks/agent-client/agent-error';

const date = 'Sun, 06 Nov 1994 08:49:37 GMT';

test.each([
  ['17', 17],
  [' 17 ', 17],
  ['0', 1],
  ['86401', 86_400],
  ['9'.repeat(400), 86_400],
  // The formats of RFC 9110 §5.6.7, each 60 s after the response.
  ['Sun, 06 Nov 1994 08:50:37 GMT', 60],
  ['Sunday, 06-Nov-94 08:50:37 GMT', 60],
  ['Sun Nov  6 08:50:37 1994', 60],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 1],
  ['Sat, 05 Nov 1994 08:49:37 GMT', 1],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
])('a Retry-After of %j is read as %i s', (value, seconds) => {
  expect(parseRetryAfter({ 'retry-after': value, date })).toBe(seconds);
});

test.each(['', '-5', '1.5', 'soon', '1e3', '2026-11-29T00:00:00Z', 'Sun, 99 Nov 1994 08:49:37 GMT', 'Sunday'])(
  'a Retry-After of %j is ignored',
  (value) => {
    expect(parseRetryAfter({ 'retry-after': value, date })).toBeUndefined();
  },
);

test('a Retry-After date is relative to the current time if the response has no date', () => {
  const at = new Date(Date.now() + 30_000).toUTCString();
  for (const more of [{}, { date: 'yesterday' }] as Record<string, string>[]) {
    const seconds = parseRetryAfter({ 'retry-after': at, ...more }) ?? 0;
    expect(seconds > 20 && seconds <= 30).toBe(true);
  }
});
