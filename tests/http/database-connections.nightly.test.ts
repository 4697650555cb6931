import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let folder: string;
let database: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-connections-'));
  chmodSync(folder, 0o755);
  database = await startEmbeddedPostgres({ dataDir: folder });
  await migrate(database.url);
});

afterAll(async () => {
  await database?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function withParameters(url: string, parameters: Record<string, string>): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

async function isReady({ url }: Parley): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).status === 200;
}

test('a node states how many connections all nodes need and the database allows', async () => {
  const parley = await startParley({
    databaseUrl: database.url,
    env: { DATABASE_POOL_SIZE: '195', LOG_LEVEL: 'info' },
  });
  try {
    const line =
      parley
        .output()
        .split('\n')
        .find((text) => text.includes('database.connections')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', perNode: 199, nodes: 1, required: 199, allowed: 197 });
  } finally {
    await parley.stop();
  }
});

describe.skipIf(spawnSync('openssl', ['version']).status !== 0)('a node over TLS', () => {
  let certificates: string;

  beforeAll(async () => {
    certificates = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
    chmodSync(certificates, 0o755);
    createCertificates(certificates);
    const { uid, gid } = statSync(path.join(folder, 'postgres'));
    for (const name of ['server.key', 'server.pem']) chownSync(path.join(certificates, name), uid, gid);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`ALTER SYSTEM SET ssl_cert_file = '${certificates}/server.pem'`);
    await client.query(`ALTER SYSTEM SET ssl_key_file = '${certificates}/server.key'`);
    await client.query('ALTER SYSTEM SET ssl = on');
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  });

  afterAll(() => {
    if (certificates) rmSync(certificates, { recursive: true, force: true });
  });

  const overTls = (parameters: Record<string, string>): string => {
    const url = new URL(database.url);
    url.hostname = 'localhost';
    return withParameters(url.href, parameters);
  };

  test('encrypts every connection to the database, and verifies it against the given authority', async () => {
    const databaseUrl = overTls({ sslmode: 'verify-full', sslrootcert: `${certificates}/ca.pem` });
    const parley = await startParley({ databaseUrl });
    try {
      expect(await isReady(parley)).toBe(true);
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query(
        `SELECT count(*) FILTER (WHERE ssl)::int AS encrypted, count(*)::int AS "all"
         FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE application_name LIKE 'parley-%'`,
      );
      await client.end();
      expect(rows[0].all).toBeGreaterThanOrEqual(2);
      expect(rows[0].encrypted).toBe(rows[0].all);
    } finally {
      await parley.stop();
    }
  });

  test('rejects a certificate from an unknown authority', async () => {
    await expect(migrate(overTls({ sslmode: 'verify-full' }))).rejects.toThrow(/certificate/);
  });
});

describe.skipIf(spawnSync('pgbouncer', ['--version']).status !== 0)('a node behind PgBouncer', () => {
  async function startPooler(mode: 'session' | 'transaction'): Promise<{ url: string; stop: () => Promise<void> }> {
    const port = await freePort();
    const { username, password, pathname } = new URL(database.url);
    const own = mkdtempSync(path.join(tmpdir(), 'parley-pooler-'));
    chmodSync(own, 0o755);
    writeFileSync(path.join(own, 'users.txt'), `"${username}" "${password}"\n`);
    const settings = [
      '[databases]',
      `${pathname.slice(1)} = host=127.0.0.1 port=${database.port} user=${username} password=${password}`,
      '[pgbouncer]',
      `pool_mode = ${mode}`,
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'auth_type = plain',
      `auth_file = ${own}/users.txt`,
      'default_pool_size = 40',
      'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ];
    const file = path.join(own, 'pgbouncer.ini');
    writeFileSync(file, `${settings.join('\n')}\n`);
    // It refuses to run as root.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const pooler: ChildProcess = spawn('pgbouncer', ['--quiet', file], { stdio: 'ignore', ...asNobody });
    await waitFor(() => accepts(port), { what: 'PgBouncer to listen' });
    const url = new URL(database.url);
    url.port = String(port);
    return {
      url: url.href,
      stop: async () => {
        const ended = new Promise((resolve) => pooler.once('exit', resolve));
        pooler.kill('SIGKILL');
        await ended;
        rmSync(own, { recursive: true, force: true });
      },
    };
  }

  test('serves if the pooler keeps sessions', async () => {
    const pooler = await startPooler('session');
    try {
      const parley = await startParley({ databaseUrl: pooler.url });
      try {
        expect(await isReady(parley)).toBe(true);
      } finally {
        await parley.stop();
      }
    } finally {
      await pooler.stop();
    }
  });

  test('refuses to start if transactions share connections, and names the setting', async () => {
    const pooler = await startPooler('transaction');
    try {
      await expect(startParley({ databaseUrl: pooler.url })).rejects.toThrow(/DATABASE_URL: .*pool_mode = session/);
      const { NEXTAUTH_SECRET, KEY_ENCRYPTION_KEY, PATH } = process.env;
      const env = { PATH, NEXTAUTH_SECRET, KEY_ENCRYPTION_KEY, DATABASE_URL: pooler.url, EMBEDDINGS: 'off' } as const;
      const doctor = spawnSync(process.execPath, ['scripts/cli/main.mjs', 'doctor'], {
        env: { ...env, NODE_ENV: 'production' },
        encoding: 'utf8',
      });
      expect(doctor.status).toBe(1);
      expect(doctor.stdout).toMatch(/^fail {2}sessions .*pool_mode = session/m);
    } finally {
      await pooler.stop();
    }
  });
});

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** A certificate authority, and a certificate for localhost that it issued. */
function createCertificates(target: string): void {
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: target, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
  };
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(path.join(target, 'names.txt'), 'subjectAltName=DNS:localhost\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names.txt'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem');
  chmodSync(path.join(target, 'server.key'), 0o600);
  if (!existsSync(path.join(target, 'server.pem'))) throw new Error('openssl wrote no certificate');
}
