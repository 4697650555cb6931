import { pool } from '@/lib/platform/db/sql';

/** Runs a prepared statement of a test. The test states the type of the rows, which is not checked. */
export async function query<Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await pool().query<Row>({ name, text, values })).rows;
}
