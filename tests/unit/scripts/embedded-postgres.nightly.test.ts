import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../../scripts/embedded-postgres.mjs';

let root: string;
let dataDir: string;

beforeAll(() => {
  // A folder that only its owner can enter: the database must work with these permissions.
  root = mkdtempSync(path.join(tmpdir(), 'parley-postgres-'));
  dataDir = path.join(root, 'data');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Starts it in its own process, which is then killed. */
function startAndDie(): void {
  const module = path.resolve('scripts/embedded-postgres.mjs');
  const script = `import { startEmbeddedPostgres } from ${JSON.stringify(module)};
await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
process.kill(process.pid, 'SIGKILL');`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(signal, stderr).toBe('SIGKILL');
}

test('the embedded server supports a hundred connections, and case-insensitive search outside ASCII', async () => {
  const database = await startEmbeddedPostgres({ dataDir });
  try {
    expect(database.joined).toBe(false);
    expect(Number(await ask(database.url, 'SHOW max_connections'))).toBeGreaterThanOrEqual(100);
    expect(await ask(database.url, "SELECT lower('ÜÉ Ж')")).toBe('üé ж');
    expect(await ask(database.url, "SELECT to_tsvector('simple', 'Перевод')::text")).toBe("'перевод':1");
  } finally {
    await database.stop();
  }
});

test('the embedded server’s password can be read only by its owner', () => {
  expect(statSync(path.join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
});

test('the embedded server accepts later starters and runs until the last one has left', async () => {
  const first = await startEmbeddedPostgres({ dataDir });
  const second = await startEmbeddedPostgres({ dataDir });
  expect(second).toMatchObject({ joined: true, url: first.url });
  await first.stop();
  expect(await ask(second.url, 'SELECT 1')).toBe(1);
  await second.stop();
  await expect(ask(second.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('the embedded server and its data are reused after its starter is killed', async () => {
  const before = await startEmbeddedPostgres({ dataDir });
  await ask(before.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await before.stop();
  startAndDie();
  const adopted = await startEmbeddedPostgres({ dataDir });
  expect(adopted.joined).toBe(true);
  expect(await ask(adopted.url, 'SELECT answer FROM kept')).toBe(42);
  await adopted.stop();
  await expect(ask(adopted.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('a copied data folder gets a separate server while the original one runs', async () => {
  const copyDir = path.join(root, 'copy');
  cpSync(dataDir, copyDir, { recursive: true });
  const original = await startEmbeddedPostgres({ dataDir });
  const copy = await startEmbeddedPostgres({ dataDir: copyDir });
  expect(copy.joined).toBe(false);
  expect(copy.port).not.toBe(original.port);
  await copy.stop();
  expect(await ask(original.url, 'SELECT 1')).toBe(1);
  await original.stop();
});

test('a server that is not durable keeps its data if it is stopped, and deletes them if it was killed', async () => {
  const options = { dataDir: path.join(root, 'not-durable'), isDurable: false };
  const first = await startEmbeddedPostgres(options);
  expect(await ask(first.url, 'SHOW fsync')).toBe('off');
  await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const second = await startEmbeddedPostgres(options);
  expect(await ask(second.url, 'SELECT answer FROM kept')).toBe(42);
  await second.stop();
  writeFileSync(path.join(options.dataDir, 'postgres/postmaster.pid'), `1\n${options.dataDir}/postgres\n`);
  const third = await startEmbeddedPostgres(options);
  expect(await ask(third.url, "SELECT to_regclass('kept')")).toBeNull();
  await third.stop();
});
