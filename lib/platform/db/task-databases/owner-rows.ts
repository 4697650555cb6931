import type pg from 'pg';
import { Prisma } from '../../../generated/prisma/client';
import { errorFields, log } from '../../runtime/log';
import { connectionSettings } from '../database-connection';
import type { Db } from '../db';
import { PrimaryClient } from '../primary-client';
import { executeIn } from '../sql';
import { databaseOf } from './task-databases';

const ofOwnTasks = 'task_id IN (SELECT id FROM task WHERE principal = $1)';
const ofOwnChains = 'root_task_id IN (SELECT root_task_id FROM chain WHERE principal = $1)';
const ofOwnConversations = 'conversation_id IN (SELECT id FROM conversation WHERE user_id = $1)';

/**
 * The condition for the rows of principal `$1` in each table of owners except the cursors of jobs, in an order in which
 * the rows can be inserted.
 */
export const OWNER_ROWS = {
  task: 'principal = $1',
  task_event: ofOwnTasks,
  compacted_task: ofOwnTasks,
  task_http_exchange: ofOwnTasks,
  pending_cancel: ofOwnTasks,
  hub_run: ofOwnTasks,
  client_task_id: 'principal = $1',
  idempotency_key: 'principal = $1',
  context: 'principal = $1',
  push_config: 'principal = $1',
  push_dead_letter: 'principal = $1',
  chain: 'principal = $1',
  chain_task: ofOwnChains,
  chain_approval: ofOwnChains,
  conversation: 'user_id = $1',
  conversation_branch: ofOwnConversations,
  conversation_text: ofOwnConversations,
  conversation_index_cursor: ofOwnConversations,
  conversation_share: ofOwnConversations,
  answer_feedback: ofOwnConversations,
  web_push_seen: ofOwnConversations,
  openai_turn: 'user_id = $1',
  openai_lost_answer: 'user_id = $1',
  agent_task_day: 'principal = $1',
} as const;

const tables = Object.entries(OWNER_ROWS);

/** Inserts the rows that are moved, if there are any, in a transaction of the target. */
type CopyRows = (tx: Db) => Promise<void>;

/**
 * Runs `work` with a function that copies the rows of `principal` into the database of `other`. Deletes them in their
 * own database after `work`, which must have committed the copy. Rows that exist in the target remain there, so that
 * `work` can be repeated after a failure. A run in progress is superseded by the lock and resumed from the target.
 * Copies nothing if both have the same database. Only for principals with few rows. Must not be called in a transaction.
 */
export async function withMovedRows<T>(
  { principal, other }: { principal: string; other: string },
  work: (copyRows: CopyRows) => Promise<T>,
): Promise<T> {
  const [from, to] = await Promise.all([databaseOf(principal), databaseOf(other)]);
  if (from === to) return work(() => Promise.resolve());
  // Not of a pool, because `work` may need all of its connections.
  const client = new PrimaryClient(connectionSettings(from.cluster()));
  client.on('error', (error) => log.debug('database.connection_lost', errorFields(error)));
  await client.connect();
  try {
    // Each append updates its task, so that none follows.
    await client.query('BEGIN');
    const [tasks] = tables;
    if (tasks) await client.query(`SELECT FROM ${tasks[0]} WHERE ${tasks[1]} FOR UPDATE`, [principal]);
    const result = await work((tx) => copyRows(client, { tx, principal }));
    // Rows that refer to others first.
    for (const [table, condition] of tables.toReversed())
      await client.query(`DELETE FROM ${table} WHERE ${condition}`, [principal]);
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

async function copyRows(client: pg.Client, { tx, principal }: { tx: Db; principal: string }): Promise<void> {
  for (const [table, condition] of tables) {
    const text = `SELECT json_agg(t)::text AS rows FROM ${table} t WHERE ${condition}`;
    const [found] = (await client.query<{ rows: string | null }>(text, [principal])).rows;
    if (!found?.rows) continue;
    const name = Prisma.raw(table);
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, ${found.rows}::json)
        ON CONFLICT DO NOTHING`,
    );
  }
}
