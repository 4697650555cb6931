import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIndexes, pendingIndexes } from '../../../scripts/concurrent-indexes.mjs';
import { migrate } from '../../../scripts/migrate.mjs';
import { createEmptyDatabase, type TestDatabase } from '../../support/database';
import { waitFor } from '../../support/wait-for';

const handshake =
  'CREATE TABLE schema_change (migration text PRIMARY KEY, release text, oldest_release text, applied_at timestamptz); CREATE TABLE node (id text PRIMARY KEY, release text);';
let folder: string;
let database: TestDatabase;
let client: Client;
let printed: string[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  database = await createEmptyDatabase();
  client = await connect();
  printed = [];
  write('0001_cats', 'CREATE TABLE cat (name text);');
  write('0069_handshake', handshake);
});
afterEach(async () => {
  await client.end();
  rmSync(folder, { recursive: true });
  await database.drop();
});

async function connect(): Promise<Client> {
  const connected = new Client({ connectionString: database.url });
  await connected.connect();
  return connected;
}

function write(name: string, sql: string, concurrentSql?: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'migration.sql'), sql);
  if (concurrentSql) writeFileSync(path.join(folder, name, 'concurrent.sql'), concurrentSql);
}

function migrateAs(release: string, oldestPeer: string): Promise<string[]> {
  return migrate(database.url, folder, { print: (line) => printed.push(line), release: { release, oldestPeer } });
}

const build = (): Promise<string[]> =>
  buildIndexes(database.url, { folder, print: (line: string) => printed.push(line) });

/** A running node: it holds the lock of its id. */
async function startNode(id: string, release: string): Promise<void> {
  await client.query('INSERT INTO node (id, release) VALUES ($1, $2)', [id, release]);
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', [id]);
}

async function stopNode(id: string): Promise<void> {
  await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 7))', [id]);
}

test('each migration is recorded with the releases that work with it', async () => {
  write('0070_dogs', 'CREATE TABLE dog (name text);');
  write('0071_drop', '-- contract: unused since 0.2.0\nDROP TABLE dog;');
  write('0072_drop', 'ALTER TABLE cat DROP COLUMN name;');
  await migrateAs('0.3.0', '0.2.0');
  const { rows } = await client.query(
    'SELECT migration, release, oldest_release AS oldest FROM schema_change ORDER BY 1',
  );
  expect(rows).toEqual([
    { migration: '0069_handshake', release: '0.3.0', oldest: null },
    { migration: '0070_dogs', release: '0.3.0', oldest: null },
    { migration: '0071_drop', release: '0.3.0', oldest: '0.2.0' },
    { migration: '0072_drop', release: '0.3.0', oldest: '0.3.0' },
  ]);
});

test('a contract migration is rejected while a node uses an object that it removes, and applied afterwards', async () => {
  await migrateAs('0.1.0', '0.1.0');
  await startNode('old', '0.1.0');
  write('0070_dogs', 'CREATE TABLE dog (name text);');
  write('0071_drop', '-- contract: unused since 0.2.0\nDROP TABLE cat;');
  await expect(migrateAs('0.3.0', '0.1.0')).rejects.toThrow(
    'found a running node of release 0.1.0; the migration 0071_drop removes what releases before 0.2.0 use; upgrade or stop these nodes first',
  );
  const { rows } = await client.query(
    "SELECT to_regclass('cat') IS NOT NULL AS cat, to_regclass('dog') IS NOT NULL AS dog",
  );
  expect(rows).toEqual([{ cat: true, dog: true }]);
  await stopNode('old');
  await startNode('new', '0.2.0');
  expect(await migrateAs('0.3.0', '0.2.0')).toEqual(['0071_drop']);
});

test('a node that is reconnecting counts as running', async () => {
  await migrateAs('0.1.0', '0.1.0');
  await startNode('old', '0.1.0');
  await stopNode('old');
  write('0070_drop', '-- contract: unused since 0.2.0\nDROP TABLE cat;');
  const migrated = migrateAs('0.3.0', '0.1.0');
  const refused = expect(migrated).rejects.toThrow('found a running node of release 0.1.0; the migration 0070_drop');
  await waitFor(() => printed.includes('waiting 5 s for nodes that may be reconnecting: 0.1.0'), { what: 'the wait' });
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', ['old']);
  await refused;
  expect((await client.query('SELECT FROM cat')).rows).toEqual([]);
});

test('a release that skips a release is rejected while older nodes run, and versions compare numerically', async () => {
  await migrateAs('0.1.0', '0.1.0');
  await startNode('old', '0.9.0');
  write('0070_dogs', 'CREATE TABLE dog (name text);');
  await expect(migrateAs('0.11.0', '0.10.0')).rejects.toThrow(
    'found a running node of release 0.9.0; release 0.11.0 runs beside 0.10.0 or newer; upgrade all nodes to 0.10.0 first',
  );
  expect(await migrateAs('0.10.0', '0.9.0')).toEqual(['0070_dogs']);
});

test('a migration that waits for a table lock does not block reads, reports the lock holder and succeeds', async () => {
  await migrateAs('0.1.0', '0.1.0');
  write('0070_age', 'ALTER TABLE cat ADD COLUMN age int;');
  await client.query("SET application_name = 'long-report'");
  await client.query('BEGIN');
  await client.query('SELECT * FROM cat');
  const migrated = migrateAs('0.1.0', '0.1.0');
  const reader = await connect();
  try {
    await waitFor(() => printed.length > 0, { timeout: 20_000, what: 'the migration to report the lock holder' });
    expect(printed[0]).toMatch(
      /^the migration 0070_age waits for a lock \(attempt 1 of 30\): held by process \d+ \(long-report, idle in transaction, transaction open for \d+ s\)$/,
    );
    // With a queued ALTER TABLE, this read would wait until the long transaction ends.
    await reader.query("SET lock_timeout = '5s'");
    expect((await reader.query('SELECT name FROM cat')).rows).toEqual([]);
    await client.query('COMMIT');
    expect(await migrated).toEqual(['0070_age']);
  } finally {
    await reader.end();
  }
}, 60_000);

const waitingIndex = 'CREATE INDEX CONCURRENTLY cat_name_idx ON cat (name);';

test('indexes in concurrent.sql are not part of the migration, and building them leaves no difference', async () => {
  write('0070_index', '-- The index of names.', waitingIndex);
  expect(await migrateAs('0.1.0', '0.1.0')).toContain('0070_index');
  expect(await pendingIndexes(database.url, folder)).toEqual(['cat_name_idx']);
  expect(await build()).toEqual(['cat_name_idx']);
  expect(await build()).toEqual([]);
  write('0071_drop', '-- expand: cat_name_idx has a successor', 'DROP INDEX CONCURRENTLY IF EXISTS cat_name_idx;');
  await migrateAs('0.1.0', '0.1.0');
  expect(await build()).toEqual(['cat_name_idx']);
  expect(await pendingIndexes(database.url, folder)).toEqual([]);
});

test('a killed build’s invalid index is removed and rebuilt while rows are written', async () => {
  write('0070_index', '-- The index of names.', waitingIndex);
  await migrateAs('0.1.0', '0.1.0');
  const writer = await connect();
  await writer.query('BEGIN');
  await writer.query("INSERT INTO cat VALUES ('Tom')");
  const killed = build();
  const builder = async (): Promise<number | undefined> =>
    (
      await client.query(
        "SELECT pid FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%' AND wait_event_type = 'Lock'",
      )
    ).rows[0]?.pid;
  await waitFor(async () => (await builder()) !== undefined, { what: 'the build to wait for the transaction' });
  const rejected = expect(killed).rejects.toThrow(
    /^the index cat_name_idx was not completed: .*; run the command again to complete it$/,
  );
  await client.query('SELECT pg_terminate_backend($1)', [await builder()]);
  await rejected;
  await writer.query('COMMIT');
  await writer.end();
  expect(await isValid()).toBe(false);
  expect(await pendingIndexes(database.url, folder)).toEqual(['cat_name_idx']);
  expect(await build()).toEqual(['cat_name_idx']);
  expect(await isValid()).toBe(true);
  expect(printed).toContain('index cat_name_idx: removing what a killed build left');
});

async function isValid(): Promise<boolean | undefined> {
  const { rows } = await client.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'cat_name_idx'::regclass");
  return rows[0]?.indisvalid;
}

test('concurrent commands build each index once', async () => {
  write('0070_index', '-- The index of names.', waitingIndex);
  await migrateAs('0.1.0', '0.1.0');
  expect((await Promise.all([build(), build(), build()])).flat()).toEqual(['cat_name_idx']);
});
