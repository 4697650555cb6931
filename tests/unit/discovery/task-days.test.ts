import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeRankings, eraseTaskDays } from '@/lib/discovery';
import { selectScoreInputs } from '@/lib/discovery/store/ranking-rows';
import { inTransaction } from '@/lib/platform/db/tx';
import { DAY_MS, HOUR_MS } from '@/lib/platform/time';
import { compactFinishedTasks } from '@/lib/tasks';
import { useTestDatabase } from '../../support/database';
import { seedAgents } from '../../support/seed-agents';
import { query } from '../../support/sql';

useTestDatabase();

const now = new Date('2030-03-31T15:20:00Z');
const principals = ['usr_owner', 'usr_a', 'usr_b', 'app_of_a', 'app_of_owner'];
const endings = ['completed', 'failed', 'rejected', 'canceled', 'input-required', 'working'];

/** Tasks with their creation and end, and compactions between them, in a random order of time. */
const history = fc.array(
  fc.record({
    agent: fc.nat(1),
    principal: fc.constantFrom(...principals),
    state: fc.constantFrom(...endings),
    createdAgoMs: fc.integer({ min: 0, max: 33 * DAY_MS }),
    lastsMs: fc.integer({ min: 0, max: 2 * DAY_MS }),
    compactsAfter: fc.boolean(),
  }),
  { maxLength: 25 },
);

/** The counts from all tasks in the window of whole days. */
const recountSql = `SELECT a.id, count(DISTINCT who)::int AS users, count(who)::int AS calls,
    (count(who) FILTER (WHERE state = 'completed'))::int AS completed,
    (count(who) FILTER (WHERE state IN ('failed', 'rejected')))::int AS failed
  FROM agent a LEFT JOIN (
    SELECT t.agent_id, t.state, coalesce(app.owner_id, t.principal) AS who FROM task t LEFT JOIN app ON app.id = t.principal
    WHERE t.run_node IS NULL AND (t.created_at AT TIME ZONE 'UTC')::date > ($1::timestamptz AT TIME ZONE 'UTC')::date
  ) called ON called.agent_id = a.id AND called.who <> a.owner_id
  GROUP BY a.id ORDER BY a.id`;

async function storeTask(agentId: string, task: { principal: string; state: string }, at: [Date, Date]): Promise<void> {
  const id = randomUUID();
  await query(
    'test-task',
    `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, created_at)
     VALUES ($1, $2, $3, 'context', $4, $6, 2, CASE WHEN $4 = 'working' THEN 'node' END, 'ses_1', 'parley', $5)`,
    [id, task.principal, agentId, task.state, ...at],
  );
  await query('test-event', `INSERT INTO task_event VALUES ($1, 2, '[{}]', $2, $3)`, [id, at[1], task.principal]);
}

test('task counts updated by compaction equal a recount of all tasks, whatever the history', async () => {
  const agents = ['First', 'Second'].map((name) => ({ name, description: 'It answers.', ownerId: 'usr_owner' }));
  await seedAgents(agents);
  await query(
    'test-apps',
    `INSERT INTO app (id, owner_id, name, client_id) VALUES ('app_of_a', 'usr_a', 'A', 'a'), ('app_of_owner', 'usr_owner', 'O', 'o')`,
  );
  const ids = (await query<{ id: string }>('test-agents', 'SELECT id FROM agent ORDER BY id')).map(({ id }) => id);
  await fc.assert(
    fc.asyncProperty(history, async (tasks) => {
      await query('test-clear-tasks', 'DELETE FROM task');
      await query('test-clear-days', 'DELETE FROM agent_task_day');
      for (const { agent, createdAgoMs, lastsMs, compactsAfter, ...task } of tasks) {
        const createdAt = new Date(now.getTime() - createdAgoMs);
        const endedAt = new Date(Math.min(createdAt.getTime() + lastsMs, now.getTime()));
        await storeTask(ids[agent] ?? '', task, [createdAt, endedAt]);
        // Two nodes at once: each task is counted by one of them.
        if (compactsAfter) await Promise.all([compactFinishedTasks(now), compactFinishedTasks(now)]);
      }
      const inputs = await selectScoreInputs(ids, now);
      const expected = await query<{ id: string }>('test-recount', recountSql, [new Date(now.getTime() - 30 * DAY_MS)]);
      for (const { id, ...counts } of expected) {
        expect(inputs.find(({ agentId }) => agentId === id)).toMatchObject(counts);
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('task counts exclude deleted accounts and days outside the window', async () => {
  await query('test-clear', 'DELETE FROM agent_task_day');
  await query(
    'test-days',
    `INSERT INTO agent_task_day SELECT 'agt', d::date, p, 1, 1, 0
     FROM unnest(ARRAY['usr_a', 'usr_b']) p, unnest(ARRAY['2030-03-01', '2030-03-02']) d`,
  );
  await inTransaction((tx) => eraseTaskDays(tx, ['usr_a', 'app_of_a']));
  await computeRankings(new Date(Date.UTC(2030, 2, 31, 23) + 2 * HOUR_MS));
  const left = await query('test-left', 'SELECT principal, day::text AS day FROM agent_task_day ORDER BY 1, 2');
  expect(left).toEqual([{ principal: 'usr_b', day: '2030-03-02' }]);
});
