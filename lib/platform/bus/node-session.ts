import type pg from 'pg';
import { applicationName } from '../db/database-connection';
import { CHANNEL } from './notifications';
import { nodeId } from './state';

/** `sessionPid`: the server process of the last connection that tried to acquire this node's lock. */
interface NodeSession {
  sessionPid: number | null;
}

/**
 * Makes a connection receive notifications and hold this node's lock, which other nodes use to detect that this node is
 * alive (see nodeIsDeadSql).
 */
export async function listenAndLock(client: pg.Client, session: NodeSession): Promise<void> {
  await client.query(`LISTEN ${CHANNEL}`);
  // The server detects a vanished node within seconds and releases its lock.
  await client.query('SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2');
  await terminatePreviousSession(client, session);
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', [nodeId()]);
}

/**
 * Terminates the backend of the last connection, which the server may still consider alive: it would hold this node's
 * lock.
 */
async function terminatePreviousSession(client: pg.Client, session: NodeSession): Promise<void> {
  const { processID } = client as pg.Client & { processID: number };
  if (session.sessionPid !== null) {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND pid <> $2 AND application_name = $3',
      [session.sessionPid, processID, applicationName()],
    );
  }
  session.sessionPid = processID;
}
