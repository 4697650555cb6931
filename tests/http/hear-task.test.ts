import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { msUntilNextFlush, subscribeToTask } from '@/lib/gateway/streams/task-subscription';
import { publishLocally, startBus, stopBus, subscribe } from '@/lib/platform/bus';
import { closePool } from '@/lib/platform/sql';
import { fileDatabase } from '../support/database';

let other: pg.Client;
let taskId = '';
let leave: (() => void)[] = [];

beforeAll(async () => {
  const { url } = await fileDatabase();
  await startBus();
  other = new pg.Client({ connectionString: url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await stopBus();
  await closePool();
});
// The clock stands still, so that a frame lasts as long as the test wants.
beforeEach(() => {
  taskId = randomUUID();
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
    subscribeToTask(taskId, () => {
      rung[reader] = (rung[reader] ?? 0) + 1;
    }),
  );
  return rung;
}

function fromHere(times: number): void {
  for (let time = 0; time < times; time++) publishLocally('task', taskId);
}

/** Another node writes to the task so many times; resolves when this one has heard of it. */
async function fromElsewhere(times: number): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    leave.push(subscribe('test', taskId, () => resolve()));
  });
  // One notice for each: the database hands equal ones of one transaction over once.
  for (let time = 0; time < times; time++)
    await other.query(`SELECT pg_notify('parley', $1)`, [`other task ${taskId}`]);
  await other.query(`SELECT pg_notify('parley', $1)`, [`other test ${taskId}`]);
  await heard;
}

const every = (count: number, times: number): number[] => Array.from({ length: count }, () => times);

test('what is written here is told at once, to a few readers and to many', () => {
  const rung = read(6);
  fromHere(3);
  expect(rung).toEqual(every(6, 3));
});

test('a few readers are told at once of everything that another node writes', async () => {
  const rung = read(5);
  await fromElsewhere(3);
  expect(rung).toEqual(every(5, 3));
});

test('many readers are told the first from another node at once, and together what comes within a frame', async () => {
  const rung = read(6);
  await fromElsewhere(1);
  expect(rung).toEqual(every(6, 1));
  await fromElsewhere(3);
  expect(rung).toEqual(every(6, 1));
  vi.advanceTimersByTime(20);
  expect(rung).toEqual(every(6, 2));
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 2));
  await fromElsewhere(1);
  expect(rung).toEqual(every(6, 3));
});

test('who has left is not rung, also when something was waiting for them', async () => {
  const rung = read(6);
  await fromElsewhere(2);
  for (const stop of leave) stop();
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 1));
});

test('whoever writes waits for the end of the frame only while many have just been told', () => {
  expect(msUntilNextFlush(taskId)).toBe(0);
  read(5);
  fromHere(1);
  expect(msUntilNextFlush(taskId)).toBe(0);
  leave.push(subscribeToTask(taskId, () => undefined));
  expect(msUntilNextFlush(taskId)).toBeGreaterThan(0);
  expect(msUntilNextFlush(taskId)).toBeLessThanOrEqual(20);
  vi.advanceTimersByTime(20);
  expect(msUntilNextFlush(taskId)).toBe(0);
});
