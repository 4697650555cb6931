import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toVisibleError } from '@/lib/http/errors/render-error';
import { OUTAGE_END_MS } from '@/lib/http/limits';
import { setLogSink } from '@/lib/platform/runtime/log';

vi.stubEnv('LOG_LEVEL', 'warn');

const lines: { event: string; fields: Record<string, unknown> }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  lines.length = 0;
  setLogSink(({ event, fields }) => lines.push({ event, fields }));
});

afterEach(() => {
  vi.useRealTimers();
  setLogSink(null);
});

function refused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
}

test('100 requests that fail during a database outage are logged in two lines without a stack trace', () => {
  for (let count = 0; count < 100; count++) {
    expect(toVisibleError(refused(), `req-${count}`)).toMatchObject({ code: 'unavailable', retryAfter: 2 });
    vi.advanceTimersByTime(OUTAGE_END_MS / 10);
  }
  expect(lines.map(({ event }) => event)).toEqual(['database.unavailable']);
  vi.advanceTimersByTime(OUTAGE_END_MS);
  expect(lines.map(({ event }) => event)).toEqual(['database.unavailable', 'database.failures_ended']);
  expect(lines[1]?.fields).toMatchObject({ requests: 100 });
  expect(JSON.stringify(lines)).not.toMatch(/ at .*:\d+/);
  expect(lines.some(({ fields }) => 'stack' in fields)).toBe(false);
});

test('the next database outage is logged again, and other errors keep their stack traces', () => {
  toVisibleError(refused(), 'req-1');
  vi.advanceTimersByTime(OUTAGE_END_MS);
  toVisibleError(refused(), 'req-2');
  toVisibleError(new TypeError('a defect'), 'req-3');
  expect(lines.map(({ event }) => event)).toEqual([
    'database.unavailable',
    'database.failures_ended',
    'database.unavailable',
    'request.failed',
  ]);
  expect(lines[3]?.fields.stack).toContain('database-outage.test');
});
