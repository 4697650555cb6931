import pg from 'pg';
import type { Prisma } from '../../../generated/prisma/client';
import { ParleyError } from '../../errors';
import { DATABASE_RETRY_SECONDS } from '../../limits';
import { env } from '../../runtime/env';
import { errorFields, log } from '../../runtime/log';
import { once } from '../../runtime/once';
import { connectionSettings, watchConnection } from '../database-connection';
import { isDatabaseUnavailable } from '../database-errors';
import { Cluster, mainCluster } from '../primary';
import { PrimaryClient } from '../primary-client';
import { pool } from '../sql';
import { databaseNameOf, findDatabaseName } from './owner-directory';

/** A database with the tables of owners (docs/decisions/0051). Each of them has the same schema. */
export interface TaskDatabase {
  /** The name in `TASK_DATABASE_URLS`; {@link MAIN_DATABASE} for the database of `DATABASE_URL`. */
  name: string;
  /** Its servers. */
  cluster: () => Cluster;
  pool: () => pg.Pool;
  /** False while this node cannot receive its notifications. */
  isReachable: boolean;
  /** False if this node knows that `parley shards add` has not registered it: it may have no tables. */
  isAdded: boolean;
}

export const MAIN_DATABASE = 'main';

/** The database of `DATABASE_URL`. */
export const mainTaskDatabase: TaskDatabase = {
  name: MAIN_DATABASE,
  cluster: mainCluster,
  pool,
  isReachable: true,
  isAdded: true,
};

/** The databases of `TASK_DATABASE_URLS`. */
export const extraTaskDatabases = once((): readonly TaskDatabase[] =>
  env().TASK_DATABASE_URLS.map(({ name, urls }) => {
    const cluster = once(() => new Cluster(urls));
    return { name, cluster, pool: once(() => poolOf(name, cluster())), isReachable: true, isAdded: true };
  }),
);

function poolOf(name: string, cluster: Cluster): pg.Pool {
  const made = new pg.Pool({ ...connectionSettings(cluster), Client: PrimaryClient, max: env().DATABASE_POOL_SIZE });
  made.on('connect', (client) => watchConnection(client, cluster));
  made.on('error', (error) => log.warn('database.connection_lost', { database: name, ...errorFields(error) }));
  openPools.add(made);
  return made;
}

const openPools = new Set<pg.Pool>();

/** Closes the pools of the databases of `TASK_DATABASE_URLS`. For shutdown. */
export async function closeTaskPools(): Promise<void> {
  await Promise.all([...openPools].map((made) => made.end()));
}

/** Closes all pools. For a command at its end. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([pool().end(), closeTaskPools()]);
}

const all = once((): readonly TaskDatabase[] => [mainTaskDatabase, ...extraTaskDatabases()]);

/** Returns every database that may have rows of owners. */
export function taskDatabases(): readonly TaskDatabase[] {
  return all().length === 1 ? all() : all().filter(({ isAdded }) => isAdded);
}

/** Must be called with the names of the registered databases. */
export function markAdded(names: readonly string[]): void {
  for (const database of extraTaskDatabases()) database.isAdded = names.includes(database.name);
}

/**
 * Returns the database with the rows of this principal. A promise only if there are several databases, and this node
 * has not looked the principal up.
 * @throws {ParleyError} `unavailable` if this node does not know the database
 */
export function databaseOf(principal: string): TaskDatabase | Promise<TaskDatabase> {
  if (all().length === 1) return mainTaskDatabase;
  const name = databaseNameOf(principal);
  return typeof name === 'string' ? databaseNamed(name) : name.then(databaseNamed);
}

/**
 * Returns the database with the rows of this principal; the main one if there are none. Uses no connection except `tx`,
 * a transaction of the main database, because others may be waiting for one in transactions of their own.
 */
export async function databaseWithin(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  principal: string,
): Promise<TaskDatabase> {
  if (all().length === 1) return mainTaskDatabase;
  const name = await findDatabaseName(tx, principal);
  return name === null ? mainTaskDatabase : databaseNamed(name);
}

function databaseNamed(name: string): TaskDatabase {
  const found = all().find((database) => database.name === name);
  if (found) {
    found.isAdded = true;
    return found;
  }
  log.error('database.unknown_task_database', { name });
  const text = 'The data of this account is not available on this node right now. Try again in a moment.';
  throw new ParleyError('unavailable', text, { retryAfter: DATABASE_RETRY_SECONDS });
}

/** Returns a function that creates a value for each database on first use. */
export function perDatabase<T>(create: (database: TaskDatabase) => T): (database: TaskDatabase) => T {
  const values = new Map<TaskDatabase, T>();
  return (database) => {
    const existing = values.get(database);
    if (existing !== undefined) return existing;
    const created = create(database);
    values.set(database, created);
    return created;
  };
}

/** Groups principals by the database of their rows. */
export async function groupByDatabase(principals: readonly string[]): Promise<Map<TaskDatabase, string[]>> {
  const groups = new Map<TaskDatabase, string[]>();
  for (const principal of principals) {
    const database = await databaseOf(principal);
    groups.set(database, [...(groups.get(database) ?? []), principal]);
  }
  return groups;
}

/** For periodic work: returns those of these principals whose database is reachable from this node. */
export async function filterReachable(principals: readonly string[]): Promise<string[]> {
  const groups = [...(await groupByDatabase(principals))];
  return groups.flatMap(([{ isReachable }, some]) => (isReachable ? some : []));
}

/**
 * Runs `work` in each task database that is available, and returns the results. With several databases, the failures of
 * some are logged, because the others have committed.
 * @throws the error of `work` if it failed in all of them
 */
export async function inAvailable<T>(work: (database: TaskDatabase) => Promise<T>): Promise<T[]> {
  if (all().length === 1) return [await work(mainTaskDatabase)];
  const reachable = taskDatabases().filter(({ isReachable }) => isReachable);
  const settled = await Promise.allSettled(reachable.map(work));
  const failures = settled.flatMap((result, at) => {
    if (result.status === 'fulfilled') return [];
    const { reason } = result;
    const record = isDatabaseUnavailable(reason) ? log.debug : log.error;
    record('database.task_database_skipped', { name: reachable[at]?.name, ...errorFields(reason) });
    return [reason];
  });
  if (failures.length > 0 && failures.length === settled.length) throw failures[0];
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
