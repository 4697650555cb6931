import { expect, test } from 'vitest';
import { changeWaitOf } from '@/lib/http/request-headers';

function waitOf(headers: Record<string, string>): number {
  return changeWaitOf(new Request('http://parley.example/', { headers })).waitMs;
}

test.each([
  ['wait=5', 5_000],
  ['wait=0', 0],
  ['wait=-1', 30_000],
  ['wait=NaN', 30_000],
  ['wait=Infinity', 30_000],
  ['wait=1e3', 30_000],
  ['wait=9999999999', 30_000],
  ['', 30_000],
])('LIM-2 a read with the preference "%s" may wait %i ms', (prefer, expected) => {
  expect(waitOf({ prefer })).toBe(expected);
});

test.each([
  ['2S', 1_600],
  ['500m', 400],
  ['1H', 30_000],
  ['-1S', 30_000],
  ['soon', 30_000],
])('a read over gRPC with the timeout %s may wait %i ms', (timeout, expected) => {
  expect(waitOf({ 'grpc-timeout': timeout })).toBe(expected);
});

test('the shorter of preference and deadline applies', () => {
  expect(waitOf({ 'grpc-timeout': '10S', prefer: 'wait=1' })).toBe(1_000);
});
