import pg from 'pg';
import { EnvError } from '../runtime/env';
import { errorFields, log } from '../runtime/log';
import { connectionSettings } from './database-connection';

/**
 * Refuses a pooler that lends one server connection to several clients, such as PgBouncer with `pool_mode =
 * transaction`: notifications, advisory locks and prepared statements require a session.
 * @throws {EnvError}
 */
export async function requireSessions(): Promise<void> {
  const clients = [newClient(), newClient()];
  try {
    const backends: number[] = [];
    // Both stay connected, so a pooler that preserves sessions cannot use one backend for both.
    for (const client of clients) {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      backends.push(...rows.map(({ pid }) => pid));
    }
    if (new Set(backends).size === clients.length) return;
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
  throw new EnvError(
    'DATABASE_URL: found a pooler that shares a server connection among clients; expected PostgreSQL itself, or a pooler that keeps sessions (PgBouncer: pool_mode = session)',
  );
}

function newClient(): pg.Client {
  const client = new pg.Client(connectionSettings());
  client.on('error', (error) => log.debug('database.connection_lost', errorFields(error)));
  return client;
}
