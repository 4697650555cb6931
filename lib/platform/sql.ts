import pg from 'pg';
import { env } from './env';
import { errorFields, log } from './log';
import { shared } from './registry';

// Times travel as Date, counts as number: bigint results of ours never pass 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The connection pool of this process; Prisma and prepared statements share it. */
export function pool(): pg.Pool {
  return shared('pg-pool', () => connections({ max: 12 }));
}

function connections(options: pg.PoolConfig): pg.Pool {
  const made = new pg.Pool({ connectionString: env().DATABASE_URL, connectionTimeoutMillis: 15_000, ...options });
  made.on('error', (error) => log.warn('database.connection_lost', errorFields(error)));
  return made;
}

/**
 * Runs a prepared statement and returns its rows. For hot paths: about 80 µs where the ORM's look-up takes 280.
 * `name` identifies the statement text for the life of the connection; use one name per text.
 */
export async function query<Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const result = await pool().query<Row>({ name, text, values });
  return result.rows;
}

/**
 * Connections for statements that are given many keys at once. A prepared statement keeps the plan that was best when it was
 * made, and of a table with a few rows the best is to read all of it: a minute later that is thousands for every write.
 * Here every row is found by its key whatever the table's size.
 */
function keyPool(): pg.Pool {
  return shared('pg-key-pool', () => {
    const onConnect = async (client: pg.ClientBase): Promise<void> => {
      await client.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');
    };
    return connections({ max: 4, onConnect });
  });
}

/** Runs a prepared statement as {@link query} does, for one that finds many rows by their keys. */
export async function queryByKeys<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  const result = await keyPool().query<Row>({ name, text, values });
  return result.rows;
}

/** Closes the pools; for the end of the process. */
export async function closePool(): Promise<void> {
  await Promise.all([pool().end(), keyPool().end()]);
}
