import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs';
import { ROOT } from '../../scripts/program.mjs';

const run = promisify(execFile);

/**
 * Starts a server with an empty main database and others for owners.
 *
 * @param {string[]} names
 * @returns {Promise<{ url: string, urls: Record<string, string>, setting: string, stop: () => Promise<void> }>} `urls`: with that of `main`;
 *   `setting`: `TASK_DATABASE_URLS`
 */
export async function startTaskDatabases(names) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-shards-'));
  const { url, stop } = await startEmbeddedPostgres({ dataDir });
  const urls = { main: url };
  await withClient(url, async (client) => {
    for (const name of names) {
      await client.query(`CREATE DATABASE ${name}`);
      const database = new URL(url);
      database.pathname = `/${name}`;
      urls[name] = database.href;
    }
  });
  return {
    url,
    urls,
    setting: names.map((name) => `${name}=${urls[name]}`).join(' '),
    async stop() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Runs `work` with a connection of its own.
 *
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs `parley shards`.
 *
 * @param {Record<string, string>} variables those of the nodes
 * @param {...string} args
 * @returns {{ started: Promise<void>, ended: Promise<string>, kill: () => void }} `started` resolves at the first output,
 *   `ended` to the output, also if it fails
 */
export function runShards(variables, ...args) {
  const command = [path.join(ROOT, 'scripts/cli/main.mjs'), 'shards', ...args];
  const running = run(process.execPath, command, { env: variables, maxBuffer: 2 ** 26 });
  return {
    started: new Promise((resolve) => {
      running.child.stdout.once('data', () => resolve());
      running.child.once('close', () => resolve());
    }),
    ended: running.catch((error) => error).then(({ stdout, stderr }) => `${stdout}${stderr}`),
    kill: () => running.child.kill('SIGKILL'),
  };
}
