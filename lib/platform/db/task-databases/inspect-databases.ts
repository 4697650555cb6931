import { databaseCodeOf } from '../database-errors';
import { row, text } from '../rows';
import { closeTaskPools, extraTaskDatabases, MAIN_DATABASE, markAdded } from './task-databases';

const UNDEFINED_TABLE = '42P01';

const nameRow = row({ name: text() });

/** Returns the names of the databases that may have owners, and marks them as added. */
export async function listAdded(): Promise<string[]> {
  const names = (await nameRow.query('task-databases', 'SELECT name FROM task_database')).map(({ name }) => name);
  markAdded(names);
  return names;
}

/** A database of `TASK_DATABASE_URLS`, and why it cannot be used; null if it can. */
interface InspectedDatabase {
  name: string;
  problem: string | null;
}

/** Connects to each database of `TASK_DATABASE_URLS`. For a command that ends afterwards. */
export async function inspectTaskDatabases(): Promise<InspectedDatabase[]> {
  const added = await listAdded();
  const problemOf = (error: Error): string => error.message;
  const inspected = extraTaskDatabases().map(async ({ name, pool: poolOf }) => {
    if (!added.includes(name)) return { name, problem: `not added; parley shards add ${name}` };
    return {
      name,
      problem: await poolOf()
        .query('SELECT 1')
        .then(() => null, problemOf),
    };
  });
  const found = await Promise.all(inspected);
  await closeTaskPools();
  return found;
}

/**
 * Returns the error if a database that has owners is not in this node's `TASK_DATABASE_URLS`: the node would use the
 * main one for them. Null otherwise.
 */
export async function findMissingDatabase(): Promise<string | null> {
  const added = await listAdded().catch((error: unknown) => {
    // Before the first migration, which the check of the schema reports.
    if (databaseCodeOf(error) === UNDEFINED_TABLE) return [];
    throw error;
  });
  const known = [MAIN_DATABASE, ...extraTaskDatabases().map(({ name }) => name)];
  const missing = added.filter((name) => !known.includes(name));
  if (missing.length === 0) return null;
  return `TASK_DATABASE_URLS: found no ${missing.join(', ')}; expected every database that parley shards status lists`;
}
