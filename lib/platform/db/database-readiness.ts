import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  CLOCK_SKEW_FAIL_MS,
  CLOCK_SKEW_WARN_INTERVAL_MS,
  CLOCK_SKEW_WARN_MS,
  READINESS_CACHE_MS,
  READINESS_SLOTS,
} from '../limits';
import { errorFields, log } from '../runtime/log';
import { once } from '../runtime/once';
import { databaseCodeOf } from './database-errors';
import { pool } from './sql';

/** The release of this code, such as `1.2.0`, and the oldest release whose nodes may run alongside it. */
interface Release {
  release: string;
  oldestPeer: string;
}

/**
 * The error if this node must not run with this database or alongside its nodes. `message` states the cause and the
 * next step.
 */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/** The release in package.json: `version` and `parley.oldestPeer`. */
export const ownRelease = once((): Release => {
  const text = readFileSync(path.join(process.cwd(), 'package.json'), 'utf8');
  const { version, parley } = JSON.parse(text) as { version: string; parley: { oldestPeer: string } };
  return { release: version.replace(/-.*/, ''), oldestPeer: parley.oldestPeer };
});

/** Returns SQL that makes the release in `expression` comparable, so that 1.10.0 is newer than 1.9.0. */
export function releaseSql(expression: string): string {
  return `string_to_array(${expression}, '.')::int[]`;
}

/** A condition that must hold before this node receives traffic. */
export interface ReadinessCheck {
  name: string;
  /** Returns null if the condition holds, otherwise the found and the expected state, without secrets. May throw. */
  check: () => Promise<string | null>;
  /** True if the check queries the database. If it does not finish, the check `database` fails too. */
  needsDatabase?: true;
}

/** The result of each check in one probe; null if the check passed. */
interface Findings {
  database: string | null;
  clock: string | null;
  schema: string | null;
  /** True if `schema` has migrations that break this release, which only a newer release can use. */
  isTooNew: boolean;
}

interface DatabaseState {
  standby: boolean;
  readOnly: boolean;
  now: number;
  applied: string[];
  /** The applied migrations that are not recorded as compatible with this release. */
  unconfirmed: string[];
  /** The oldest release that is compatible with all of them; null if every release is compatible. */
  requiredRelease: string | null;
}

interface ProbeCache {
  latest: Promise<Findings> | null;
  endedAt: number;
  warnedAt: number;
}

const appliedSql = 'FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
const readSql = `SELECT pg_is_in_recovery() AS "standby", current_setting('default_transaction_read_only') = 'on' AS "readOnly",
    extract(epoch FROM clock_timestamp()) * 1000 AS "now", ARRAY(SELECT migration_name ${appliedSql}) AS "applied",
    ARRAY(SELECT migration_name ${appliedSql} AND NOT EXISTS (SELECT FROM schema_change WHERE migration = migration_name
      AND (oldest_release IS NULL OR ${releaseSql('oldest_release')} <= ${releaseSql('$1')}))) AS "unconfirmed",
    (SELECT oldest_release FROM schema_change ORDER BY ${releaseSql('oldest_release')} DESC NULLS LAST LIMIT 1) AS "requiredRelease"`;

/**
 * Writes a row and sorts more than `work_mem`. The row alone fits into existing pages, whereas the temporary file of
 * the sort detects a full disk. One round trip and one transaction ("Simple Query").
 */
const writeSql = (slot: number): string => `SET LOCAL work_mem = '64kB'; SET LOCAL temp_tablespaces = '';
  INSERT INTO readiness_write (slot, written_at) VALUES (${slot}, now()) ON CONFLICT (slot) DO UPDATE SET written_at = now();
  SELECT count(*) FROM generate_series(1, 8000)`;

/**
 * Returns the database checks of `/readyz`: `database` (responds and is writable), `clock` (within 30 s of this node's
 * clock) and `schema` (has the migrations of this release and no incompatible ones). They share one probe, which runs
 * at most every half second.
 */
export function databaseChecks(): ReadinessCheck[] {
  return (['database', 'clock', 'schema'] as const).map((name) => ({
    name,
    check: async () => (await cachedProbe())[name],
  }));
}

/** Returns why this release can never use this database: its schema is too new. Otherwise null. */
export async function findTooNewSchema(): Promise<string | null> {
  const { schema, isTooNew } = await probe();
  return isTooNew ? schema : null;
}

const probeCache: ProbeCache = {
  latest: null,
  endedAt: 0,
  warnedAt: Number.NEGATIVE_INFINITY,
};

function cachedProbe(): Promise<Findings> {
  if (probeCache.latest && performance.now() - probeCache.endedAt < READINESS_CACHE_MS) return probeCache.latest;
  probeCache.endedAt = Number.POSITIVE_INFINITY;
  probeCache.latest = probe().finally(() => {
    probeCache.endedAt = performance.now();
  });
  return probeCache.latest;
}

async function probe(): Promise<Findings> {
  const findings: Findings = { database: null, clock: null, schema: null, isTooNew: false };
  try {
    const client = await pool().connect();
    const ignore = (error: Error): void => log.debug('readiness.connection_lost', errorFields(error));
    client.on('error', ignore);
    let failed = true;
    try {
      const before = Date.now();
      const { rows } = await client.query<DatabaseState>(readSql, [ownRelease().release]);
      const [state] = rows;
      if (state) Object.assign(findings, evaluate(state, { before, after: Date.now() }));
      findings.database ??= await tryWrite(client);
      failed = findings.database !== null;
    } finally {
      client.off('error', ignore);
      client.release(failed);
    }
  } catch (error) {
    const isEmpty = databaseCodeOf(error) === '42P01';
    if (isEmpty)
      findings.schema =
        'the database has no Parley schema, or an older one; apply the migrations (npm start does this)';
    else findings.database = describeFailure(error);
  }
  return findings;
}

const readinessSlot = randomInt(READINESS_SLOTS);

async function tryWrite(client: { query: (text: string) => Promise<unknown> }): Promise<string | null> {
  try {
    await client.query(writeSql(readinessSlot));
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

function evaluate(state: DatabaseState, { before, after }: { before: number; after: number }): Partial<Findings> {
  const { standby, readOnly, now } = state;
  const database = standby
    ? 'found a standby (pg_is_in_recovery), which is read-only; expected the primary'
    : readOnly
      ? 'found default_transaction_read_only = on; expected a writable database'
      : null;
  // The database read its clock between these two times, so only a difference beyond them is certain.
  const aheadMs = now < before ? before - now : now > after ? after - now : 0;
  if (
    Math.abs(aheadMs) >= CLOCK_SKEW_WARN_MS &&
    performance.now() - probeCache.warnedAt > CLOCK_SKEW_WARN_INTERVAL_MS
  ) {
    probeCache.warnedAt = performance.now();
    log.warn('clock.skewed', { aheadSeconds: Math.round(aheadMs / 1_000) });
  }
  const clock =
    Math.abs(aheadMs) > CLOCK_SKEW_FAIL_MS
      ? `this node's clock is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's; expected at most ${CLOCK_SKEW_FAIL_MS / 1_000} s`
      : null;
  return { database, clock, ...evaluateSchema(state) };
}

function evaluateSchema({
  applied,
  unconfirmed,
  requiredRelease,
}: DatabaseState): Pick<Findings, 'schema' | 'isTooNew'> {
  const expected = expectedMigrations();
  const missing = expected.filter((name) => !applied.includes(name));
  if (missing.length > 0) {
    const schema = `the database's schema is older than this code: it lacks ${missing.join(', ')}; apply the migrations (npm start does this)`;
    return { schema, isTooNew: false };
  }
  const unknown = expected.length === 0 ? [] : unconfirmed.filter((name) => !expected.includes(name));
  if (unknown.length === 0) return { schema: null, isTooNew: false };
  const required = requiredRelease === null ? 'the release that created it' : `release ${requiredRelease} or newer`;
  const schema = `the database's schema is newer than this code: ${unknown.join(', ')} does not work with release ${ownRelease().release}; run ${required}`;
  return { schema, isTooNew: true };
}

/**
 * The migrations in the folder of this release; empty if the code is deployed without the folder, in which case the
 * check passes.
 */
const expectedMigrations = once((): string[] => {
  try {
    const folder = path.join(process.cwd(), 'prisma', 'migrations');
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
});

/** Returns the name of the last migration that this code knows; empty without the folder. */
export function lastMigration(): string {
  return expectedMigrations().at(-1) ?? '';
}

/**
 * Describes a database failure by its SQLSTATE and meaning. Never contains the driver's message, which may include
 * addresses.
 */
function describeFailure(error: unknown): string {
  log.debug('readiness.database_failed', errorFields(error));
  const code = databaseCodeOf(error);
  if (code === '25006') return 'found a read-only database (25006); expected a writable database';
  if (code === '53100') return 'the disk of the database is full (53100)';
  if (/^28|^3D/.test(code)) return `the database rejects the user or the name in DATABASE_URL (${code})`;
  if (/^[0-9A-Z]{5}$/.test(code)) return `the database is not writable right now (${code})`;
  return 'the database is unreachable';
}
