import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster, remove, systemPostgres } from '../../bench/drills/lib/cluster.mjs';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { adoptDatabase, createEmptyDatabase } from '../support/database';
import { connectTo, createPerson, listAgent, message03, rpc } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { waitFor } from '../support/wait-for';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** Reports connections to other machines: an archive has everything that a node needs. */
const networkGuard = `import net from 'node:net';
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    const [first] = Array.isArray(args[0]) ? args[0] : args;
    const host = first?.host ?? 'localhost';
    if (first?.port && !/^(localhost|127\\.|::1)/.test(host)) console.error('NETWORK', host);
    return connect.apply(this, args);
  };`;

let folder: string;
let tree: string;
let archive: string;
let origin: string;
let environment: NodeJS.ProcessEnv;
let server: ChildProcess | undefined;
let output = '';

beforeAll(async () => {
  const packed = spawnSync(process.execPath, ['scripts/package.mjs'], {
    env: { ...process.env, BUILD: 'skip' },
    encoding: 'utf8',
  });
  expect(packed.status, packed.stderr).toBe(0);
  archive = /^(dist\/parley-\S+\.tar\.gz): /m.exec(packed.stdout)?.[1] ?? '';
  folder = mkdtempSync(path.join(tmpdir(), 'parley-archive-'));
  chmodSync(folder, 0o755);
  spawnSync('tar', ['-xzf', archive, '-C', folder, '--no-same-owner']);
  tree = path.join(folder, readdirSync(folder)[0] ?? '');
  spawnSync('chmod', ['-R', 'a-w', tree]);
  const [dataDir, home] = ['data', 'home'].map((name) => path.join(folder, name)) as [string, string];
  for (const own of [dataDir, home]) {
    mkdirSync(own);
    if (isRoot) chownSync(own, nobody, nobody);
  }
  const database = await createEmptyDatabase();
  adoptDatabase(database.url);
  const port = await freePort();
  origin = `http://localhost:${port}`;
  environment = {
    ...{
      NODE_ENV: 'production',
      PATH: '/usr/bin:/bin',
      HOME: home,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(networkGuard)}`,
    },
    ...{ PORT: String(port), APP_URL: origin, DATA_DIR: dataDir, DATABASE_URL: database.url },
    ...{ NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET, KEY_ENCRYPTION_KEY: process.env.KEY_ENCRYPTION_KEY },
    ...{ AGENT_URL_ALLOW: 'http://127.0.0.1:*', PROBE_INTERVAL_SECONDS: '0', SHUTDOWN_DELAY_SECONDS: '1' },
  };
}, 400_000);

afterAll(() => {
  server?.kill('SIGKILL');
  spawnSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Root runs the archive as `nobody`. */
const user = isRoot ? { uid: nobody, gid: nobody } : {};

/** Runs `bin/parley` from an unrelated folder. */
function parley(args: string[], variables: object = {}): { status: number | null; stdout: string; stderr: string } {
  const command = [path.join(tree, 'bin/parley'), ...args];
  const env = { ...environment, ...variables };
  return spawnSync(process.execPath, command, { ...user, env, cwd: '/', encoding: 'utf8' });
}

/** Every file of the tree with its size and time of change. */
function listTree(): string[] {
  const { stdout } = spawnSync('find', [tree, '-printf', '%p %s %T@\n'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return stdout.split('\n').sort();
}

async function serve(extra: Record<string, string> = {}): Promise<void> {
  const env = { ...environment, ...extra };
  server = spawn(process.execPath, [path.join(tree, 'bin/parley'), 'serve'], { ...user, env, cwd: '/' });
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  await waitFor(async () => (await fetch(`${origin}/readyz`)).status === 200, {
    timeout: 60_000,
    what: `a node: ${output}`,
  });
}

test('the archive has at most 150 MB, one folder, the licenses and a list of all packages', () => {
  expect(statSync(archive).size).toBeLessThanOrEqual(150_000_000);
  expect(readdirSync(folder).sort()).toEqual(['data', 'home', path.basename(archive, '.tar.gz')].sort());
  expect(readFileSync(path.join(tree, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('react-dom 19');
  const { components } = JSON.parse(readFileSync(path.join(tree, 'sbom.cdx.json'), 'utf8'));
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['next', 'pg', 'react-markdown', 'sharp', 'zod']));
  for (const tool of ['vitest', 'typescript', 'prisma', 'esbuild']) expect(names).not.toContain(tool);
  const tools = ['database-url', 'doctor', 'embedding-worker', 'env', 'fees', 'keys', 'move-owners', 'tax', 'x402'];
  const programs = ['server', ...tools].map((name) => `${name}.mjs`);
  const bundles = readdirSync(path.join(tree, 'dist')).filter((name) => !name.startsWith('shared-'));
  expect(bundles.sort()).toEqual([...programs, 'mermaid.min.js', 'packages'].sort());
  const inTree = (file: string): string => path.join(tree, file);
  for (const secret of ['.env', '.data', '.git']) expect(existsSync(inTree(secret)), secret).toBe(false);
});

test('the archive runs as another user in a read-only tree, where doctor names missing settings', () => {
  const before = parley(['doctor', '--json']);
  expect(before.status, before.stderr).toBe(1);
  const failed = JSON.parse(before.stdout).filter(({ status }: { status: string }) => status === 'fail');
  expect(failed).toEqual([
    expect.objectContaining({ check: 'schema', advice: expect.stringContaining('parley migrate') }),
  ]);
  const migrated = parley(['migrate']);
  expect(migrated.status, migrated.stderr).toBe(0);
  const after = parley(['doctor']);
  expect(after.status, after.stdout).toBe(0);
  expect(after.stdout).toMatch(/^ok {4}embeddings .*512 dimensions$/m);
  const { NEXTAUTH_SECRET, KEY_ENCRYPTION_KEY, DATABASE_URL = '' } = environment;
  for (const secret of [NEXTAUTH_SECRET, KEY_ENCRYPTION_KEY, new URL(DATABASE_URL).password])
    expect(before.stdout + after.stdout).not.toContain(secret);
});

test('the archive serves pages, agents and searches by meaning, drains at SIGTERM, and writes only to DATA_DIR', async () => {
  const before = listTree();
  const agent = await ScriptedAgent.start({ name: 'Table Taker', streaming: false });
  await serve();
  const page = await (await fetch(`${origin}/sign-in`, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('name="password"');
  const asset = /\/_next\/static\/[^"]+\.js/.exec(page)?.[0];
  expect((await fetch(`${origin}${asset}`)).status).toBe(200);
  expect((await fetch(`${origin}/packages/agent.tgz`)).status).toBe(200);
  const ada = await createPerson(origin);
  const connection = await connectTo(origin, ada, await listAgent(origin, ada, { url: agent.url }));
  const statement = await fetch(`${origin}/api/statements/2026.pdf`, {
    headers: { authorization: `Bearer ${ada.accessToken}` },
  });
  expect((await statement.text()).slice(0, 5)).toBe('%PDF-');
  let answer: () => void = () => undefined;
  agent.answer(async ({ received, json }) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t-1', 'completed', ['done']) });
  });
  const search = async (): Promise<{ semantic: string; items: { name: string }[] }> =>
    (await fetch(`${origin}/api/agents?q=${encodeURIComponent('something to eat')}`)).json();
  const isFoundByMeaning = async (): Promise<boolean> => {
    const { semantic, items } = await search();
    return semantic === 'on' && items.some(({ name }) => name === 'Table Taker');
  };
  await waitFor(isFoundByMeaning, { timeout: 60_000, what: 'the agent in a search by meaning' });
  const sent = rpc(connection, 'message/send', message03('a table for two'));
  await waitFor(() => agent.calls('message/send').length === 1, { what: 'the agent to receive the message' });
  server?.kill('SIGTERM');
  const exit = new Promise((resolve) => server?.once('exit', resolve));
  await waitFor(async () => (await fetch(`${origin}/readyz`)).status === 503, {
    what: 'a node that is stopping',
  }).catch(() => undefined);
  answer();
  expect((await sent).body.result).toMatchObject({ status: { state: 'completed' } });
  expect(await exit).toBe(0);
  expect(listTree()).toEqual(before);
  expect(output).not.toMatch(/NETWORK|EACCES|EROFS|ENOENT|MODULE_NOT_FOUND/);
  expect(output).not.toContain('"level":"error"');
  await agent.stop();
});

test('the archive serves in several processes with WORKERS, and SIGTERM ends them', async () => {
  await serve({ WORKERS: '2' });
  await waitFor(() => output.includes('2 workers started'), { what: 'both workers', timeout: 60_000 });
  server?.kill('SIGTERM');
  expect(await new Promise((resolve) => server?.once('exit', resolve))).toBe(0);
  expect(output).not.toMatch(/worker\.died|MODULE_NOT_FOUND/);
});

test.skipIf(!systemPostgres())('the commands keys, audit and backup run from the archive', async () => {
  const own = path.join(folder, 'postgres');
  const cluster = await createCluster({ folder: own, binaries: systemPostgres() ?? undefined });
  cluster.start();
  try {
    for (const name of ['live', 'restored']) await cluster.query('postgres', `CREATE DATABASE ${name}`);
    const on = (database: string, ...args: string[]): string => {
      const ran = parley(args, { DATABASE_URL: cluster.url(database) });
      expect(ran.status, ran.stderr).toBe(0);
      return ran.stdout;
    };
    on('live', 'migrate');
    expect(on('live', 'keys', 'rotate', 'card')).toMatch(/^card-\w+ {2}signs$/m);
    expect(on('live', 'keys', 'reencrypt')).toMatch(/^signing_key: 1 rows, 0 of them encrypted again$/m);
    expect(on('live', 'audit')).toMatch(/^1 entries verified; mark /);
    const [, backup = ''] = /^(\S+): \d+ rows$/m.exec(on('live', 'backup', '--to', environment.DATA_DIR ?? '')) ?? [];
    expect(on('restored', 'backup', 'restore', backup)).toMatch(
      /^restored: \d+ tables with \d+ rows match the backup$/m,
    );
  } finally {
    cluster.stop('immediate');
    remove(own);
  }
});

test('each command names the setting that it requires if DATABASE_URL or secrets are missing', () => {
  const { DATABASE_URL: _, KEY_ENCRYPTION_KEY: __, ...incomplete } = environment;
  const run = (...args: string[]): [number | null, string] => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(tree, 'bin/parley'), ...args], {
      ...{ ...user, cwd: '/', encoding: 'utf8', env: incomplete as NodeJS.ProcessEnv },
    });
    return [status, stderr];
  };
  for (const command of ['migrate', 'keys', 'fees', 'tax', 'x402', 'audit', 'backup'])
    expect(run(command)).toEqual([1, expect.stringContaining('DATABASE_URL is not set; expected postgresql://')]);
  const [status, said] = run('serve');
  expect(status).toBe(1);
  for (const name of ['DATABASE_URL', 'KEY_ENCRYPTION_KEY']) expect(said).toContain(`${name}: found nothing`);
  expect(run('doctor')[0]).toBe(1);
});
