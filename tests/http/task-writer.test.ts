import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { nodeId, subscribe } from '@/lib/platform/bus';
import { closePool, pool } from '@/lib/platform/db/sql';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import { registerRun, unregisterRun } from '@/lib/tasks/active/active-runs';
import { RunHandle } from '@/lib/tasks/active/run-handle';
import { tailTask } from '@/lib/tasks/log/tail-task';
import { subscribeToTask } from '@/lib/tasks/log/task-readers';
import { TaskWriter } from '@/lib/tasks/log/task-writer';
import { createTask } from '@/lib/tasks/store/create-task';
import { findTask } from '@/lib/tasks/store/find-tasks';
import { readEvents } from '@/lib/tasks/store/task-events';
import { fileDatabase } from '../support/database';

const at = new Date('2030-01-01T00:00:00Z');
const timestamp = at.toISOString();
const owner = { principal: 'usr_1', agentId: 'agt_1', delegation: null };
const completed: TaskEvent = { type: 'status', status: { state: 'completed', timestamp } };

beforeAll(async () => {
  await fileDatabase();
});
afterAll(closePool);
// The clock is stopped, so that no pause ends.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A run of a new task with this many readers, and the number of its commits so far. */
async function startTask(readers: number): Promise<{
  id: string;
  writer: TaskWriter;
  commits: () => number;
  stored: () => Promise<number>;
  leave: () => void;
}> {
  const ids = { id: randomUUID(), contextId: randomUUID(), opensContext: true };
  const message = {
    messageId: randomUUID(),
    role: 'user' as const,
    parts: [],
    taskId: ids.id,
    contextId: ids.contextId,
  };
  const submitted: TaskEvent = { type: 'status', status: { state: 'submitted', timestamp } };
  const whose = { ...owner, credentialId: 'ses_1', clientId: 'parley-web', runNode: nodeId() };
  const send = { idempotencyKey: null, idClaim: null, at };
  await createTask({ ...ids, ...whose, ...send, events: [{ type: 'message', message }, submitted] });
  const record = await findTask(owner, ids.id);
  if (!record) throw new Error('the task was not written');
  const run = new RunHandle(record.id, record.lastSeq);
  registerRun(run);
  let commits = 0;
  const stop = subscribe('task', record.id, () => {
    commits += 1;
  });
  const unsubscribes = Array.from({ length: readers }, () => subscribeToTask(record.id, () => undefined));
  const stored = async (): Promise<number> => (await readEvents(record, 2)).length;
  const leave = (): void => {
    for (const go of [stop, ...unsubscribes]) go();
    unregisterRun(run);
  };
  return { id: record.id, writer: new TaskWriter(record, run), commits: () => commits, stored, leave };
}

function piece(number: number): TaskEvent[] {
  const artifact = { artifactId: 'a', parts: [{ kind: 'text' as const, text: String(number) }] };
  return [{ type: 'artifact', artifact, append: number > 1, lastChunk: false }];
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

test('events for many readers are written in one commit, immediately at the end of the turn', async () => {
  const { writer, commits, stored, leave } = await startTask(6);
  await writer.write(piece(1), undefined);
  await waitUntil(() => commits() === 1);
  for (const number of [2, 3, 4]) {
    await writer.write(piece(number), undefined);
    for (let turn = 0; turn < 5; turn++) await stored();
  }
  expect([commits(), await stored()]).toEqual([1, 1]);
  await writer.write([completed], undefined);
  await waitUntil(() => commits() === 2);
  expect(await stored()).toBe(5);
  leave();
});

test('a delayed batch is written at the end of the frame, or at the end of the run', async () => {
  const { writer, commits, stored, leave } = await startTask(6);
  await writer.write(piece(1), undefined);
  await waitUntil(() => commits() === 1);
  await writer.write(piece(2), undefined);
  vi.advanceTimersByTime(20);
  await waitUntil(() => commits() === 2);
  await writer.write(piece(3), undefined);
  await writer.drained();
  expect([commits(), await stored()]).toEqual([3, 3]);
  leave();
});

test('events for a small number of readers are written immediately', async () => {
  const { writer, commits, stored, leave } = await startTask(5);
  for (const number of [1, 2, 3]) {
    await writer.write(piece(number), undefined);
    await waitUntil(() => commits() === number);
  }
  expect(await stored()).toBe(3);
  leave();
});

test('a reader receives no event before it is stored', async () => {
  const { id, writer, stored, leave } = await startTask(0);
  // Its lock delays the commit.
  const other = await pool().connect();
  onTestFinished(() => other.release(true));
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM task WHERE id = $1 FOR UPDATE', [id]);
  await writer.write([...piece(1), completed], undefined);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  while ((await other.query(waiting)).rowCount === 0);
  const received: number[] = [];
  const reading = (async () => {
    for await (const batch of tailTask({ ...owner, id }, 2, { signal: new AbortController().signal })) {
      received.push(...batch.map(({ seq }) => seq));
    }
  })();
  for (let turn = 0; turn < 5; turn++) await stored();
  expect(received).toEqual([]);
  await other.query('COMMIT');
  await reading;
  expect([received, await stored()]).toEqual([[3, 4], 2]);
  leave();
});
