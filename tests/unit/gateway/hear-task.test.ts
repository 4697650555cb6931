import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hearTask } from '@/lib/gateway/hear-task';
import { addLive, closeLive, openLive } from '@/lib/gateway/live-tasks';
import { publishHere } from '@/lib/platform/bus';

const taskId = '5f0c9f4e-7d0e-4b5e-9c3b-1d2f3a4b5c6d';
const timestamp = '2030-01-01T00:00:00.000Z';
let leave: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  for (const stop of leave) stop();
  leave = [];
  vi.useRealTimers();
});

/** So many readers of the task; how often each was rung. */
function read(count: number): number[] {
  const rung = Array.from({ length: count }, () => 0);
  leave = rung.map((_, reader) =>
    hearTask(taskId, () => {
      rung[reader] = (rung[reader] ?? 0) + 1;
    }),
  );
  return rung;
}

function say(times = 1): void {
  for (let time = 0; time < times; time++) publishHere('task', taskId);
}

const every = (count: number, times: number): number[] => Array.from({ length: count }, () => times);

test('a few readers are told of everything at once', () => {
  const rung = read(5);
  say(3);
  expect(rung).toEqual(every(5, 3));
});

test('many readers are told the first at once, and what comes within a frame together', () => {
  const rung = read(6);
  say();
  expect(rung).toEqual(every(6, 1));
  say(3);
  expect(rung).toEqual(every(6, 1));
  vi.advanceTimersByTime(16);
  expect(rung).toEqual(every(6, 2));
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 2));
  say();
  expect(rung).toEqual(every(6, 3));
});

test('the end of a turn is told at once, and with it what was waiting', () => {
  const rung = read(6);
  const live = openLive(taskId, 0);
  say(2);
  expect(rung).toEqual(every(6, 1));
  addLive(live, [{ seq: 1, event: { type: 'status', status: { state: 'completed', timestamp } } }]);
  say();
  expect(rung).toEqual(every(6, 2));
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 2));
  closeLive(taskId, live);
});

test('who has left is not rung, also when something was waiting for them', () => {
  const rung = read(6);
  say(2);
  for (const stop of leave) stop();
  say();
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 1));
});
