import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processMark } from '../../scripts/processes.mjs';
import { createTestDatabase } from './database';
import { type Parley, startParley } from './parley';
import { isPublished, publishSettings } from './settings';

const secrets = {
  NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
};
const parleys = new Map<string, Promise<Parley>>();

/** Responds to a worker with its Parley, which the first request starts; with `?from` with its output from there. */
const server = createServer(async ({ url: asked = '' }, response) => {
  try {
    const [worker = '', from] = asked.split('?from=');
    const { url, databaseUrl, dataDir, output } = await parleyOf(worker);
    const printed = output();
    if (from !== undefined) response.end(printed.slice(Number(from)));
    else response.end(JSON.stringify({ url, databaseUrl, dataDir, secrets, printed: printed.length }));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

/** Vitest calls this before the first test file, for every project; the projects share workers. */
export async function setup(): Promise<void> {
  if (isPublished('parleysUrl')) return;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  publishSettings({ parleysUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Vitest calls this after the last test file. */
export async function teardown(): Promise<void> {
  server.close();
  for (const started of await Promise.allSettled(parleys.values())) {
    // At once: another project may have dropped the databases.
    if (started.status === 'fulfilled') await started.value.kill('SIGKILL').then(started.value.stop);
  }
}

/** The next file gets a new Parley when a test has stopped this one. */
async function parleyOf(worker: string): Promise<Parley> {
  const current = await parleys.get(worker)?.catch(() => undefined);
  if (current && processMark(current.pid) !== null) return current;
  const started = start();
  parleys.set(worker, started);
  return started;
}

async function start(): Promise<Parley> {
  const { url } = await createTestDatabase();
  return startParley({
    databaseUrl: url,
    env: {
      ...secrets,
      AGENT_URL_ALLOW: 'http://127.0.0.1:*',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      // Its job would delete the calls that a test dates to the last change of the clocks.
      RETENTION_DAYS: 'calls=365',
      // Tests of workers that do not reconnect wait for its end.
      HUB_GRACE_SECONDS: '3',
    },
  });
}
