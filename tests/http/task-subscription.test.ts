import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { publishLocally, startBus, stopBus, subscribe } from '@/lib/platform/bus';
import { closePool } from '@/lib/platform/db/sql';
import { msUntilNextFlush, subscribeToTask } from '@/lib/tasks/log/task-readers';
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
// The clock is stopped, so that a frame lasts as long as the test needs.
beforeEach(() => {
  taskId = randomUUID();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  for (const stop of leave) stop();
  leave = [];
  vi.useRealTimers();
});

/** This many readers of the task; how often each was notified. */
function read(count: number): number[] {
  const rung = Array.from({ length: count }, () => 0);
  leave = rung.map((_, reader) =>
    subscribeToTask(taskId, () => {
      rung[reader] = (rung[reader] ?? 0) + 1;
    }),
  );
  return rung;
}

function writeLocally(times: number): void {
  for (let time = 0; time < times; time++) publishLocally('task', taskId);
}

/** Another node writes to the task this many times; resolves when this one has received it. */
async function writeOnOtherNode(times: number): Promise<void> {
  const allReceived = new Promise<void>((resolve) => {
    leave.push(subscribe('test', taskId, () => resolve()));
  });
  // One payload for each: the database delivers equal ones of one transaction once.
  for (let time = 0; time < times; time++)
    await other.query(`SELECT pg_notify('parley', $1)`, [`other task ${taskId}`]);
  await other.query(`SELECT pg_notify('parley', $1)`, [`other test ${taskId}`]);
  await allReceived;
}

const every = (count: number, times: number): number[] => Array.from({ length: count }, () => times);

test('local writes notify readers immediately, however many there are', () => {
  const rung = read(6);
  writeLocally(3);
  expect(rung).toEqual(every(6, 3));
});

test('a small number of readers is notified immediately of every write on another node', async () => {
  const rung = read(5);
  await writeOnOtherNode(3);
  expect(rung).toEqual(every(5, 3));
});

test('many readers receive the first event from another node immediately, and later events in one batch', async () => {
  const rung = read(6);
  await writeOnOtherNode(1);
  expect(rung).toEqual(every(6, 1));
  await writeOnOtherNode(3);
  expect(rung).toEqual(every(6, 1));
  vi.advanceTimersByTime(20);
  expect(rung).toEqual(every(6, 2));
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 2));
  await writeOnOtherNode(1);
  expect(rung).toEqual(every(6, 3));
});

test('a disconnected reader is not notified, even if an event is pending', async () => {
  const rung = read(6);
  await writeOnOtherNode(2);
  for (const stop of leave) stop();
  vi.advanceTimersByTime(100);
  expect(rung).toEqual(every(6, 1));
});

test('a writer waits for the end of the frame only if many readers were just notified', () => {
  expect(msUntilNextFlush(taskId)).toBe(0);
  read(5);
  writeLocally(1);
  expect(msUntilNextFlush(taskId)).toBe(0);
  leave.push(subscribeToTask(taskId, () => undefined));
  expect(msUntilNextFlush(taskId)).toBeGreaterThan(0);
  expect(msUntilNextFlush(taskId)).toBeLessThanOrEqual(20);
  vi.advanceTimersByTime(20);
  expect(msUntilNextFlush(taskId)).toBe(0);
});
