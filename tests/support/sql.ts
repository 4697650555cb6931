import { createHash } from 'node:crypto';
import { pool } from '@/lib/platform/db/sql';
import { extraTaskDatabases } from '@/lib/platform/db/task-databases/task-databases';
import { namesOwnedTable } from './owned-tables';
import { taskDatabaseCount } from './task-databases';

/**
 * Runs a prepared statement of a test. The test states the type of the rows, which is not checked. Statements of files
 * that share a process may have the same name.
 */
export async function query<Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const uniqueName = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  const pools =
    namesOwnedTable(text) && taskDatabaseCount > 0 ? extraTaskDatabases().map((each) => each.pool()) : [pool()];
  const results = await Promise.all(pools.map((each) => each.query<Row>({ name: uniqueName, text, values })));
  return results.flatMap(({ rows }) => rows);
}
