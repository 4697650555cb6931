import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePool } from '@/lib/platform/db/sql';
import { DAY_MS } from '@/lib/platform/time';
import { deleteOutdated } from '@/lib/tasks';
import { deleteOldTasks } from '@/lib/tasks/store/erase-tasks';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

beforeAll(async () => {
  await fileDatabase();
  process.env.RETENTION_DAYS = 'tasks=30,sends=10,webhooks=20,http=5';
});
afterAll(closePool);

const now = new Date('2030-06-01T12:00:00Z');
const daysAgo = (days: number, ms = 0): Date => new Date(now.getTime() - days * DAY_MS + ms);

interface TaskDraft {
  state?: string;
  endedAt: Date;
  isCompacted?: boolean;
  runNode?: string | null;
  principal?: string;
  contextId?: string;
}

/** Stores a task with an event, an HTTP exchange and a push configuration. */
async function storeTask(draft: TaskDraft): Promise<string> {
  const id = randomUUID();
  const { state = 'completed', endedAt, isCompacted = true, runNode = null, principal = 'usr_1' } = draft;
  await query(
    'test-task',
    `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, created_at, compacted)
     VALUES ($1, $2, 'agt_1', $3, $4, $5, 2, $6, 'ses_1', 'browser', $5, $7)`,
    [id, principal, draft.contextId ?? id, state, endedAt, runNode, isCompacted],
  );
  if (isCompacted)
    await query('test-compacted', `INSERT INTO compacted_task VALUES ($1, '[["text"]]', $2)`, [id, principal]);
  else
    await query('test-event', `INSERT INTO task_event VALUES ($1, 2, '[{"text": 1}]', $2, $3)`, [
      id,
      endedAt,
      principal,
    ]);
  await query('test-exchange', `INSERT INTO task_http_exchange VALUES ($1, $2, $3, '{}', $4)`, [
    id,
    id,
    now,
    principal,
  ]);
  await query(
    'test-push',
    `INSERT INTO push_config (task_id, id, principal, agent_id, dialect, url, secrets, sent_seq, due_at, created_at)
     VALUES ($1, 'a', $2, 'agt_1', '1.0', 'https://a.example', '', 0, $3, $3)`,
    [id, principal, endedAt],
  );
  return id;
}

async function existing(ids: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>('test-existing', 'SELECT id FROM task WHERE id = ANY($1::uuid[])', [ids]);
  return ids.filter((id) => rows.some((row) => row.id === id));
}

/** Rows in any table that mention a task. */
async function tracesOf(id: string): Promise<number> {
  const rows = await query<{ count: number }>(
    'test-traces',
    `SELECT (SELECT count(*) FROM task WHERE id = $1) + (SELECT count(*) FROM task_event WHERE task_id = $1)
       + (SELECT count(*) FROM compacted_task WHERE task_id = $1) + (SELECT count(*) FROM push_config WHERE task_id = $1)
       + (SELECT count(*) FROM task_http_exchange WHERE task_id = $1) AS count`,
    [id],
  );
  return rows[0]?.count ?? 0;
}

test('a finished task is deleted with its related rows once it exceeds its limit, and not before', async () => {
  const old = await storeTask({ endedAt: daysAgo(30, -1) });
  const young = await storeTask({ endedAt: daysAgo(30) });
  await deleteOutdated(now);
  expect(await existing([old, young])).toEqual([young]);
  expect([await tracesOf(old), await tracesOf(young)]).toEqual([0, 4]);
});

test('running, interrupted, paid and conversation tasks are kept at any age', async () => {
  await startOver();
  const endedAt = daysAgo(900);
  const running = await storeTask({ endedAt, state: 'working', runNode: 'node', isCompacted: false });
  const waiting = await storeTask({ endedAt, state: 'input-required', isCompacted: false });
  const paid = await storeTask({ endedAt });
  await query(
    'test-order',
    `INSERT INTO payment_order (id, user_id, agent_id, task_id, context_id, source_kind, source_id, source_part, cart_text, cart_hash, state, created_at, updated_at)
     VALUES ('ord_1', 'usr_1', 'agt_1', $1, $1, 'message', 'm', 0, '{}', 'h', 'captured', $2, $2)`,
    [paid, endedAt],
  );
  const spoken = await storeTask({ endedAt });
  const branched = await storeTask({ endedAt });
  await query(
    'test-conversation',
    `INSERT INTO conversation (id, user_id, agent_id, context_id, title) VALUES ('cnv_1', 'usr_1', 'agt_1', $1, 'A')`,
    [spoken],
  );
  await query(
    'test-branch',
    `INSERT INTO conversation_branch VALUES ('cnv_1', $1, $2::uuid::text, $2::uuid, $3, 'usr_1')`,
    [branched, spoken, endedAt],
  );
  const hired = await storeTask({ endedAt });
  await storeDelegation(spoken, hired);
  const plain = await storeTask({ endedAt });
  await deleteOutdated(now);
  const kept = [running, waiting, paid, spoken, branched, hired];
  expect(await existing([...kept, plain])).toEqual(kept);
});

test('tasks that agents created are deleted together with their parent task', async () => {
  await startOver();
  const hired = await storeTask({ endedAt: daysAgo(41) });
  const root = await storeTask({ endedAt: daysAgo(40) });
  await storeDelegation(root, hired);
  await deleteOutdated(daysAgo(5));
  expect(await existing([hired, root])).toEqual([]);
  const left = await query('test-chain-tasks', 'SELECT 1 FROM chain_task WHERE root_task_id = $1', [root]);
  expect(left).toEqual([]);
});

test('a task that is compacted late is still deleted', async () => {
  await startOver();
  const late = await storeTask({ endedAt: daysAgo(50), isCompacted: false });
  const next = await storeTask({ endedAt: daysAgo(49) });
  await deleteOutdated(now);
  expect(await existing([late, next])).toEqual([late, next]);
  await query('test-compact', 'UPDATE task SET compacted = true WHERE id = $1', [late]);
  await deleteOutdated(now);
  expect(await existing([late, next])).toEqual([]);
});

test('two concurrent nodes and an interrupted job delete each task exactly once', async () => {
  await startOver();
  const ids: string[] = [];
  for (let at = 0; at < 40; at++) ids.push(await storeTask({ endedAt: daysAgo(60, Math.floor(at / 3)) }));
  // The interrupted job did two pages; a page ends with all tasks of its last moment.
  expect(await deleteOldTasks(daysAgo(30), 4)).toBe(4);
  expect(await existing(ids)).toHaveLength(34);
  await deleteOldTasks(daysAgo(30), 4);
  await Promise.all([deleteOutdated(now), deleteOutdated(now), deleteOutdated(now)]);
  expect(await existing(ids)).toEqual([]);
});

test('idempotency keys, dead letters and HTTP exchanges are deleted at their own limits', async () => {
  for (const [key, at] of [
    ['old', daysAgo(10, -1)],
    ['young', daysAgo(10)],
  ] as const) {
    await query(
      'test-key',
      `INSERT INTO idempotency_key VALUES ('usr_1', 'agt_1', $1, 'hash', gen_random_uuid(), $2)`,
      [key, at],
    );
  }
  for (const [id, at] of [
    ['old', daysAgo(20, -1)],
    ['young', daysAgo(20)],
  ] as const) {
    await query(
      'test-letter',
      `INSERT INTO push_dead_letter (id, principal, agent_id, task_id, config_id, seq, url, reason, attempts, at)
       VALUES ($1, 'usr_9', 'agt_1', gen_random_uuid(), 'a', 1, 'https://a.example', 'r', 1, $2)`,
      [id, at],
    );
  }
  for (const [id, at] of [
    ['old', new Date('2030-05-26T23:59:59.999Z')],
    ['young', new Date('2030-05-27T00:00:00Z')],
  ] as const) {
    await query('test-http', `INSERT INTO task_http_exchange VALUES ($1, gen_random_uuid(), $2, '{}', 'usr_9')`, [
      id,
      at,
    ]);
  }
  await deleteOutdated(now);
  const rows = await query<{ id: string }>(
    'test-left',
    `SELECT 'key ' || key AS id FROM idempotency_key UNION ALL SELECT 'letter ' || id FROM push_dead_letter
     UNION ALL SELECT 'http ' || id FROM task_http_exchange WHERE id IN ('old', 'young') ORDER BY 1`,
  );
  expect(rows.map(({ id }) => id)).toEqual(['http young', 'key young', 'letter young']);
});

/** A database whose tasks were never examined, and without those of other tests. */
async function startOver(): Promise<void> {
  await query('test-no-tasks', 'DELETE FROM task');
  await query('test-cursor', "UPDATE retention_cursor SET at = '-infinity'");
}

async function storeDelegation(root: string, task: string): Promise<void> {
  await query(
    'test-delegation',
    `INSERT INTO chain_task (principal, task_id, root_task_id, parent_task_id, from_agent_id, agent_id, depth, request_text, created_at)
     VALUES ('usr_1', $1, $2, $2, 'agt_1', 'agt_2', 1, 'text', $3)`,
    [task, root, now],
  );
}
