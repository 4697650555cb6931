import { pool } from '../sql';
import { closeTaskPools, extraTaskDatabases } from './task-databases';

/** A database of `TASK_DATABASE_URLS`, and why it cannot be used; null if it can. */
interface InspectedDatabase {
  name: string;
  problem: string | null;
}

/** Connects to each database of `TASK_DATABASE_URLS`. For a command that ends afterwards. */
export async function inspectTaskDatabases(): Promise<InspectedDatabase[]> {
  const added = await pool().query<{ name: string }>('SELECT name FROM task_database');
  const problemOf = (error: Error): string => error.message;
  const inspected = extraTaskDatabases().map(async ({ name, pool: poolOf }) => {
    if (!added.rows.some((row) => row.name === name)) return { name, problem: `not added; parley shards add ${name}` };
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
