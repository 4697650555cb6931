import { expect, test } from 'vitest';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import { RunHandle } from '@/lib/tasks/active/run-handle';
import { RUN_MAX_BUFFERED_EVENTS } from '@/lib/tasks/limits';

const status = (state: 'working' | 'completed'): TaskEvent => ({
  type: 'status',
  status: { state, timestamp: '2030-01-01T00:00:00.000Z' },
});
const working = { seq: 3, event: status('working') };
const completed = { seq: 4, event: status('completed') };

test('a run’s late readers receive the first event too', async () => {
  const run = new RunHandle('task', 2);
  const early = run.firstEvent();
  run.emit(status('working'));
  run.emit(status('completed'));
  expect([await early, await run.firstEvent()]).toEqual([status('working'), status('working')]);
});

test('a run without events has no first event', async () => {
  const run = new RunHandle('task', 2);
  const first = run.firstEvent();
  run.complete();
  expect(await first).toBeNull();
});

test('a run’s completion returns all events if the turn ends in time, and null otherwise', async () => {
  const run = new RunHandle('task', 2);
  expect(await run.completion(1)).toBeNull();
  const waiting = run.completion(3_600_000);
  run.append([working]);
  run.append([completed]);
  run.complete();
  expect(await waiting).toEqual([working, completed]);
  expect(await run.completion(0)).toEqual([working, completed]);
});

test('a run that stopped before its turn ended has no history', async () => {
  const run = new RunHandle('task', 2);
  run.append([working]);
  run.complete();
  expect(await run.completion(0)).toBeNull();
});

test('a run with more events than are buffered has no history, and returns only the latest events', async () => {
  const run = new RunHandle('task', 2);
  const events = Array.from({ length: RUN_MAX_BUFFERED_EVENTS }, (_, at) => ({
    seq: at + 3,
    event: status('working'),
  }));
  const end = { seq: events.length + 3, event: status('completed') };
  run.append(events);
  expect(run.eventsAfter(2)).toHaveLength(RUN_MAX_BUFFERED_EVENTS);
  run.append([end]);
  run.complete();
  expect([await run.completion(0), run.eventsAfter(2)]).toEqual([null, null]);
  expect(run.eventsAfter(end.seq - 1)).toEqual([end]);
  expect(run.eventsAfter(end.seq)).toEqual([]);
});

test('a run’s end listener is notified once, even if it is added after the end', () => {
  const run = new RunHandle('task', 2);
  let ends = 0;
  run.onEnd(() => {
    ends += 1;
  });
  run.complete();
  run.release();
  expect(ends).toBe(1);
  run.onEnd(() => {
    ends += 1;
  });
  expect(ends).toBe(2);
});

test('a released run holds no events, and pending readers receive theirs', async () => {
  const run = new RunHandle('task', 2);
  const waiting = run.completion(3_600_000);
  run.append([working, completed]);
  run.complete();
  run.release();
  expect(await waiting).toEqual([working, completed]);
  expect([await run.firstEvent(), await run.completion(0)]).toEqual([null, null]);
});
