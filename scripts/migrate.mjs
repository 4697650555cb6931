import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { adoptBaseline } from './baseline.mjs';
import { CliError } from './cli-output.mjs';
import { lockOlderNodesOut, requireNoOlderNode } from './live-nodes.mjs';
import { watchBlockers } from './lock-holders.mjs';
import { classify } from './migration-kind.mjs';
import { completeBackfills, pendingBackfills } from './online-steps.mjs';
import { readRelease } from './release.mjs';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** The advisory lock of `prisma migrate`, so that concurrently starting nodes and the CLI wait for each other. */
const MIGRATION_LOCK = 72_707_369;

/** Timeouts: ten minutes per statement of a migration, and two minutes for the migrations of another node. */
const DEADLINES = "SET statement_timeout = '10min'; SET lock_timeout = '2min'";

/**
 * Timeout of a migration's table lock. The statements of all nodes wait behind it, so it is shorter than their
 * timeouts.
 */
const TABLE_LOCK_TIMEOUT = "SET LOCAL lock_timeout = '3s'";
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_ATTEMPTS = 30;
/**
 * Delay after a failed attempt, milliseconds. It allows traffic to recover and has jitter, so that nodes do not retry
 * at the same time.
 */
const LOCK_PAUSE = { least: 1_000, spread: 2_000 };

const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Lists the migrations of a folder (by default ours) in order, with the checksum that Prisma's CLI computes.
 * `concurrentSql` contains the indexes that are built outside of a transaction (scripts/concurrent-indexes.mjs), `backfillSql`
 * and `keysSql` further steps outside of it (scripts/online-steps.mjs).
 *
 * @param {string} [folder]
 * @returns {{ name: string, sql: string, concurrentSql: string | null, backfillSql: string | null, keysSql: string | null,
 *   checksum: string }[]}
 */
export function listMigrations(folder = MIGRATIONS) {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(path.join(folder, name, 'migration.sql')))
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8');
      const read = (file) => {
        const found = path.join(folder, name, file);
        return existsSync(found) ? readFileSync(found, 'utf8') : null;
      };
      return {
        name,
        sql,
        concurrentSql: read('concurrent.sql'),
        backfillSql: read('backfill.sql'),
        keysSql: read('keys.sql'),
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    });
}

/**
 * Applies pending migrations and records them in Prisma's own table, so that `prisma migrate` agrees, and in
 * `schema_change`, which states the releases that are compatible with them. Each migration and its records are one
 * transaction, so that a failed migration changes nothing. A migration that waits for a lock aborts after a few
 * seconds, so that traffic continues, and retries.
 *
 * @param {string} url
 * @param {string} [folder]
 * @param {{ print?: (line: string) => void, release?: { release: string, oldestPeer: string } }} [options]
 * @returns {Promise<string[]>} the names of the migrations applied by this call
 * @throws {CliError} if the server does not respond, a migration fails, an applied one was edited later, or a running
 *   node is too old for it
 */
export async function migrate(url, folder = MIGRATIONS, { print = console.error, release = readRelease() } = {}) {
  const client = await connectTo(url);
  try {
    await client.query(DEADLINES);
    // Writes nothing if no migration is pending, so that Parley can start with a standby or a read-only database.
    const migrations = listMigrations(folder);
    if (await isUpToDate(client, migrations)) return [];
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(HISTORY_TABLE);
    await adoptBaseline(client, migrations, print);
    const pending = await findPending(client, migrations);
    if (pending.length > 0) {
      const { release: own, oldestPeer } = release;
      const advice = `release ${own} runs beside ${oldestPeer} or newer; upgrade all nodes to ${oldestPeer} first`;
      await requireNoOlderNode(client, { oldest: oldestPeer, advice, print });
    }
    for (const migration of pending) await applyWithRetries(client, migration, { url, print, release });
    await completeBackfills(client, migrations, print);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Returns true if the database has applied all of these migrations, unchanged. */
async function isUpToDate(client, migrations) {
  const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (tables[0].name === null) return false;
  const applied = await readApplied(client);
  const isApplied = migrations.every(({ name, checksum }) => {
    const entry = applied.get(name);
    return entry?.finished_at && entry.checksum === checksum;
  });
  return isApplied && (await pendingBackfills(client, migrations)).length === 0;
}

/** Returns the migrations that are missing in the database. */
async function findPending(client, migrations) {
  const applied = await readApplied(client);
  return migrations.filter((migration) => isPending(migration, applied.get(migration.name)));
}

async function readApplied(client) {
  const { rows } = await client.query(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/**
 * Connects to PostgreSQL and checks its version.
 *
 * @param {string} url
 * @returns {Promise<import('pg').Client>} the caller must end it
 * @throws {CliError} one line with the server (never its password) and the reason
 */
export async function connectTo(url) {
  if (!/^postgres(ql)?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new CliError('DATABASE_URL is not a PostgreSQL URL; expected postgresql://user:password@host:5432/database');
  }
  const { default: pg } = await import('pg');
  let client;
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    // The statement that fails reports a lost connection.
    client.on('error', () => undefined);
    await client.connect();
  } catch (error) {
    // If the connection is refused on both 127.0.0.1 and ::1, the error is an AggregateError without a message.
    const reason = error.message || error.errors?.[0]?.message || error.code;
    throw new CliError(`the database of DATABASE_URL (${withoutSecrets(url)}) cannot be used: ${reason}`);
  }
  const { rows } = await client.query('SHOW server_version_num');
  if (Number(rows[0].server_version_num) < 150_000) {
    await client.end();
    throw new CliError(
      `PostgreSQL 15 or newer is required; the server in DATABASE_URL has version ${rows[0].server_version_num}`,
    );
  }
  return client;
}

function withoutSecrets(url) {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

function isPending(migration, entry) {
  if (!entry) return true;
  if (!entry.finished_at) {
    throw new CliError(
      `the migration ${migration.name} was started by Prisma's CLI and failed; ` +
        `repair the database, then run: npx prisma migrate resolve --rolled-back ${migration.name}`,
    );
  }
  if (entry.checksum !== migration.checksum) {
    throw new CliError(
      `the migration ${migration.name} was changed after this database had applied it; ` +
        'restore the file and add the change as a new migration',
    );
  }
  return false;
}

async function applyWithRetries(client, migration, { url, print, release }) {
  const monitor = await connectTo(url);
  try {
    for (let attempt = 1; ; attempt++) {
      const blockers = watchBlockers(monitor, client.processID);
      const failure = await apply(client, migration, { release, print }).catch((error) => error);
      const holders = await blockers.stop();
      if (!failure) return;
      if (failure instanceof CliError) throw failure;
      if (failure.code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) {
        const held = failure.code === LOCK_NOT_AVAILABLE ? `; ${holders}` : '';
        throw new CliError(`the migration ${migration.name} failed and was rolled back: ${failure.message}${held}`);
      }
      print(`the migration ${migration.name} waits for a lock (attempt ${attempt} of ${LOCK_ATTEMPTS}): ${holders}`);
      await sleep(LOCK_PAUSE.least + Math.random() * LOCK_PAUSE.spread);
    }
  } finally {
    await monitor.end();
  }
}

async function apply(client, migration, { release: { release }, print }) {
  const { name, sql, checksum } = migration;
  const { kind, unusedSince } = classify(migration);
  const oldestRelease = kind === 'contract' ? (unusedSince ?? release) : null;
  const advice = `the migration ${name} removes what releases before ${oldestRelease} use; upgrade or stop these nodes first`;
  const users = oldestRelease === null ? null : { oldest: oldestRelease, advice };
  if (users) await requireNoOlderNode(client, { ...users, print });
  await client.query('BEGIN');
  try {
    await client.query(TABLE_LOCK_TIMEOUT);
    if (users) await lockOlderNodesOut(client, users);
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await recordChange(client, { name, release, oldestRelease });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function recordChange(client, { name, release, oldestRelease }) {
  const { rows } = await client.query("SELECT to_regclass('schema_change') IS NOT NULL AS exists");
  // A folder of migrations without ours has no such table.
  if (!rows[0].exists) return;
  const statement = `INSERT INTO schema_change (migration, release, oldest_release, applied_at) VALUES ($1, $2, $3, now())
    ON CONFLICT (migration) DO UPDATE SET release = excluded.release, oldest_release = excluded.oldest_release, applied_at = now()`;
  await client.query(statement, [name, release, oldestRelease]);
}
