import type pg from 'pg';
import { notifyPayload } from '../../bus/notifications';
import { MOVE_IDLE_TIMEOUT_MS } from '../../limits';
import { errorFields, log } from '../../runtime/log';
import { connectionSettings } from '../database-connection';
import { PrimaryClient } from '../primary-client';
import { extraTaskDatabases, mainTaskDatabase, type TaskDatabase } from './task-databases';

/** A move of the rows of one principal between the databases of these names. */
export interface Move {
  principal: string;
  source: string;
  target: string;
}

/** Returns the database of this node's settings. */
export function databaseOf(name: string): TaskDatabase {
  const found = [mainTaskDatabase, ...extraTaskDatabases()].find((database) => database.name === name);
  if (!found) throw new Error(`found no database ${name}; expected one of TASK_DATABASE_URLS`);
  return found;
}

/** Connects for a move. Rows have the same text in each session. */
export async function connect(database: TaskDatabase): Promise<pg.Client> {
  const client = new PrimaryClient({
    ...connectionSettings(database.cluster()),
    statement_timeout: 0,
    idle_in_transaction_session_timeout: MOVE_IDLE_TIMEOUT_MS,
  });
  client.on('error', (error) =>
    log.debug('database.connection_lost', { database: database.name, ...errorFields(error) }),
  );
  await client.connect();
  await client.query(`SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET extra_float_digits = 1`);
  return client;
}

type Use = 'statements' | 'transaction';

/** The connections of one round of work on moves, each opened when it is first needed. */
export class MoveConnections {
  readonly #clients = new Map<string, Promise<pg.Client>>();

  /** Returns the round's connection to a database for single statements, or the one for a transaction. */
  to(database: TaskDatabase, use: Use = 'statements'): Promise<pg.Client> {
    const key = `${database.name} ${use}`;
    const client = this.#clients.get(key) ?? connect(database);
    this.#clients.set(key, client);
    return client;
  }

  /** Closes the connections, and with them their transactions. Later uses open new ones. */
  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    const results = await Promise.allSettled(clients.map(async (client) => (await client).end()));
    for (const result of results)
      if (result.status === 'rejected') log.debug('database.connection_lost', errorFields(result.reason));
  }
}

/** Locks the arrival of a principal until the transaction ends. Returns false if another transaction has locked it. */
export async function lockArrival(to: pg.Client, principal: string): Promise<boolean> {
  const text = `SELECT pg_try_advisory_xact_lock(hashtextextended('arriving ' || $1, 9)) AS "isLocked"`;
  return (await to.query<{ isLocked: boolean }>(text, [principal])).rows[0]?.isLocked === true;
}

/** Makes the directory name the target, and ends the pause. Idempotent. */
export async function switchDirectory(main: pg.Client, { principal, source, target }: Move): Promise<void> {
  const text = 'UPDATE task_owner SET database = $3, assigned_at = now() WHERE principal = $1 AND database = $2';
  await main.query('BEGIN');
  await main.query(text, [principal, source, target]);
  await main.query(
    'UPDATE task_move SET paused_at = NULL, switched_at = coalesce(switched_at, now()) WHERE principal = $1',
    [principal],
  );
  await notifyNodes(main, principal);
  await main.query('COMMIT');
}

/** Makes every node look the principal up again. Nodes acknowledge it in `task_move`. */
export async function notifyNodes(main: pg.Client, principal: string): Promise<void> {
  await main.query(`SELECT pg_notify('parley', $1)`, [notifyPayload('owner', principal)]);
}
