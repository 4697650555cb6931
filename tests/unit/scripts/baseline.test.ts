import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listMigrations, migrate } from '../../../scripts/migrate.mjs';
import { createEmptyDatabase, type TestDatabase } from '../../support/database';

const PRINT = { print: () => undefined };

let database: TestDatabase;
let client: Client;

/** A database as release 0.1.0 left it: the same schema, with the records of its own migrations. */
beforeEach(async () => {
  database = await createEmptyDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  cpSync('prisma/migrations/0001_init', path.join(folder, '0001_init'), { recursive: true });
  await migrate(database.url, folder, PRINT);
  rmSync(folder, { recursive: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    UPDATE _prisma_migrations SET checksum = '75f101d74ff7a237bc9087f1ba3c1c73d872bfc2407ed62fcad9f33f58fa9d97';
    DELETE FROM schema_change;
    INSERT INTO schema_change VALUES ('0069_rolling_upgrades', '0.1.0', NULL, now());
  `);
  await apply('0002_agent_search');
  await apply('0092_approval_content');
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

function apply(name: string): Promise<unknown> {
  return client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, 'x', $1, now())",
    [name],
  );
}

async function records(): Promise<{ id: string; name: string }[]> {
  const { rows } = await client.query('SELECT id, migration_name AS name FROM _prisma_migrations ORDER BY 2');
  return rows;
}

test('a database from release 0.1.0 keeps its rows and its id, and gets all later migrations', async () => {
  const [first] = await records();
  await client.query(`
    INSERT INTO "user" (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
    CREATE TABLE agent_call_before (LIKE agent_call);
    INSERT INTO agent_call_before (id, agent_id, at, ms, method, dialect, request_id, caller, task_id)
      VALUES ('call_1', 'agt_1', now(), 1, 'm', '1.0', 'r', '', '');
  `);
  const later = listMigrations()
    .map(({ name }) => name)
    .slice(1);
  expect(await migrate(database.url, undefined, PRINT)).toEqual(later);
  const all = await records();
  expect(all.map(({ name }) => name)).toEqual(['0001_init', ...later]);
  expect(all[0]).toEqual(first);
  const { rows } = await client.query('SELECT u.id AS user, c.id AS call FROM "user" u, agent_call c');
  expect(rows).toEqual([{ user: 'usr_1', call: 'call_1' }]);
  const { rows: before } = await client.query("SELECT to_regclass('agent_call_before') AS name");
  expect(before).toEqual([{ name: null }]);
  expect(await migrate(database.url, undefined, PRINT)).toEqual([]);
});

test('an order that release 0.1.0 approved without storing the time gets its approval’s time', async () => {
  await client.query(`
    INSERT INTO "user" (id, email, name) VALUES ('usr_1', 'ada@example.test', 'Ada');
    ALTER TABLE payment_order DISABLE TRIGGER ALL; ALTER TABLE payment_order_step DISABLE TRIGGER ALL;
  `);
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_name = 'payment_order' AND is_nullable = 'NO' AND column_default IS NULL`,
  );
  const values: Record<string, string> = { id: "'ord_1'", user_id: "'usr_1'", state: "'approved'", currency: "'EUR'" };
  const fillers: Record<string, string> = {
    uuid: "'00000000-0000-7000-8000-000000000001'",
    'timestamp with time zone': 'now()',
    json: "'{}'",
    jsonb: "'{}'",
    boolean: 'true',
    bigint: '1',
    integer: '1',
    ARRAY: "'{}'",
  };
  const row = columns.map(({ name, type }) => values[name] ?? fillers[type] ?? "''");
  await client.query(`INSERT INTO payment_order (${columns.map(({ name }) => name)}) VALUES (${row})`);
  await client.query(
    "INSERT INTO payment_order_step (order_id, version, state, at) VALUES ('ord_1', 2, 'approved', '2026-05-01Z')",
  );
  await migrate(database.url, undefined, PRINT);
  const { rows } = await client.query('SELECT approved_at AS at FROM payment_order');
  expect(rows).toEqual([{ at: new Date('2026-05-01Z') }]);
});

test('a database from an earlier release is rejected with the next step, and stays unchanged', async () => {
  await client.query(
    "UPDATE _prisma_migrations SET migration_name = '0091_pending_cancels' WHERE migration_name LIKE '0092%'",
  );
  const before = await records();
  await expect(migrate(database.url, undefined, PRINT)).rejects.toThrow(
    'found the migration 0091_pending_cancels as the last of this database; expected 0092_approval_content. Migrate it with release 0.1.0 first',
  );
  expect(await records()).toEqual(before);
});

test('the baseline is not adopted while a release 0.1.0 node is running', async () => {
  const before = await records();
  await client.query("INSERT INTO node (id, release, oldest_peer, started_at) VALUES ('old', '0.1.0', '0.1.0', now())");
  await client.query("SELECT pg_advisory_lock(hashtextextended('old', 7))");
  await expect(migrate(database.url, undefined, PRINT)).rejects.toThrow(
    'found a running node of release 0.1.0; release 0.2.0 replaces the migrations of earlier releases; stop all nodes',
  );
  expect(await records()).toEqual(before);
});
