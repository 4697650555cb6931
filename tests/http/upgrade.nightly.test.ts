import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRelease } from '../../bench/drills/lib/release-tree.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { ROOT } from '../../scripts/program.mjs';
import { readRelease } from '../../scripts/release.mjs';
import { createTestDatabase } from '../support/database';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

const { release } = readRelease();
let parley: Parley;
let client: Client;

beforeAll(async () => {
  parley = await startParley();
  client = new Client({ connectionString: parley.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await parley?.stop();
});
beforeEach(async () => {
  await client.query(
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '9%'; DELETE FROM schema_change WHERE migration LIKE '9%'",
  );
  await client.query("DELETE FROM node WHERE id LIKE 'test-%'");
});

/** Records a migration of a later release, as the `migrate` of that release does. */
async function applyLater(migration: string, oldestRelease: string | null): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, 'x', $1, now())`,
    [migration],
  );
  await client.query(`INSERT INTO schema_change VALUES ($1, '99.0.0', $2, now())`, [migration, oldestRelease]);
}

async function readiness(): Promise<{ status: number; reasons?: Record<string, string> }> {
  const response = await fetch(`${parley.url}/readyz`);
  const { reasons } = (await response.json()) as { reasons?: Record<string, string> };
  return reasons ? { status: response.status, reasons } : { status: response.status };
}

interface Started {
  /** The exit code. */
  ended: Promise<number | null>;
  errors(): string;
  serves(): boolean;
  stop(): void;
}

/** Starts another node, from this or another tree. */
async function startNode(root = ROOT, databaseUrl = parley.databaseUrl): Promise<Started> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-refused-'));
  const port = String(await freePort());
  const child = spawn(process.execPath, [path.join(root, 'scripts/serve.mjs')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: port,
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      DEMO: '0',
      EMBEDDINGS: 'off',
      NEXTAUTH_SECRET: 'a secret of more than thirty-two characters',
      KEY_ENCRYPTION_KEY: 'a key of more than thirty-two characters',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let serves = false;
  child.stdout.on('data', (chunk) => {
    serves ||= String(chunk).includes('listening on');
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => rmSync(dataDir, { recursive: true, force: true }));
  return { ended, errors: () => errors, serves: () => serves, stop: () => child.kill('SIGTERM') };
}

/** Starts another node that is expected to refuse, and returns what it prints. */
async function refusal(): Promise<{ code: number | null; errors: string }> {
  const { ended, errors } = await startNode();
  return { code: await ended, errors: errors() };
}

test('a node stays ready, and another can start, with migrations from a later compatible release', async () => {
  await applyLater('9001_expand', null);
  await applyLater('9002_contract', release);
  await applyLater('9003_contract', '0.0.9');
  const other = await startParley();
  await other.stop();
  expect(await readiness()).toEqual({ status: 200 });
});

test('a contract migration that removed a used object makes a node not ready and prevents startup', async () => {
  await applyLater('9004_expand', null);
  await applyLater('9005_contract', '99.0.0');
  const reason = `the database's schema is newer than this code: 9005_contract does not work with release ${release}; run release 99.0.0 or newer`;
  await waitFor(async () => (await readiness()).status === 503, { what: 'the node not to be ready' });
  expect(await readiness()).toEqual({ status: 503, reasons: { schema: reason } });
  expect(await refusal()).toEqual({ code: 1, errors: `parley: ${reason}\n` });
});

test('a contract migration is rejected while a node that uses the removed objects is running', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  cpSync('prisma/migrations', folder, { recursive: true });
  mkdirSync(path.join(folder, '9006_contract'));
  const sql = '-- contract: unused since 98.0.0\nDROP TABLE readiness_write;';
  writeFileSync(path.join(folder, '9006_contract', 'migration.sql'), sql);
  const later = { release: '99.0.0', oldestPeer: release };
  await expect(migrate(parley.databaseUrl, folder, { release: later })).rejects.toThrow(
    `found a running node of release ${release}; the migration 9006_contract removes what releases before 98.0.0 use`,
  );
  rmSync(folder, { recursive: true });
  expect(await readiness()).toEqual({ status: 200 });
});

test('a node refuses to start while an incompatible release’s node runs, and ignores stopped nodes', async () => {
  await client.query(`INSERT INTO node VALUES ('test-newer', '99.0.0', '98.0.0', now())`);
  const peer = await startParley();
  await peer.stop();
  // The start removed the row of a node that did not hold the lock of its id for five seconds.
  expect((await client.query("SELECT FROM node WHERE id = 'test-newer'")).rows).toEqual([]);
  await client.query(`INSERT INTO node VALUES ('test-newer', '99.0.0', '98.0.0', now())`);
  await client.query("SELECT pg_advisory_lock(hashtextextended('test-newer', 7))");
  try {
    const { code, errors } = await refusal();
    expect(code).toBe(1);
    expect(errors).toBe(
      `parley: this is release ${release}, which runs beside ${readRelease().oldestPeer} or newer; found: a node of release 99.0.0 runs, ` +
        'which runs beside 98.0.0 or newer; upgrade one release at a time, or stop the other nodes\n',
    );
    expect(await readiness()).toEqual({ status: 200 });
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()');
  }
});

test('only one of two incompatible nodes that start at the same moment serves', async () => {
  const { url } = await createTestDatabase();
  const [major, minor] = release.split('.').map(Number);
  const next = `${major}.${Number(minor) + 1}.0`;
  const later = createRelease({ version: next, oldestPeer: next, migrations: {} });
  const gate = new Client({ connectionString: url });
  await gate.connect();
  await gate.query('BEGIN; LOCK TABLE node IN EXCLUSIVE MODE');
  const nodes = [await startNode(ROOT, url), await startNode(later.root, url)];
  try {
    const waiting = `SELECT FROM pg_locks WHERE relation = 'node'::regclass AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await waitFor(async () => (await gate.query(waiting)).rows.length === 2, {
      what: 'both to join',
      timeout: 30_000,
    });
    await gate.query('COMMIT');
    await waitFor(() => nodes.filter(({ serves }) => serves()).length === 1, { what: 'one to serve', timeout: 30_000 });
    const refused = nodes.filter(({ serves }) => !serves());
    expect(refused).toHaveLength(1);
    expect(await refused[0]?.ended).toBe(1);
    expect(refused[0]?.errors()).toMatch(
      /; found: a node of release \S+ runs, which runs beside \S+ or newer; upgrade one/,
    );
  } finally {
    for (const { stop } of nodes) stop();
    await Promise.all(nodes.map(({ ended }) => ended));
    await gate.end();
    later.remove();
  }
});

test('a node is removed from the list of peers when it stops', async () => {
  const other = await startParley();
  const ids = async (): Promise<unknown[]> => (await client.query('SELECT id FROM node')).rows;
  expect(await ids()).toHaveLength(2);
  await other.stop();
  expect(await ids()).toHaveLength(1);
});
