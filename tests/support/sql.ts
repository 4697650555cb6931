import { createHash } from 'node:crypto';
import { pool } from '@/lib/platform/db/sql';

/**
 * Runs a prepared statement of a test. The test states the type of the rows, which is not checked. Statements of files
 * that share a process may have the same name.
 */
export async function query<Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const uniqueName = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  return (await pool().query<Row>({ name: uniqueName, text, values })).rows;
}
