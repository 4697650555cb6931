import type pg from 'pg';
import { Prisma } from '../../../generated/prisma/client';
import { errorFields, log } from '../../runtime/log';
import { connectionSettings } from '../database-connection';
import type { Db } from '../db';
import { PrimaryClient } from '../primary-client';
import { executeIn } from '../sql';
import { databaseOf } from './task-databases';

/**
 * The column that identifies the owner in each table of owners except the cursors of jobs, in an order in which the rows
 * can be inserted.
 */
export const OWNER_COLUMNS = {
  task: 'principal',
  task_event: 'task_id',
  compacted_task: 'task_id',
  task_http_exchange: 'task_id',
  pending_cancel: 'task_id',
  hub_run: 'task_id',
  client_task_id: 'principal',
  idempotency_key: 'principal',
  context: 'principal',
  push_config: 'principal',
  push_dead_letter: 'principal',
  chain: 'principal',
  chain_task: 'root_task_id',
  chain_approval: 'root_task_id',
  conversation: 'user_id',
  conversation_branch: 'conversation_id',
  conversation_text: 'conversation_id',
  conversation_index_cursor: 'conversation_id',
  conversation_share: 'conversation_id',
  answer_feedback: 'conversation_id',
  web_push_seen: 'conversation_id',
  openai_turn: 'user_id',
  openai_lost_answer: 'user_id',
  agent_task_day: 'principal',
} as const;

const conditions = {
  principal: 'principal = $1',
  user_id: 'user_id = $1',
  task_id: 'task_id IN (SELECT id FROM task WHERE principal = $1)',
  root_task_id: 'root_task_id IN (SELECT root_task_id FROM chain WHERE principal = $1)',
  conversation_id: 'conversation_id IN (SELECT id FROM conversation WHERE user_id = $1)',
} as const;

/** The tables of {@link OWNER_COLUMNS} with the condition for the rows of principal `$1`. */
export const ownerTables = Object.entries(OWNER_COLUMNS).map(([table, column]) => ({
  table,
  column,
  condition: conditions[column],
}));

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
    const [tasks] = ownerTables;
    if (tasks) await client.query(`SELECT FROM ${tasks.table} WHERE ${tasks.condition} FOR UPDATE`, [principal]);
    const result = await work((tx) => copyRows(client, { tx, principal }));
    await deleteRows(client, principal);
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

/** Deletes the rows of a principal in one database. */
export async function deleteRows(client: pg.Client, principal: string): Promise<void> {
  // Rows that refer to others first.
  for (const { table, condition } of ownerTables.toReversed())
    await client.query(`DELETE FROM ${table} WHERE ${condition}`, [principal]);
}

async function copyRows(client: pg.Client, { tx, principal }: { tx: Db; principal: string }): Promise<void> {
  for (const { table, condition } of ownerTables) {
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
