import { leaveReplica } from '../replicas/read-context';
import type { StatementOfOwners } from '../rows';
import { databaseOf, groupByDatabase, inAvailable, type TaskDatabase, taskDatabases } from './task-databases';

/** Runs prepared statements on tables of owners. `execute` returns the number of rows that they changed or returned. */
interface TaskStatements {
  execute(name: string, text: string, values?: unknown[]): Promise<number>;
}

/** For statements about the rows of this principal: sends them to the principal's task database. */
export function ofOwner(principal: string): TaskStatements {
  return taskStatements(async (send) => [await send(await databaseOf(principal))]);
}

/** Sends statements about the rows of any owner to each task database. Fails if one is unavailable. */
export const inEachTaskDatabase = taskStatements((send) => Promise.all(taskDatabases().map(send)));

/** Like {@link inEachTaskDatabase}, for periodic work: skips task databases that are unavailable. */
export const inAvailableTaskDatabases = taskStatements(inAvailable);

/**
 * Runs a prepared statement about the rows of these principals, once per task database, with the values for the
 * principals there. Returns the number of rows that it changed or returned.
 */
export async function executeOfAll(
  principals: readonly string[],
  { name, text, valuesOf }: StatementOfOwners,
): Promise<number> {
  const groups = [...(await groupByDatabase(principals))];
  const run = async ([at, some]: (typeof groups)[number]): Promise<number> =>
    (await at.pool().query({ name, text, values: valuesOf(some) })).rowCount ?? 0;
  const counts = await Promise.all(groups.map(run));
  leaveReplica();
  return totalOf(counts);
}

function totalOf(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** For periodic work in one task database. */
export function atDatabase(database: TaskDatabase): TaskStatements {
  return taskStatements(async (send) => [await send(database)]);
}

function taskStatements(run: (send: (at: TaskDatabase) => Promise<number>) => Promise<number[]>): TaskStatements {
  return {
    execute: async (name, text, values = []) => {
      const counts = await run(async (at) => (await at.pool().query({ name, text, values })).rowCount ?? 0);
      leaveReplica();
      return totalOf(counts);
    },
  };
}
