import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message03, type Person, rpc } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { setting } from '../support/settings';
import { waitFor } from '../support/wait-for';

interface Ready {
  status: number;
  retryAfter: string | null;
  failing: string[];
  reasons: Record<string, string>;
}

let parley: Parley;
let agent: ScriptedAgent;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Echo' });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

async function readiness(url = parley.url): Promise<Ready> {
  const response = await fetch(`${url}/readyz`);
  const body = (await response.json()) as Partial<Ready>;
  const { failing = [], reasons = {} } = body;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), failing, reasons };
}

async function sql(databaseUrl: string, text: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Lets a user use their access token at a node with its own database. */
async function copyPerson({ userId }: Person, databaseUrl: string): Promise<void> {
  const source = new Client({ connectionString: parley.databaseUrl });
  await source.connect();
  for (const [table, key] of [
    ['user', 'id'],
    ['access_token', 'user_id'],
  ]) {
    const { rows } = await source.query(`SELECT row_to_json(t)::text AS row FROM "${table}" t WHERE ${key} = $1`, [
      userId,
    ]);
    const row = String(rows[0].row).replaceAll("'", "''");
    await sql(databaseUrl, `INSERT INTO "${table}" SELECT * FROM json_populate_record(NULL::"${table}", '${row}')`);
  }
  await source.end();
}

/** Changes a database setting and ends its sessions, as a failover to a standby does. */
async function alterDatabase(change: string): Promise<void> {
  const name = new URL(parley.databaseUrl).pathname.slice(1);
  await sql(setting('serverUrl'), `ALTER DATABASE ${name} ${change}`);
  await sql(
    setting('serverUrl'),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  );
}

test('a node is not ready while the database is read-only, and returns 503 instead of 200 with -32603', async () => {
  try {
    await alterDatabase('SET default_transaction_read_only = on');
    await waitFor(async () => (await readiness()).status === 503, { what: 'the node not to be ready' });
    await waitFor(async () => /read/.test((await readiness()).reasons.database ?? ''), { what: 'the reason' });
    const ready = await readiness();
    expect(ready).toMatchObject({ status: 503, retryAfter: '2', failing: ['database'] });
    const sent = await rpc(connection, 'message/send', message03('hello'));
    expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '2']);
  } finally {
    await alterDatabase('RESET default_transaction_read_only');
    await waitFor(async () => (await readiness()).status === 200, { what: 'the node to be ready again' });
  }
});

test.each([
  {
    is: 'older',
    change: "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '0002_states'",
    undo: "UPDATE _prisma_migrations SET rolled_back_at = NULL WHERE migration_name = '0002_states'",
    names: '0002_states',
  },
  {
    is: 'newer',
    change: `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
             VALUES ('from-tomorrow', 'x', '9999_from_tomorrow', now())`,
    undo: "DELETE FROM _prisma_migrations WHERE id = 'from-tomorrow'",
    names: '9999_from_tomorrow',
  },
])(
  'a node is not ready while the schema is $is than the code, and names the difference',
  async ({ is, change, undo, names }) => {
    await sql(parley.databaseUrl, change);
    await waitFor(async () => (await readiness()).status === 503, { what: 'the node not to be ready' });
    const { failing, reasons } = await readiness();
    expect(failing).toEqual(['schema']);
    expect(reasons.schema).toContain(`${is} than this code`);
    expect(reasons.schema).toContain(names);
    await sql(parley.databaseUrl, undo);
    await waitFor(async () => (await readiness()).status === 200, { what: 'the node to be ready again' });
  },
);

test.each([
  { by: -40_000, status: 503, says: /behind/ },
  { by: 40_000, status: 503, says: /ahead/ },
  { by: 10_000, status: 200, says: undefined },
])(
  'a node whose clock is off by $by ms returns the readiness status $status and logs the difference',
  async ({ by, status, says }) => {
    const node = await startAlone({
      NODE_OPTIONS: `--import ${path.resolve('tests/fakes/shifted-clock.mjs')}`,
      SHIFT_MS: String(by),
    });
    try {
      await waitFor(async () => (await readiness(node.url)).status === status, {
        timeout: 60_000,
        what: `readiness ${status}`,
      });
      const { reasons } = await readiness(node.url);
      if (says) expect(reasons.clock).toMatch(says);
      expect(node.output()).toContain('clock.skewed');
    } finally {
      await node.end();
    }
  },
  90_000,
);

test('startup fails with a one-line error that names KEY_ENCRYPTION_KEY if its value is wrong', async () => {
  const node = await startAlone({ KEY_ENCRYPTION_KEY: 'another key of more than thirty-two characters' });
  expect(await node.ended).toBe(1);
  const lines = node
    .output()
    .split('\n')
    .filter((each) => each.startsWith('parley: '));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^parley: KEY_ENCRYPTION_KEY: found a value that cannot decrypt .*expected the value/);
  expect(node.output()).not.toContain('another key of more');
});

/** A node of the same database that need not become ready. */
async function startAlone(
  extra: Record<string, string>,
): Promise<{ url: string; output: () => string; ended: Promise<number | null>; end: () => Promise<unknown> }> {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-alone-'));
  const child = spawn(process.execPath, ['scripts/serve.mjs'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      APP_URL: `http://localhost:${port}`,
      DATABASE_URL: parley.databaseUrl,
      DATA_DIR: dataDir,
      DEMO: '0',
      PROBE_INTERVAL_SECONDS: '0',
      DRAIN_SECONDS: '1',
      NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET,
      KEY_ENCRYPTION_KEY: process.env.KEY_ENCRYPTION_KEY,
      ...extra,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const end = (): Promise<unknown> => {
    child.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
    return ended;
  };
  return { url: `http://localhost:${port}`, output: () => output, ended, end };
}

const small = path.join(tmpdir(), `parley-small-disk-${process.pid}`);
const mayMount = process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  mkdirSync(small, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m', 'tmpfs', small]).status === 0;
}

afterAll(() => {
  if (mayMount) spawnSync('umount', ['-l', small]);
  rmSync(small, { recursive: true, force: true });
});

test.runIf(mayMount)(
  'a node with a full disk is not ready, rejects sends with 503, serves the key set, and recovers by itself',
  async () => {
    const database = await startEmbeddedPostgres({ dataDir: small });
    try {
      await migrate(database.url);
      const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
      const node = await startParley({ databaseUrl: database.url, env });
      const eve = await createPerson(parley.url);
      await copyPerson(eve, database.url);
      const there = await connectTo(node.url, eve, await listAgent(node.url, eve, { url: agent.url }));
      const { bsize, bavail } = statfsSync(small);
      try {
        writeFileSync(path.join(small, 'filler'), Buffer.alloc(bsize * bavail));
      } catch (error) {
        // The database took the last blocks itself: full is the expected state.
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
      await waitFor(async () => (await readiness(node.url)).status === 503, { what: 'the node not to be ready' });
      const ready = await readiness(node.url);
      expect(ready).toMatchObject({ status: 503, retryAfter: '2', failing: ['database'] });
      expect(ready.reasons.database).toContain('disk of the database is full (53100)');
      expect((await fetch(`${node.url}/.well-known/jwks.json`)).status).toBe(200);
      const sent = await rpc(there, 'message/send', message03('hello'));
      expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '2']);
      rmSync(path.join(small, 'filler'));
      await waitFor(async () => (await readiness(node.url)).status === 200, { what: 'the node to be ready again' });
      await node.stop();
    } finally {
      await database.stop();
    }
  },
  120_000,
);

test('a node on a standby is not ready, with the reason and Retry-After, until the standby is promoted', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-standby-'));
  let database = await startEmbeddedPostgres({ dataDir: folder });
  try {
    await migrate(database.url);
    const node = await startParley({ databaseUrl: database.url });
    await database.stop();
    writeFileSync(path.join(folder, 'postgres', 'standby.signal'), '');
    database = await startEmbeddedPostgres({ dataDir: folder });
    const isStandby = async (): Promise<boolean> =>
      /found a standby/.test((await readiness(node.url)).reasons.database ?? '');
    await waitFor(isStandby, { what: 'the node to detect the standby' });
    expect(await readiness(node.url)).toMatchObject({ status: 503, retryAfter: '2', failing: ['database'] });
    await sql(database.url, 'SELECT pg_promote()');
    await waitFor(async () => (await readiness(node.url)).status === 200, { what: 'the node to be ready again' });
    await node.stop();
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

// Where nothing can be mounted, the same write fails with another real error of its class (53): no room for temporary
// files.
test.runIf(!mayMount)('a node whose database cannot write files is not ready, with the SQLSTATE', async () => {
  await alterDatabase("SET temp_file_limit = '1kB'");
  await waitFor(async () => /53400/.test((await readiness()).reasons.database ?? ''), { what: 'the reason' });
  await alterDatabase('RESET temp_file_limit');
  await waitFor(async () => (await readiness()).status === 200, { what: 'the node to be ready again' });
});
