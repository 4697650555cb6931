import pg from 'pg';
import { errorFields, log } from '../runtime/log';
import { connectionSettings } from './database-connection';
import { pool } from './sql';

/** One database connection: transactions and session locks persist between queries. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Lends a connection for the time of `work`. */
export type WithConnection = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** A connection of the pool. After an error it is closed, because a transaction may be open. */
export const withPooledConnection: WithConnection = async (work) => {
  const client = await pool().connect();
  let isUsable = false;
  try {
    const result = await work(client);
    isUsable = true;
    return result;
  } finally {
    client.release(!isUsable);
  }
};

/** A separate connection, whose statements have no timeout, for building an index. */
export const withMaintenanceConnection: WithConnection = async (work) => {
  const client = new pg.Client({ ...connectionSettings(), statement_timeout: 0, lock_timeout: 0 });
  client.on('error', (error) => log.warn('database.connection_lost', errorFields(error)));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
