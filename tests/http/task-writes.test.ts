import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeId } from '@/lib/platform/bus';
import { closePipeline, executePipelined } from '@/lib/platform/db/pipelined-statements';
import { closePool } from '@/lib/platform/db/sql';
import { mainTaskDatabase } from '@/lib/platform/db/task-databases/task-databases';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import { appendEvents } from '@/lib/tasks/store/append-events';
import { createTask } from '@/lib/tasks/store/create-task';
import { claimOrphanedRuns } from '@/lib/tasks/store/run-owners';
import { readEvents } from '@/lib/tasks/store/task-events';
import { fileDatabase } from '../support/database';

beforeAll(async () => {
  await fileDatabase();
});
afterAll(async () => {
  await closePipeline();
  await closePool();
});

const at = new Date('2030-01-01T00:00:00Z');
const timestamp = at.toISOString();

const completed: TaskEvent = { type: 'status', status: { state: 'completed', timestamp } };

/** Creates this many tasks in one commit and ends them in another. */
async function work(many: number): Promise<void> {
  const ids = Array.from({ length: many }, () => randomUUID());
  await Promise.all(ids.map((id) => startTask(id)));
  // Another task under the same key is the same send.
  expect(await Promise.all(ids.map((key) => startTask(randomUUID(), key)))).toEqual(ids.map(() => null));
  const append = { principal: 'usr_1', after: 2, events: [completed], runNode: null, expectedOwner: nodeId(), at };
  const done = await Promise.all(ids.map((taskId) => appendEvents({ taskId, ...append })));
  expect(done).toEqual(ids.map(() => true));
}

function startTask(id: string, key = id, runNode = nodeId()): ReturnType<typeof createTask> {
  const contextId = randomUUID();
  const message = { messageId: randomUUID(), role: 'user' as const, parts: [], taskId: id, contextId };
  return createTask({
    ...{
      id,
      contextId,
      principal: 'usr_1',
      agentId: 'agt_1',
      credentialId: 'ses_1',
      clientId: 'parley-web',
      delegation: null,
    },
    ...{ opensContext: true, runNode, idempotencyKey: { key, bodyHash: 'x' }, idClaim: null, at },
    events: [
      { type: 'message', message },
      { type: 'status', status: { state: 'submitted', timestamp } },
    ],
  });
}

/** Sequential scans of the task table, by the database's own count. */
async function sequentialScans(): Promise<number> {
  await executePipelined(mainTaskDatabase, [
    { name: 'tell-counts', text: 'SELECT pg_stat_force_next_flush()', values: [] },
  ]);
  const text = `SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'task'`;
  const [[row] = []] = await executePipelined(mainTaskDatabase, [{ name: 'count-whole-reads', text, values: [] }]);
  return Number(row?.[0]);
}

test('a write finds its tasks by key, even if it was planned while there were no tasks', async () => {
  const before = await sequentialScans();
  for (const many of [1, 8]) for (let round = 0; round < 20; round++) await work(many);
  expect(await sequentialScans()).toBe(before);
});

test('a node whose run was claimed by another node appends no events', async () => {
  const taskId = randomUUID();
  await startTask(taskId, taskId, 'dead');
  expect((await claimOrphanedRuns(10)).map(({ id }) => id)).toEqual([taskId]);
  const append = { principal: 'usr_1', taskId, after: 2, events: [completed], runNode: null, at };
  expect(await appendEvents({ ...append, expectedOwner: 'dead' })).toBe(false);
  expect(await readEvents({ principal: 'usr_1', id: taskId }, 2)).toEqual([]);
  expect(await appendEvents({ ...append, expectedOwner: nodeId() })).toBe(true);
});
