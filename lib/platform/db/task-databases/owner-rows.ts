import { Prisma } from '../../../generated/prisma/client';
import type { Db } from '../db';
import { executeIn } from '../sql';
import { databaseOf, type TaskDatabase } from './task-databases';

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

/** Returns the database of `principal` if it is not that of `other`; null if both have the same. */
async function findOtherDatabase(principal: string, other: string): Promise<TaskDatabase | null> {
  const [own, target] = await Promise.all([databaseOf(principal), databaseOf(other)]);
  return own === target ? null : own;
}

/**
 * Copies the rows of `principal` into the database of `other`, in which `tx` is. Rows that exist there remain. Does
 * nothing if both have the same database. Only for principals with few rows.
 */
export async function copyRowsOf(tx: Db, principal: string, other: string): Promise<void> {
  const from = await findOtherDatabase(principal, other);
  if (!from) return;
  for (const [table, condition] of tables) {
    const text = `SELECT json_agg(t)::text AS rows FROM ${table} t WHERE ${condition}`;
    const [found] = (await from.pool().query<{ rows: string | null }>(text, [principal])).rows;
    if (!found?.rows) continue;
    const name = Prisma.raw(table);
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, ${found.rows}::json)
        ON CONFLICT DO NOTHING`,
    );
  }
}

/** Deletes the rows of `principal` that were copied into the database of `other`. */
export async function deleteCopiedRows(principal: string, other: string): Promise<void> {
  const from = await findOtherDatabase(principal, other);
  if (!from) return;
  const client = await from.pool().connect();
  try {
    await client.query('BEGIN');
    // Rows that refer to others first.
    for (const [table, condition] of tables.toReversed())
      await client.query(`DELETE FROM ${table} WHERE ${condition}`, [principal]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
