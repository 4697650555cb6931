import type pg from 'pg';
import { Prisma } from '../../../generated/prisma/client';
import { errorFields, log } from '../../runtime/log';
import { connectionSettings } from '../database-connection';
import type { Db } from '../db';
import { PrimaryClient } from '../primary-client';
import { row, text, uuid } from '../rows';
import { executeIn } from '../sql';
import { databaseOf } from './task-databases';

/** The column with the owner in each table of owners except the cursors of jobs. */
export const OWNER_COLUMNS = {
  task: 'principal',
  task_event: 'principal',
  compacted_task: 'principal',
  task_http_exchange: 'principal',
  pending_cancel: 'principal',
  hub_run: 'principal',
  client_task_id: 'principal',
  idempotency_key: 'principal',
  context: 'principal',
  push_config: 'principal',
  push_dead_letter: 'principal',
  chain: 'principal',
  chain_task: 'principal',
  chain_approval: 'principal',
  conversation: 'user_id',
  conversation_branch: 'user_id',
  conversation_text: 'user_id',
  conversation_index_cursor: 'user_id',
  conversation_share: 'user_id',
  answer_feedback: 'user_id',
  web_push_seen: 'user_id',
  openai_turn: 'user_id',
  openai_lost_answer: 'user_id',
  agent_task_day: 'principal',
} as const;

/** The tables of {@link OWNER_COLUMNS} with the condition for the rows of principal `$1`. */
export const ownerTables = Object.entries(OWNER_COLUMNS).map(([table, column]) => ({
  table,
  column,
  condition: `${column} = $1`,
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
    await client.query('SELECT FROM task WHERE principal = $1 FOR UPDATE', [principal]);
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
  for (const { table, condition } of ownerTables)
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

const columnsRow = row({ table: text(), columns: text() });
const taskIdRow = row({ id: uuid() });

/**
 * Gives all rows of a principal to another one in the same database, and returns the ids of its tasks. A row with the key
 * of an existing one is deleted, so that a repeated call completes an interrupted one. The rows are inserted and deleted
 * instead of updated, because a distributed table cannot change the column by which it is distributed. Only for
 * principals with few rows.
 */
export async function giveRows(tx: Db, { from, to }: { from: string; to: string }): Promise<string[]> {
  // Each append updates its task, so that none follows.
  await executeIn(tx, Prisma.sql`SELECT FROM task WHERE principal = ${from} FOR UPDATE`);
  const found = await columnsRow.queryIn(
    tx,
    Prisma.sql`SELECT a.attrelid::regclass::text AS "table", string_agg(quote_ident(a.attname), ', ') AS columns
      FROM pg_attribute a WHERE a.attrelid = ANY(${ownerTables.map(({ table }) => table)}::regclass[]) AND a.attnum > 0
        AND NOT a.attisdropped AND a.attname NOT IN ('principal', 'user_id') GROUP BY a.attrelid`,
  );
  const columnsOf = new Map(found.map(({ table, columns }) => [table, columns]));
  for (const { table, column } of ownerTables) {
    // The calls of a guest do not become calls of the account.
    if (table === 'agent_task_day') continue;
    const [name, owner, others] = [table, column, columnsOf.get(table) ?? ''].map((part) => Prisma.raw(part));
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO ${name} (${owner}, ${others}) SELECT ${to}, ${others} FROM ${name} WHERE ${owner} = ${from}
        ON CONFLICT DO NOTHING`,
    );
    if (table !== 'task') await executeIn(tx, Prisma.sql`DELETE FROM ${name} WHERE ${owner} = ${from}`);
  }
  const given = await taskIdRow.queryIn(tx, Prisma.sql`DELETE FROM task WHERE principal = ${from} RETURNING id`);
  return given.map(({ id }) => id);
}
