import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-output.mjs';
import { startEmbeddedPostgres } from '../embedded-postgres.mjs';
import { migrate } from '../migrate.mjs';
import { freePort } from '../processes.mjs';
import { ROOT } from '../program.mjs';
import { onShutdown } from '../shutdown.mjs';

const START_TIMEOUT_MS = 120_000;

/** The owner of the demo agents; a moderator, too. */
export const demoUser = { email: 'demo@parley.test', password: randomBytes(12).toString('base64url') };

/**
 * Starts Parley with the demo on a new database and seeds listings and calls.
 *
 * @returns {Promise<{ origin: string, outbox: string }>} its origin, and the folder of the emails it sends
 * @throws {CliError} if it does not start
 */
export async function startParley() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-screenshots-'));
  onShutdown(async () => rmSync(dataDir, { recursive: true, force: true }));
  const database = await startEmbeddedPostgres({ dataDir });
  onShutdown(database.stop);
  await migrate(database.url);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: origin,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DEMO: '1',
    DEMO_PASSWORD: demoUser.password,
    ADMIN_EMAILS: demoUser.email,
    // The seeded listings have no agents to probe.
    PROBE_INTERVAL_SECONDS: '0',
    LOG_LEVEL: 'warn',
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
  };
  const server = spawn(process.execPath, ['scripts/serve.mjs'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onShutdown(() => stop(server));
  await untilReady(origin, server);
  const seed = ['scripts/seed.mjs', '--listings', '60', '--calls', '400', '--screens', '--force'];
  const { status, stderr } = spawnSync(process.execPath, seed, { cwd: ROOT, env, encoding: 'utf8' });
  if (status !== 0) throw new CliError(`seeding failed: ${stderr}`);
  return { origin, outbox: path.join(dataDir, 'outbox') };
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

async function untilReady(origin, server) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && server.exitCode === null) {
    const response = await fetch(`${origin}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(200);
  }
  throw new CliError(`Parley was not ready at ${origin}`);
}
