import type pg from 'pg';
import { DATABASE_CONNECTIONS_BESIDE_POOL } from '../limits';
import { EnvError, env } from '../runtime/env';
import { errorFields, log } from '../runtime/log';
import { connectionSettings } from './database-connection';
import { PrimaryClient } from './primary-client';
import { readTarget } from './replicas/read-context';
import { int4, row } from './rows';
import { pool } from './sql';

/** One database connection: transactions and session locks persist between queries. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Provides a connection for the duration of `work`. */
export type WithConnection = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** Provides a connection of the pool. It is closed after an error, because a transaction may be open. */
export const withPooledConnection: WithConnection = (work) => withConnectionOf(pool(), work);

/** Like {@link withPooledConnection}, for reads: uses the replica of the caller's work, if there is one. */
export const withReadConnection: WithConnection = async (work) => {
  const replica = readTarget();
  if (!replica) return withPooledConnection(work);
  return replica.orAtPrimary(
    () => withConnectionOf(replica.pool, work),
    () => withPooledConnection(work),
  );
};

async function withConnectionOf<T>(source: pg.Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await source.connect();
  let isUsable = false;
  try {
    const result = await work(client);
    isUsable = true;
    return result;
  } finally {
    client.release(!isUsable);
  }
}

/** Provides a separate connection without a statement timeout, for building an index. */
export const withMaintenanceConnection: WithConnection = async (work) => {
  const client = new PrimaryClient({ ...connectionSettings(), statement_timeout: 0, lock_timeout: 0 });
  client.on('error', (error) => log.warn('database.connection_lost', errorFields(error)));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const budgetRow = row({ nodes: int4(), allowed: int4() });

/** Counts the open connections of the pool, the idle ones, and the statements that wait for a connection. */
export function countConnections(): { open: number; idle: number; waiting: number } {
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool();
  return { open, idle, waiting };
}

/**
 * Reads four numbers: the connections that this node may open, the running nodes, the connections that all of these
 * nodes need in total, and those that the database allows.
 */
export async function readConnectionBudget(): Promise<Record<'perNode' | 'nodes' | 'required' | 'allowed', number>> {
  const perNode = env().DATABASE_POOL_SIZE + DATABASE_CONNECTIONS_BESIDE_POOL;
  const budget = await budgetRow.queryFirst(
    'platform-connection-budget',
    `SELECT (SELECT greatest(count(DISTINCT application_name), 1)::int FROM pg_stat_activity
             WHERE datname = current_database() AND application_name LIKE 'parley-%') AS nodes,
       (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) AS allowed`,
  );
  const { nodes = 1, allowed = 0 } = budget ?? {};
  return { perNode, nodes, required: perNode * nodes, allowed };
}

/** Logs the connection budget, as a warning if the database allows too few. */
export async function logConnectionBudget(): Promise<void> {
  const budget = await readConnectionBudget();
  const record = budget.required > budget.allowed ? log.warn : log.info;
  record('database.connections', budget);
}

/**
 * Rejects a pooler that shares one server connection between clients, such as PgBouncer with `pool_mode =
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
  const client = new PrimaryClient(connectionSettings());
  client.on('error', (error) => log.debug('database.connection_lost', errorFields(error)));
  return client;
}
