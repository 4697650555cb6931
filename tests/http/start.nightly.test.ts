import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../support/free-port';
import { waitFor } from '../support/wait-for';

// The first start of a run may have to build.
vi.setConfig({ testTimeout: 120_000 });

const running = new Set<ChildProcess>();
let dataDir: string;
let port: number;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'parley-start-'));
  port = await freePort();
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  output(): string;
  errors(): string;
  ended: Promise<number | null>;
}

const npmStart = ['npm', 'start', '--silent'];

function start(extra: Record<string, string> = {}, [command = '', ...args]: string[] = npmStart): Run {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: '0',
    ...extra,
  };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { output: '', errors: '' };
  child.stdout?.on('data', (chunk) => {
    printed.output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    printed.errors += chunk;
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => printed.output, errors: () => printed.errors, ended };
}

async function untilReady(run: Run): Promise<void> {
  await waitFor(() => run.output().includes('Parley is ready at') || run.child.exitCode !== null, {
    timeout: 110_000,
    what: 'npm start to be ready',
  });
  expect(run.child.exitCode, run.errors()).toBeNull();
}

async function page(): Promise<number> {
  return (await fetch(`http://localhost:${port}/readyz`)).status;
}

const refusals: { what: string; env: Record<string, string>; line: RegExp }[] = [
  { what: 'an invalid port', env: { PORT: 'http' }, line: /^parley: PORT: found "http"; expected/ },
  { what: 'an invalid URL', env: { APP_URL: 'parley' }, line: /^parley: APP_URL: found .*expected/ },
  { what: 'an invalid switch', env: { DEMO: 'yes' }, line: /^parley: DEMO: found "yes"/ },
  {
    what: 'a database that does not respond',
    env: { DATABASE_URL: 'postgresql://ada:hush@127.0.0.1:1/parley' },
    line: /^parley: the database of DATABASE_URL \(127\.0\.0\.1:1\/parley\) cannot be used: .*ECONNREFUSED/,
  },
];

test.each(refusals)('startup fails with a one-line error and no stack trace for $what', async ({ env, line }) => {
  const run = start(env);
  expect(await run.ended).toBe(1);
  expect(run.errors().trim().split('\n')).toHaveLength(1);
  expect(run.errors()).toMatch(line);
  expect(run.errors()).not.toContain('hush');
});

test('startup fails with a one-line error that names the port if it is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const taken = (server.address() as AddressInfo).port;
  const run = start({ PORT: String(taken) });
  expect(await run.ended).toBe(1);
  expect(run.errors()).toMatch(new RegExp(`^parley: port ${taken} on 127\\.0\\.0\\.1 is in use.*\\n$`));
  server.close();
});

test('SIGTERM to npm stops the server and the database', async () => {
  const run = start();
  await untilReady(run);
  expect(await page()).toBe(200);
  run.child.kill('SIGTERM');
  expect(await run.ended, run.errors()).toBe(0);
  await expect(page()).rejects.toThrow();
  expect(databasePort(run)).toBeGreaterThan(0);
  await expect(fetch(`http://127.0.0.1:${databasePort(run)}`)).rejects.toThrow();
});

test('two processes with WORKERS share one embedded database and one demo, and SIGTERM ends all of them', async () => {
  const run = start({ WORKERS: '2', DEMO: '1' });
  await untilReady(run);
  expect(run.output()).toContain('demo agents running');
  expect(run.output()).toContain('2 workers started');
  expect(run.output()).toContain('Sign in as demo@parley.test');
  expect(run.errors()).not.toMatch(/worker\.(died|start_failed)/);
  const { items } = (await (await fetch(`http://localhost:${port}/api/agents`)).json()) as {
    items: { name: string }[];
  };
  expect(new Set(items.map(({ name }) => name)).size).toBe(items.length);
  run.child.kill('SIGTERM');
  expect(await run.ended, run.errors()).toBe(0);
  await expect(page()).rejects.toThrow();
});

test('the server adopts the database at its next start after kill -9', async () => {
  const killed = start({}, ['node', 'scripts/start.mjs']);
  await untilReady(killed);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const next = start();
  await untilReady(next);
  expect(next.output()).toContain('PostgreSQL joined');
  expect(databasePort(next)).toBe(databasePort(killed));
  next.child.kill('SIGTERM');
  expect(await next.ended, next.errors()).toBe(0);
});

test('the server continues if its output is no longer read', async () => {
  const run = start({}, ['node', 'scripts/start.mjs']);
  await untilReady(run);
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  for (let call = 0; call < 3; call++) {
    const response = await fetch(`http://localhost:${port}/agents/nobody/a2a/jsonrpc`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  }
  expect(await page()).toBe(200);
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
});

function databasePort(run: Run): number {
  return Number(/PostgreSQL \w+ on 127\.0\.0\.1:(\d+)/.exec(run.output())?.[1]);
}
