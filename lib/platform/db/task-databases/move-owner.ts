import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  MAX_COPY_PASSES,
  MAX_PAUSE_ATTEMPTS,
  MAX_PAUSE_MS,
  MOVE_IDLE_TIMEOUT_MS,
  MOVE_POLL_MS,
  PAUSED_MOVE_IDLE_TIMEOUT_MS,
  SMALL_COPY_ROWS,
} from '../../limits';
import { failpoint } from '../../runtime/failpoint';
import { errorFields, log } from '../../runtime/log';
import { databaseCodeOf } from '../database-errors';
import { copyOwner, type RowCopy } from './copy-rows';
import { fenceOwner, liftFence, registerLeaving } from './leaving-owners';
import { connect, databaseOf, lockArrival, type Move, notifyNodes, switchDirectory } from './move-steps';
import { settleMove } from './settle-moves';
import { mainTaskDatabase } from './task-databases';

/** The duration of the pause in milliseconds, and the number of rows that were copied before and during it. */
export interface MoveReport {
  pauseMs: number;
  copied: number;
  copiedInPause: number;
}

/** The SQLSTATE of a statement that took longer than its timeout. */
const STATEMENT_CANCELED = '57014';

interface MoveClients extends RowCopy {
  main: pg.Client;
}

/**
 * Moves the rows of a principal to another database while nodes serve it. The copy is one transaction of the target, so
 * that nothing of it is visible before the switch, and an interrupted move leaves nothing. Writes are rejected from the
 * last pass of the copy until the directory names the target; meanwhile nodes wait or respond with 503. What is left to
 * do afterwards, or after an interruption, is the work of {@link settleMove}.
 * @throws if another move of the principal is in progress, or a node does not respond
 */
export async function moveOwner(move: Move): Promise<MoveReport> {
  const { principal } = move;
  const main = await connect(mainTaskDatabase);
  const from = await connect(databaseOf(move.source));
  const to = await connect(databaseOf(move.target));
  const clients: MoveClients = { principal, main, from, to };
  try {
    await beginArrival(clients);
    const id = await register(clients, move);
    return await copyAndSwitch(clients, { ...move, id });
  } catch (error) {
    await to.query('ROLLBACK').catch((failure) => log.debug('owner_move.rollback_failed', errorFields(failure)));
    // If this fails too, a node does it.
    await settleMove(principal).catch((failure) => log.debug('owner_move.settle_failed', errorFields(failure)));
    throw error;
  } finally {
    await Promise.all([main, from, to].map((client) => client.end()));
  }
}

/** Begins the transaction of the target. Its lock says that the move is in progress. */
async function beginArrival({ to, principal }: MoveClients): Promise<void> {
  await to.query('BEGIN');
  if (!(await lockArrival(to, principal))) throw new Error(`another move of ${principal} is in progress`);
}

/** Returns the id of the move. */
async function register({ main, from }: MoveClients, { principal, source, target }: Move): Promise<string> {
  const { rows } = await main.query<{ id: string }>(
    `INSERT INTO task_move (principal, source, target, started_at)
     SELECT $1, $2, $3, now() FROM task_owner WHERE principal = $1 AND database = $2 ON CONFLICT DO NOTHING RETURNING id`,
    [principal, source, target],
  );
  const [registered] = rows;
  if (!registered)
    throw new Error(`${principal} is not in ${source}, or was moved less than a minute ago; see parley shards status`);
  await registerLeaving(from, principal);
  return registered.id;
}

interface RegisteredMove extends Move {
  id: string;
}

async function copyAndSwitch(clients: MoveClients, move: RegisteredMove): Promise<MoveReport> {
  let { changed: copied, snapshot } = await copyOwner(clients, { since: null });
  for (let attempt = 1; attempt <= MAX_PAUSE_ATTEMPTS; attempt++) {
    for (let pass = 1; pass <= MAX_COPY_PASSES; pass++) {
      const result = await copyOwner(clients, { since: snapshot });
      snapshot = result.snapshot;
      copied += result.changed;
      if (result.changed <= SMALL_COPY_ROWS) break;
    }
    const startedAt = performance.now();
    const copiedInPause = await tryToSwitch(clients, { move, since: snapshot });
    if (copiedInPause !== null) return { pauseMs: performance.now() - startedAt, copied, copiedInPause };
    await sleep(MAX_PAUSE_MS);
  }
  throw new Error(`a node, a write or the last copy takes too long; ${move.principal} was not moved`);
}

/**
 * Pauses the principal, copies the last changes, and switches. Returns the number of rows copied; null if a node, a write
 * in progress or the copy took too long, in which case the pause has ended.
 */
async function tryToSwitch(
  clients: MoveClients,
  { move, since }: { move: RegisteredMove; since: string },
): Promise<number | null> {
  const { main, from, to, principal } = clients;
  await main.query(`UPDATE task_move SET paused_at = now(), acknowledged = '{}' WHERE principal = $1`, [principal]);
  await notifyNodes(main, principal);
  await to.query(`SET LOCAL idle_in_transaction_session_timeout = ${PAUSED_MOVE_IDLE_TIMEOUT_MS}`);
  const changed = await copyLastChanges(clients, since);
  if (changed === null) {
    await liftFence(from, principal);
    await main.query('UPDATE task_move SET paused_at = NULL WHERE principal = $1', [principal]);
    await notifyNodes(main, principal);
    await to.query(`SET LOCAL idle_in_transaction_session_timeout = ${MOVE_IDLE_TIMEOUT_MS}`);
    return null;
  }
  await to.query(
    `INSERT INTO arrived_owner (principal, move_id) VALUES ($1, $2)
     ON CONFLICT (principal) DO UPDATE SET move_id = excluded.move_id`,
    [principal, move.id],
  );
  await to.query('COMMIT');
  failpoint('move.committed');
  await switchDirectory(main, move);
  return changed;
}

/** Fences the principal and copies the last changes. Returns their number; null if something takes too long. */
async function copyLastChanges(clients: MoveClients, since: string): Promise<number | null> {
  const { main, from, principal } = clients;
  if (!(await fenceOwner(from, principal))) return null;
  if (!(await isAcknowledged(main, principal))) return null;
  failpoint('move.fenced');
  try {
    return (await copyOwner(clients, { since, timeoutMs: MAX_PAUSE_MS })).changed;
  } catch (error) {
    if (databaseCodeOf(error) === STATEMENT_CANCELED) return null;
    throw error;
  }
}

/** Waits until every running node has removed the principal from its cache, at most {@link MAX_PAUSE_MS}. */
async function isAcknowledged(main: pg.Client, principal: string): Promise<boolean> {
  // A running node holds the lock of its id.
  const text = `SELECT FROM node n WHERE NOT pg_try_advisory_xact_lock_shared(hashtextextended(n.id, 7))
    AND n.id <> ALL (SELECT unnest(acknowledged) FROM task_move WHERE principal = $1)`;
  const deadline = performance.now() + MAX_PAUSE_MS;
  for (;;) {
    if ((await main.query(text, [principal])).rowCount === 0) return true;
    if (performance.now() > deadline) return false;
    await sleep(MOVE_POLL_MS / 10);
  }
}
