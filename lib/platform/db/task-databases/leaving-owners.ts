import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  EARLIER_WRITERS_TIMEOUT_MS,
  FENCE_TIMEOUT_MS,
  MOVE_LOCK_ATTEMPTS,
  MOVE_LOCK_PAUSE_MS,
  MOVE_LOCK_TIMEOUT_MS,
  MOVE_POLL_MS,
} from '../../limits';
import { databaseCodeOf } from '../database-errors';
import { ownerTables } from './owner-rows';

const LOCK_NOT_AVAILABLE = '55P03';
const TRIGGER = 'reject_leaving_owner';

/**
 * A condition for statements about the rows of any owner: one fenced owner among them would make the whole statement
 * fail. `principal` is a column.
 */
export function notFencedSql(principal: string): string {
  return `${principal} <> ALL (ARRAY(SELECT principal FROM leaving_owner WHERE is_fenced))`;
}

/** Serializes the changes of the triggers of one database. */
const lockTriggers = `SELECT pg_advisory_lock(hashtextextended('leaving owners', 9))`;
const unlockTriggers = `SELECT pg_advisory_unlock(hashtextextended('leaving owners', 9))`;

/**
 * Registers a principal whose rows will leave the database, and waits until every writer takes notice: afterwards, {@link
 * fenceOwner} waits for all earlier writes. Idempotent.
 */
export async function registerLeaving(client: pg.Client, principal: string): Promise<void> {
  await client.query(lockTriggers);
  try {
    const existing = await triggeredTables(client);
    for (const { table, column } of ownerTables) {
      if (existing.has(table)) continue;
      await inShortLock(
        client,
        `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE ON ${table}
         FOR EACH ROW EXECUTE FUNCTION ${TRIGGER}('${column}')`,
      );
    }
    await client.query(`INSERT INTO leaving_owner (principal) VALUES ($1) ON CONFLICT DO NOTHING`, [principal]);
  } finally {
    await client.query(unlockTriggers);
  }
  await waitForEarlierWriters(client);
}

/** Removes a principal that does not leave, or has left. Drops the triggers with the last one. */
export async function unregisterLeaving(client: pg.Client, principal: string): Promise<void> {
  await client.query('DELETE FROM leaving_owner WHERE principal = $1', [principal]);
  await client.query(lockTriggers);
  try {
    if (((await client.query('SELECT FROM leaving_owner LIMIT 1')).rowCount ?? 0) > 0) return;
    for (const table of await triggeredTables(client))
      await inShortLock(client, `DROP TRIGGER IF EXISTS ${TRIGGER} ON ${table}`);
  } finally {
    await client.query(unlockTriggers);
  }
}

async function triggeredTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT tgrelid::regclass::text AS table FROM pg_trigger WHERE tgname = $1 AND tgparentid = 0`,
    [TRIGGER],
  );
  return new Set(rows.map(({ table }) => table));
}

/** Retries a change of a table instead of blocking its writers behind a long transaction. */
async function inShortLock(client: pg.Client, statement: string): Promise<void> {
  await client.query(`SET lock_timeout = ${MOVE_LOCK_TIMEOUT_MS}`);
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (databaseCodeOf(error) !== LOCK_NOT_AVAILABLE || attempt === MOVE_LOCK_ATTEMPTS) throw error;
      await sleep(MOVE_LOCK_PAUSE_MS);
    }
  }
}

/** Waits for the transactions that may have written before they could see the registration. */
async function waitForEarlierWriters(client: pg.Client): Promise<void> {
  const { rows: writers } = await client.query<{ pid: number; xid: string }>(
    `SELECT pid, backend_xid::text AS xid FROM pg_stat_activity
     WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`,
  );
  const pids = writers.map(({ pid }) => pid);
  const xids = writers.map(({ xid }) => xid);
  for (let waitedMs = 0; waitedMs < EARLIER_WRITERS_TIMEOUT_MS; waitedMs += MOVE_POLL_MS) {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_activity a JOIN unnest($1::int[], $2::text[]) AS w(pid, xid)
       ON a.pid = w.pid AND a.backend_xid::text = w.xid`,
      [pids, xids],
    );
    if (rowCount === 0) return;
    await sleep(MOVE_POLL_MS);
  }
  throw new Error(`transactions of the server processes ${pids.join(', ')} have not ended; try again when they have`);
}

/**
 * Rejects all further writes to the rows of a principal that {@link registerLeaving} registered, after those in progress
 * have committed. Returns false if they take longer than {@link FENCE_TIMEOUT_MS}.
 * @throws if the principal is not registered any more
 */
export async function fenceOwner(client: pg.Client, principal: string): Promise<boolean> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${FENCE_TIMEOUT_MS}`);
  try {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('leaving ' || $1, 9))`, [principal]);
    const text = 'UPDATE leaving_owner SET is_fenced = true WHERE principal = $1';
    const { rowCount } = await client.query(text, [principal]);
    if (rowCount === 0) throw new Error('the move was undone because it made no progress');
    return true;
  } catch (error) {
    if (databaseCodeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    await client.query('COMMIT');
  }
}

/** Accepts writes again. */
export async function liftFence(client: pg.Client, principal: string): Promise<void> {
  await client.query('UPDATE leaving_owner SET is_fenced = false WHERE principal = $1', [principal]);
}
