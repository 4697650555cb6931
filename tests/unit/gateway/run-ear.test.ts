import { expect, test } from 'vitest';
import { RunEar } from '@/lib/gateway/run-ear';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';

const status = (state: 'working' | 'completed'): TaskEvent => ({
  type: 'status',
  status: { state, timestamp: '2030-01-01T00:00:00.000Z' },
});

test('the first word is the first, also for who asks after it was said', async () => {
  const ear = new RunEar();
  const early = ear.firstWord();
  ear.hear(status('working'));
  ear.hear(status('completed'));
  expect([await early, await ear.firstWord()]).toEqual([status('working'), status('working')]);
});

test('a run that says nothing has no first word', async () => {
  const ear = new RunEar();
  const word = ear.firstWord();
  ear.end(null);
  expect(await word).toBeNull();
});

test('the whole story is there when the run is over, and null when it takes longer', async () => {
  const ear = new RunEar();
  expect(await ear.wholeStory(1)).toBeNull();
  const story = [{ seq: 3, event: status('completed') }];
  const waiting = ear.wholeStory(3_600_000);
  ear.end(story);
  expect(await waiting).toBe(story);
  expect(await ear.wholeStory(0)).toBe(story);
});
