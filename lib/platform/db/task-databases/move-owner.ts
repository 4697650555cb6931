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
    await register(clients, move);
    return await copyAndSwitch(clients, move);
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

async function register({ main, from }: MoveClients, { principal, source, target }: Move): Promise<void> {
  const { rowCount } = await main.query(
    `INSERT INTO task_move (principal, source, target, started_at)
     SELECT $1, $2, $3, now() FROM task_owner WHERE principal = $1 AND database = $2 ON CONFLICT DO NOTHING`,
    [principal, source, target],
  );
  if (rowCount === 0)
    throw new Error(`${principal} is not in ${source}, or was moved less than a minute ago; see parley shards status`);
  await registerLeaving(from, principal);
}

async function copyAndSwitch(clients: MoveClients, move: Move): Promise<MoveReport> {
  let copied = 0;
  let since: string | null = null;
  for (let attempt = 1; ; attempt++) {
    for (let pass = 1; pass <= MAX_COPY_PASSES; pass++) {
      const result = await copyOwner(clients, since);
      since = result.snapshot;
      copied += result.changed;
      if (result.changed <= SMALL_COPY_ROWS) break;
    }
    const startedAt = performance.now();
    const copiedInPause = await tryToSwitch(clients, move, since as string);
    if (copiedInPause !== null) return { pauseMs: performance.now() - startedAt, copied, copiedInPause };
    if (attempt === MAX_PAUSE_ATTEMPTS)
      throw new Error(`a node or a write does not end in time; ${move.principal} was not moved`);
    await sleep(MAX_PAUSE_MS);
  }
}

/**
 * Pauses the principal, copies the last changes, and switches. Returns the number of rows copied; null if a node did not
 * acknowledge the pause in time, or a write took too long, in which case the pause has ended.
 */
async function tryToSwitch(clients: MoveClients, move: Move, since: string): Promise<number | null> {
  const { main, from, to, principal } = clients;
  await main.query(`UPDATE task_move SET paused_at = now(), acknowledged = '{}' WHERE principal = $1`, [principal]);
  await notifyNodes(main, principal);
  await to.query(`SET LOCAL idle_in_transaction_session_timeout = ${PAUSED_MOVE_IDLE_TIMEOUT_MS}`);
  if (!((await fenceOwner(from, principal)) && (await isAcknowledged(main, principal)))) {
    await liftFence(from, principal);
    await endPause(main, principal);
    await to.query(`SET LOCAL idle_in_transaction_session_timeout = ${MOVE_IDLE_TIMEOUT_MS}`);
    return null;
  }
  failpoint('move.fenced');
  const { changed } = await copyOwner(clients, since);
  await to.query('INSERT INTO arrived_owner (principal) VALUES ($1)', [principal]);
  await to.query('COMMIT');
  failpoint('move.committed');
  await switchDirectory(main, move);
  return changed;
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

async function endPause(main: pg.Client, principal: string): Promise<void> {
  await main.query('UPDATE task_move SET paused_at = NULL WHERE principal = $1', [principal]);
  await notifyNodes(main, principal);
}
