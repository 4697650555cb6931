import { Prisma } from '../../generated/prisma/client';
import { PARTITION_LOCK_TIMEOUT_MS, PARTITIONS_AHEAD_DAYS } from '../limits';
import { DAY_MS } from '../time';
import { row, text } from './rows';
import { executeIn } from './sql';
import { mainTaskDatabase, type TaskDatabase } from './task-databases/task-databases';
import { atDatabase } from './task-databases/task-statements';
import { inTransactionAt, type Tx } from './tx';

/** Tables partitioned by the day (UTC) of their column `at`. */
export type DayPartitioned = 'agent_call' | 'task_http_exchange';

/**
 * Maintains the partitions of a table: creates those of the next days, drops those that are entirely older than
 * `cutoff`, and moves the rows of a new day into its partition. Safe to run concurrently on several nodes.
 */
export async function maintainPartitions(
  table: DayPartitioned,
  { now, cutoff, database = mainTaskDatabase }: { now: Date; cutoff: Date; database?: TaskDatabase },
): Promise<void> {
  const days: Days = { table, database };
  for (let ahead = 0; ahead <= PARTITIONS_AHEAD_DAYS; ahead++)
    await ensurePartition(days, new Date(now.getTime() + ahead * DAY_MS));
  await dropOldPartitions(days, cutoff);
  const text = `DELETE FROM ${table}_default WHERE at < $1`;
  await atDatabase(database).execute(`expire-${table}-default`, text, [startOfDay(cutoff)]);
}

/** A partitioned table of one database. */
interface Days {
  table: DayPartitioned;
  database: TaskDatabase;
}

const nameRow = row({ name: text() });

async function exists(database: TaskDatabase, table: string): Promise<boolean> {
  const text = 'SELECT relname::text AS name FROM pg_class WHERE oid = to_regclass($1)';
  return (await nameRow.at(database).query('table-exists', text, [table])).length > 0;
}

/** Returns true if the table exists. Must be called under the lock, because another node may have created it. */
async function existsIn(tx: Tx, table: string): Promise<boolean> {
  const found = Prisma.sql`SELECT relname::text AS name FROM pg_class WHERE oid = to_regclass(${table})`;
  return (await nameRow.queryIn(tx, found)).length > 0;
}

/**
 * Creates the partition of a day if it is missing, and moves the rows of that day from the default partition into it.
 */
async function ensurePartition(days: Days, at: Date): Promise<void> {
  const { table, database } = days;
  const from = startOfDay(at);
  const name = partitionName(table, from);
  if (await exists(database, name)) return;
  const range = [from, new Date(from.getTime() + DAY_MS)].map((bound) => `'${bound.toISOString()}'`);
  await inShortLock(days, async (tx) => {
    if (await existsIn(tx, name)) return;
    const run = (statement: string): Promise<number> => executeIn(tx, Prisma.raw(statement));
    await run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS)`);
    await run(
      `WITH moved AS (DELETE FROM ${table}_default WHERE at >= ${range[0]} AND at < ${range[1]} RETURNING *)
       INSERT INTO ${name} SELECT * FROM moved`,
    );
    // Unlike CREATE TABLE … PARTITION OF, it lets writers of the other partitions continue.
    await run(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${range[0]}) TO (${range[1]})`);
  });
}

async function dropOldPartitions(days: Days, cutoff: Date): Promise<void> {
  const { table, database } = days;
  const partitions = await nameRow.at(database).query(
    'partitions',
    `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass($1) ORDER BY 1`,
    [table],
  );
  const firstKept = partitionName(table, startOfDay(cutoff));
  const old = partitions.filter(({ name }) => /_p\d{8}$/.test(name) && name < firstKept);
  for (const { name } of old) {
    await inShortLock(days, (tx) => executeIn(tx, Prisma.raw(`DROP TABLE IF EXISTS ${name}`)));
  }
}

/**
 * Runs `work` on one node at a time. Fails instead of blocking the table's writers behind a long read; the next round
 * retries.
 */
function inShortLock({ table, database }: Days, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  return inTransactionAt(database, async (tx) => {
    await executeIn(tx, Prisma.raw(`SET LOCAL lock_timeout = ${PARTITION_LOCK_TIMEOUT_MS}`));
    await executeIn(tx, Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`partitions ${table}`}, 0))`);
    await work(tx);
  });
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

function partitionName(table: DayPartitioned, day: Date): string {
  return `${table}_p${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}
