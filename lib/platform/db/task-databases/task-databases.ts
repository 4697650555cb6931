import type pg from 'pg';
import { errorFields, log } from '../../runtime/log';
import { isDatabaseUnavailable } from '../database-errors';
import { type Cluster, mainCluster } from '../primary';
import { pool } from '../sql';

/** A database with the tables of owners (docs/decisions/0051). Each of them has the same schema. */
export interface TaskDatabase {
  /** The name in `TASK_DATABASE_URLS`; {@link MAIN_DATABASE} for the database of `DATABASE_URL`. */
  name: string;
  /** Its servers. */
  cluster: () => Cluster;
  pool: () => pg.Pool;
}

export const MAIN_DATABASE = 'main';

/** The database of `DATABASE_URL`. */
export const mainTaskDatabase: TaskDatabase = { name: MAIN_DATABASE, cluster: mainCluster, pool };

/** Returns every database with rows of owners. */
export function taskDatabases(): readonly TaskDatabase[] {
  return [mainTaskDatabase];
}

/** Returns the database with the rows of this principal. */
export function databaseOf(_principal: string): TaskDatabase | Promise<TaskDatabase> {
  return mainTaskDatabase;
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

/** Runs `work` in each task database that is available, and returns the results. The failures of others are logged. */
export async function inAvailable<T>(work: (database: TaskDatabase) => Promise<T>): Promise<T[]> {
  const all = taskDatabases();
  const [only] = all;
  if (only && all.length === 1) return [await work(only)];
  const results = await Promise.allSettled(all.map(work));
  return results.flatMap((result, at) => {
    if (result.status === 'fulfilled') return [result.value];
    if (!isDatabaseUnavailable(result.reason)) throw result.reason;
    log.debug('database.task_database_skipped', { name: all[at]?.name, ...errorFields(result.reason) });
    return [];
  });
}
