import { expect, test } from 'vitest';
import { RunHandle } from '@/lib/gateway/runs/turn';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';

const status = (state: 'working' | 'completed'): TaskEvent => ({
  type: 'status',
  status: { state, timestamp: '2030-01-01T00:00:00.000Z' },
});

test('the first event is returned to late readers too', async () => {
  const handle = new RunHandle();
  const early = handle.firstEvent();
  handle.emit(status('working'));
  handle.emit(status('completed'));
  expect([await early, await handle.firstEvent()]).toEqual([status('working'), status('working')]);
});

test('a run without events has no first event', async () => {
  const handle = new RunHandle();
  const first = handle.firstEvent();
  handle.complete(null);
  expect(await first).toBeNull();
});

test('the whole history is returned when the run ends, and null when it takes longer', async () => {
  const handle = new RunHandle();
  expect(await handle.completion(1)).toBeNull();
  const events = [{ seq: 3, event: status('completed') }];
  const waiting = handle.completion(3_600_000);
  handle.complete(events);
  expect(await waiting).toBe(events);
  expect(await handle.completion(0)).toBe(events);
});
