import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { buildIndexes } from '../../../scripts/concurrent-indexes.mjs';
import { listMigrations, migrate } from '../../../scripts/migrate.mjs';
import { createEmptyDatabase } from '../../support/database';

const renaming = '0049_standard_names';

/** The tables that the migration renames, with a row of each. */
const renamed: [before: string, after: string, row: Record<string, unknown>][] = [
  ['agent_look', 'agent_skeleton', { agent_id: 'agt_1', name: 'analyst', slug: 'analyst' }],
  [
    'agent_standing',
    'agent_ranking',
    { agent_id: 'agt_1', rung: 'maintenance', parts: [{ key: 'use' }], due_at: 'now' },
  ],
  [
    'card_watch',
    'card_refresh_state',
    { agent_id: 'agt_1', waiting_version_id: 'ver_2', waiting_reasons: [{ what: 'asked' }], kept_out: 'ab' },
  ],
  ['probe_watch', 'probe_state', { agent_id: 'agt_1', failing: 3, told_at: 'now', rung: 'withheld', run_failed: true }],
  ['task_wire', 'task_http_exchange', { id: 'call_1', task_id: 1, exchange: { request: {} } }],
  ['task_story', 'compacted_task', { task_id: 1, events: [[{ kind: 'status' }, '2026-01-01']] }],
  ['send_key', 'idempotency_key', { principal: 'usr_1', agent_id: 'agt_1', key: 'k', body_hash: 'h', task_id: 1 }],
  [
    'task_name',
    'client_task_id',
    { family: 'v01', principal: 'usr_1', agent_id: 'agt_1', client_id: 'mine', task_id: 1 },
  ],
  ['limit_place', 'limit_slot_pool', { key: 'streams:usr_1', most: 4, taken: 1, granted: 1, nodes: { a: 1 } }],
  ['console_run', 'test_run', { request_id: 'req_1', agent_id: 'agt_1', caller: 'sub' }],
  ['introspection_note', 'introspection', { id: 'int_1', agent_id: 'agt_1', caller: 'sub', active: true }],
  ['audit_place', 'audit_client', { seq: 1, subject: 'usr_1', address: '::1', user_agent: 'Firefox' }],
  [
    'moderation_notice',
    'moderation_notification',
    { case_id: 'case_1', user_id: 'usr_1', state: 'removed', role: 'owner', attempts: 2 },
  ],
  ['notification_choice', 'notification_preference', { user_id: 'usr_1', kind: 'reviews', wanted: false }],
  ['mail_link', 'magic_link', { token_hash: 'h', user_id: 'usr_1', purpose: 'reset' }],
  ['conversation_indexed', 'conversation_index_cursor', { task_id: 1, conversation_id: 'cnv_1', seq: 7 }],
  ['payment_reply', 'payment_idempotency_key', { user_id: 'usr_1', key: 'k', body_hash: 'h', status: 200, body: '{}' }],
];

async function connect(): Promise<{ client: Client; url: string }> {
  const database = await createEmptyDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  return { client, url: database.url };
}

/** A row as text, which contains the values in the order of the columns but not their names. */
async function rowsOf(client: Client, tables: string[]): Promise<string[]> {
  const rows: string[] = [];
  for (const table of tables) {
    const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
    rows.push(...found.rows.map(({ row }) => row));
  }
  return rows;
}

/** Inserts a row; columns that it does not set and that must not be null get the smallest value of their type. */
async function insert(client: Client, table: string, row: Record<string, unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL`,
    [table],
  );
  const fillers: Record<string, unknown> = { text: '', ARRAY: [], bytea: '\\x', 'timestamp with time zone': 'now' };
  const filled = Object.fromEntries(rows.map(({ name, type }) => [name, fillers[type] ?? 0]));
  const values: Record<string, unknown> = { ...filled, ...row };
  if (typeof values.task_id === 'number') values.task_id = '00000000-0000-7000-8000-000000000001';
  const names = Object.keys(values).join(', ');
  const text = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM jsonb_populate_record(NULL::"${table}", $1)`;
  await client.query(text, [JSON.stringify(values)]);
}

test('the migrated database equals the Prisma schema', async () => {
  const { url } = await connect();
  await migrate(url);
  await buildIndexes(url);
  const command = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema', '--script'];
  const { stdout } = await promisify(execFile)(process.execPath, ['node_modules/prisma/build/index.js', ...command], {
    env: { ...process.env, DATABASE_URL: url },
  });
  expect(stdout.trim()).toBe('-- This is an empty migration.');
}, 60_000);

test('renamed tables keep their rows', async () => {
  const { client, url } = await connect();
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { name } of listMigrations().filter((migration) => migration.name < renaming)) {
    cpSync(path.join('prisma/migrations', name), path.join(folder, name), { recursive: true });
  }
  await migrate(url, folder);
  await insert(client, 'user', { id: 'usr_1' });
  await insert(client, 'agent', { id: 'agt_1' });
  await insert(client, 'conversation', { id: 'cnv_1' });
  await insert(client, 'moderation_case', { id: 'case_1' });
  for (const [table, , row] of renamed) await insert(client, table, row);

  const before = await rowsOf(
    client,
    renamed.map(([table]) => table),
  );
  expect(before).toHaveLength(renamed.length);
  cpSync(path.join('prisma/migrations', renaming), path.join(folder, renaming), { recursive: true });
  expect(await migrate(url, folder)).toEqual([renaming]);
  expect(
    await rowsOf(
      client,
      renamed.map(([, table]) => table),
    ),
  ).toEqual(before);
});
