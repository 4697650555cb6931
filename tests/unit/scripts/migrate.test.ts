import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../scripts/migrate.mjs';
import { createEmptyDatabase, type TestDatabase } from '../../support/database';

let folder: string;
let database: TestDatabase;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  database = await createEmptyDatabase();
  write('1_cats', 'CREATE TABLE cat (name text);');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'migration.sql'), sql);
}

async function tables(): Promise<string[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  await client.end();
  return rows.map(({ tablename }) => tablename);
}

test('the migration command applies missing migrations once, in order', async () => {
  write('2_dogs', 'CREATE TABLE dog AS SELECT name FROM cat;');
  expect(await migrate(database.url, folder)).toEqual(['1_cats', '2_dogs']);
  expect(await migrate(database.url, folder)).toEqual([]);
  expect(await tables()).toEqual(['_prisma_migrations', 'cat', 'dog']);
});

test('the migration command applies each migration once if several nodes start together', async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, folder)));
  expect(applied.flat()).toEqual(['1_cats']);
});

test('a failed migration is rolled back completely, and applied once it is fixed', async () => {
  write('2_dogs', 'CREATE TABLE dog (name text); SELECT no_such_function();');
  await expect(migrate(database.url, folder)).rejects.toThrow(/2_dogs failed and was rolled back: .*no_such_function/);
  expect(await tables()).toEqual(['_prisma_migrations', 'cat']);
  write('2_dogs', 'CREATE TABLE dog (name text);');
  expect(await migrate(database.url, folder)).toEqual(['2_dogs']);
});

test('the migration command rejects a migration that was edited after it was applied', async () => {
  await migrate(database.url, folder);
  write('1_cats', 'CREATE TABLE cat (name text, age int);');
  await expect(migrate(database.url, folder)).rejects.toThrow(/1_cats was changed after this database had applied it/);
});

test('a connection error names the server and the reason, but not the password', async () => {
  const refused = migrate('postgresql://ada:hush@127.0.0.1:1/none', folder);
  await expect(refused).rejects.toThrow(/127\.0\.0\.1:1\/none.*ECONNREFUSED/);
  await expect(refused).rejects.not.toThrow(/hush/);
});
