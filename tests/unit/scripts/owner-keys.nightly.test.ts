import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIndexes, pendingIndexes } from '../../../scripts/concurrent-indexes.mjs';
import { migrate } from '../../../scripts/migrate.mjs';
import { createEmptyDatabase, type TestDatabase } from '../../support/database';

const migration = '0011_owner_keys';
const own = 'prisma/migrations';
let folder: string;
let database: TestDatabase;
let client: Client;
let printed: string[];

const add = (name: string): void => cpSync(path.join(own, name), path.join(folder, name), { recursive: true });

/** A database before the migration. */
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-owner-keys-'));
  for (const name of readdirSync(own).filter((each) => each < '0011')) add(name);
  database = await createEmptyDatabase();
  printed = [];
  await applyMigrations();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  rmSync(folder, { recursive: true });
  await database.drop();
});

const print = (line: string): void => void printed.push(line);
const applyMigrations = (): Promise<string[]> => migrate(database.url, folder, { print });
const build = (): Promise<string[]> => buildIndexes(database.url, { folder, print });

/** Writes as a node does that does not know the owner's column: a task with an event in the same statement, and a run. */
async function writeAsBefore(principal: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `WITH want AS (SELECT gen_random_uuid() AS id), stored AS (
       INSERT INTO task_event (task_id, seq, payload, at) SELECT id, 2, '[{}, {}]', now() FROM want
     ), tasks AS (
       INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, created_at)
       SELECT id, $1, 'agt_1', id, 'submitted', now(), 2, 'node', 'ses_1', 'web', now() FROM want
     ) SELECT id FROM want`,
    [principal],
  );
  const [{ id } = { id: '' }] = rows;
  await client.query(
    `INSERT INTO hub_run (task_id, turn_seq, agent_id, state, request, due_at, created_at)
     VALUES ($1, 2, 'agt_1', 'waiting', '{}', now(), now()) ON CONFLICT (task_id) DO UPDATE SET turn_seq = 3`,
    [id],
  );
  await client.query(
    `INSERT INTO task_http_exchange (id, task_id, at, exchange) VALUES ($1::text, $1::text::uuid, now(), '{}')`,
    [id],
  );
  await client.query(
    `INSERT INTO conversation (id, user_id, agent_id, context_id, title) VALUES ($1::text, $2, 'agt_1', $1::text, 'A')`,
    [id, principal],
  );
  await client.query(
    'INSERT INTO conversation_branch (conversation_id, context_id, fork_context_id, fork_task_id, created_at) VALUES ($1::text, $1::text, $1::text, $1::text::uuid, now())',
    [id],
  );
  return id;
}

async function ownersOf(id: string): Promise<string[]> {
  const { rows } = await client.query<{ owner: string }>(
    `SELECT principal AS owner FROM task_event WHERE task_id = $1 UNION ALL SELECT principal FROM hub_run WHERE task_id = $1
     UNION ALL SELECT principal FROM task_http_exchange WHERE task_id = $1
     UNION ALL SELECT user_id FROM conversation_branch WHERE conversation_id = $1::uuid::text`,
    [id],
  );
  return rows.map(({ owner }) => owner);
}

test('rows of nodes before and after the migration get their owner, and the keys change when these nodes have stopped', async () => {
  const early = await writeAsBefore('usr_early');
  add(migration);
  expect(await applyMigrations()).toEqual([migration]);
  expect(await ownersOf(early)).toEqual(Array(4).fill('usr_early'));
  expect(printed).toContain('backfill of task_event: 1 rows');
  expect(await applyMigrations()).toEqual([]);

  await client.query(
    `INSERT INTO node (id, release, oldest_peer, started_at) VALUES ('before', '0.2.0', '0.2.0', now())`,
  );
  await build();
  expect(printed.at(-1)).toMatch(/^the keys of 0011_owner_keys are replaced when 1 running nodes/);
  const late = await writeAsBefore('usr_late');
  expect(await ownersOf(late)).toEqual(Array(4).fill('usr_late'));
  expect(await pendingIndexes(database.url, folder)).toContain('task_pkey');

  await client.query(`UPDATE node SET last_migration = $1`, [migration]);
  expect(await build()).toEqual(expect.arrayContaining(['set_row_owner', 'task_pkey', 'task_http_exchange_pkey']));
  expect(await pendingIndexes(database.url, folder)).toEqual([]);
  expect(await build()).toEqual([]);
  const { rows } = await client.query(
    `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conname IN ('task_event_pkey', 'hub_run_pkey') ORDER BY 1`,
  );
  expect(rows).toEqual([{ key: 'PRIMARY KEY (principal, task_id)' }, { key: 'PRIMARY KEY (principal, task_id, seq)' }]);
}, 60_000);

test('a backfill that was interrupted is continued by the next command', async () => {
  const id = await writeAsBefore('usr_1');
  add(migration);
  await applyMigrations();
  await client.query(`UPDATE task_event SET principal = ''`);
  await client.query('UPDATE schema_change SET backfilled_at = NULL WHERE migration = $1', [migration]);
  expect(await applyMigrations()).toEqual([]);
  expect(await ownersOf(id)).toEqual(Array(4).fill('usr_1'));
});
