// The indexes of `prisma/migrations/NNNN_x/concurrent.sql`. They are built while nodes serve, which may take hours. No
// start waits for them, and no code requires them for correctness.
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { connectTo, listMigrations } from './migrate.mjs';
import { pendingKeys, replaceKeys } from './online-steps.mjs';
import { splitStatements } from './sql-statements.mjs';

/**
 * Only one process builds at a time. The lock is acquired without waiting, because a waiting statement holds a
 * snapshot, for which a build would wait.
 */
const INDEX_LOCK = 72_707_371;
const RETRY_MS = 1_000;
const PROGRESS_MS = 5_000;

/** Locks of an index build do not block reads or writes. The server aborts the build of a killed command. */
const SESSION = "SET statement_timeout = 0; SET lock_timeout = 0; SET client_connection_check_interval = '2s'";

/**
 * Returns the work that the concurrent.sql files require in a database: indexes that are missing or invalid because
 * their build was killed, and indexes to drop.
 *
 * @param {import('pg').Client} client
 * @param {string} [folder]
 * @returns {Promise<{ name: string, sql: string | null, isInvalid: boolean }[]>} without `sql`, the index is dropped
 */
async function findWork(client, folder) {
  const wanted = demandedBy(listMigrations(folder));
  if (wanted.size === 0) return [];
  const names = await appliedMigrations(client);
  const { rows } = await client.query(
    `SELECT relname AS name, indisvalid AS valid FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
     WHERE relname = ANY($1) AND relnamespace = current_schema()::regnamespace`,
    [[...wanted.keys()]],
  );
  const found = new Map(rows.map(({ name, valid }) => [name, valid]));
  return [...wanted]
    .filter(([name, { sql, migration }]) => names.has(migration) && (sql === null ? found.has(name) : !found.get(name)))
    .map(([name, { sql }]) => ({ name, sql, isInvalid: found.get(name) === false }));
}

async function appliedMigrations(client) {
  const { rows } = await client.query(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns the applied migrations with keys to replace. */
async function migrationsWithKeys(client, folder) {
  const found = listMigrations(folder).filter(({ keysSql }) => keysSql !== null);
  if (found.length === 0) return [];
  const names = await appliedMigrations(client);
  return found.filter(({ name }) => names.has(name));
}

/**
 * Returns the required indexes. The last statement about an index applies; an index that a later migration drops is not
 * required.
 */
function demandedBy(migrations) {
  const wanted = new Map();
  for (const { name: migration, sql, concurrentSql } of migrations) {
    for (const { text } of splitStatements(sql)) {
      const [, names = ''] = /^drop index (?:if exists )?(.*)$/.exec(text) ?? [];
      for (const name of names.split(' , ')) wanted.delete(unquote(name));
    }
    for (const { text, sql: statement } of splitStatements(concurrentSql ?? '')) {
      const [, name] =
        /^(?:create (?:unique )?index concurrently|drop index concurrently if exists) (\S+)/.exec(text) ?? [];
      if (name) wanted.set(unquote(name), { migration, sql: text.startsWith('drop') ? null : statement });
    }
  }
  return wanted;
}

const unquote = (name) => name.replace(/^"(.*)"$/, '$1');

/**
 * Returns the indexes and keys that {@link buildIndexes} would build, replace or drop.
 *
 * @param {string} url
 * @param {string} [folder]
 * @returns {Promise<string[]>} their names
 */
export async function pendingIndexes(url, folder) {
  const client = await connectTo(url);
  try {
    const indexes = await findWork(client, folder);
    const keys = await pendingKeys(client, await migrationsWithKeys(client, folder));
    return [...indexes, ...keys].map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Builds and drops indexes while nodes serve, one after the other. May be killed at any time and repeated, because an
 * index of a killed build is dropped and built again. If another process is doing the same, waits for it. Then replaces
 * keys, unless nodes of an earlier release run.
 *
 * @param {string} url
 * @param {{ folder?: string, print?: (line: string) => void, nodesUrl?: string }} [options] `nodesUrl`: the database of
 *   DATABASE_URL, if `url` is another one
 * @returns {Promise<string[]>} the names of the indexes and keys that this call built, replaced or dropped
 * @throws {CliError} if a build fails; the next call completes it
 */
export async function buildIndexes(url, { folder, print = console.error, nodesUrl } = {}) {
  const client = await connectTo(url);
  const done = [];
  try {
    await client.query(SESSION);
    await acquireLock(client, print);
    for (const work of await findWork(client, folder)) {
      await buildIndex(client, work, { url, print });
      done.push(work.name);
    }
    done.push(...(await buildKeys(client, { folder, print, nodesUrl })));
    return done;
  } finally {
    await client.end();
  }
}

async function buildKeys(client, { folder, print, nodesUrl }) {
  const migrations = await migrationsWithKeys(client, folder);
  if (migrations.length === 0) return [];
  const nodes = nodesUrl === undefined ? client : await connectTo(nodesUrl);
  try {
    return await replaceKeys(client, { migrations, nodes, print });
  } finally {
    if (nodes !== client) await nodes.end();
  }
}

async function buildIndex(client, { name, sql, isInvalid }, { url, print }) {
  try {
    if (isInvalid) print(`index ${name}: removing what a killed build left`);
    if (isInvalid || sql === null) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
    if (sql !== null) await reportProgress({ url, name, print, pid: client.processID }, () => client.query(sql));
  } catch (error) {
    throw new CliError(`the index ${name} was not completed: ${error.message}; run the command again to complete it`);
  }
  print(`index ${name}: ${sql === null ? 'dropped' : 'built'}`);
}

async function acquireLock(client, print) {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS acquired', [INDEX_LOCK]);
    if (rows[0].acquired) return;
    if (attempt === 0) print('another process builds indexes; waiting for it');
    await sleep(RETRY_MS);
  }
}

async function reportProgress({ url, name, print, pid }, work) {
  const monitor = await connectTo(url);
  const report = async () => {
    const { rows } = await monitor.query(
      `SELECT phase, CASE WHEN blocks_total > 0 THEN 100 * blocks_done / blocks_total END AS percent
       FROM pg_stat_progress_create_index WHERE pid = $1`,
      [pid],
    );
    for (const { phase, percent } of rows) print(`index ${name}: ${phase}${percent === null ? '' : `, ${percent} %`}`);
  };
  let pending = null;
  const timer = setInterval(() => {
    pending ??= report().then(
      () => (pending = null),
      () => clearInterval(timer),
    );
  }, PROGRESS_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await pending;
    await monitor.end();
  }
}
