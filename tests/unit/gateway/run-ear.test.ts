import { expect, test } from 'vitest';
import { RunHandle } from '@/lib/gateway/runs/run-handle';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';

const status = (state: 'working' | 'completed'): TaskEvent => ({
  type: 'status',
  status: { state, timestamp: '2030-01-01T00:00:00.000Z' },
});

test('the first word is the first, also for who asks after it was said', async () => {
  const ear = new RunHandle();
  const early = ear.firstEvent();
  ear.emit(status('working'));
  ear.emit(status('completed'));
  expect([await early, await ear.firstEvent()]).toEqual([status('working'), status('working')]);
});

test('a run that says nothing has no first word', async () => {
  const ear = new RunHandle();
  const word = ear.firstEvent();
  ear.complete(null);
  expect(await word).toBeNull();
});

test('the whole story is there when the run is over, and null when it takes longer', async () => {
  const ear = new RunHandle();
  expect(await ear.completion(1)).toBeNull();
  const story = [{ seq: 3, event: status('completed') }];
  const waiting = ear.completion(3_600_000);
  ear.complete(story);
  expect(await waiting).toBe(story);
  expect(await ear.completion(0)).toBe(story);
});
