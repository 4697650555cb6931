import type pg from 'pg';
import { MAX_SETTLED_MOVES, MOVE_FENCE_MS, MOVED_ROWS_GRACE_MS } from '../../limits';
import { errorFields, log } from '../../runtime/log';
import { row, text } from '../rows';
import { unregisterLeaving } from './leaving-owners';
import { databaseOf, lockArrival, type Move, MoveConnections, notifyNodes, switchDirectory } from './move-steps';
import { deleteRows } from './owner-rows';
import { extraTaskDatabases, mainTaskDatabase } from './task-databases';

const dueRow = row({ principal: text() });

/**
 * Continues the moves that were interrupted or have work left: undoes those before the commit of the copy, and completes
 * the others. Interrupted ones come first, because their owners wait. Does nothing to moves in progress. Returns the
 * number of moves found, at most MAX_SETTLED_MOVES.
 */
export async function settleMoves(fenceMs = MOVE_FENCE_MS): Promise<number> {
  if (extraTaskDatabases().length === 0) return 0;
  const due = await dueRow.query(
    'due-moves',
    `SELECT principal FROM task_move WHERE switched_at IS NULL
     OR (deleted_at IS NULL AND switched_at < now() - $1 * interval '1 ms') OR switched_at < now() - $2 * interval '1 ms'
     ORDER BY switched_at NULLS FIRST LIMIT $3`,
    [MOVED_ROWS_GRACE_MS, fenceMs, MAX_SETTLED_MOVES],
  );
  const connections = new MoveConnections();
  try {
    for (const { principal } of due) {
      await settleOne(principal, { connections, fenceMs }).catch(async (error) => {
        log.error('owner_move.settle_failed', errorFields(error));
        // A connection may be lost, or in a failed transaction.
        await connections.close();
      });
    }
  } finally {
    await connections.close();
  }
  return due.length;
}

interface StoredMove extends Move {
  id: string;
  directory: string | null;
  isDeleted: boolean;
  isDeletable: boolean;
  isFinished: boolean;
}

/** Continues one move. Does nothing if there is none, or if it is in progress. */
export async function settleMove(principal: string): Promise<void> {
  const connections = new MoveConnections();
  try {
    await settleOne(principal, { connections, fenceMs: MOVE_FENCE_MS });
  } finally {
    await connections.close();
  }
}

interface Round {
  connections: MoveConnections;
  fenceMs: number;
}

async function settleOne(principal: string, { connections, fenceMs }: Round): Promise<void> {
  const main = await connections.to(mainTaskDatabase);
  const move = await findMove(main, { principal, fenceMs });
  if (!move) return;
  // In a transaction of its own connection, because the main database may be the target or the source too.
  const to = await connections.to(databaseOf(move.target), 'transaction');
  await to.query('BEGIN');
  if (await lockArrival(to, principal)) await settleLocked(move, { main, to, connections, fenceMs });
  await to.query('COMMIT');
}

async function findMove(
  main: pg.Client,
  { principal, fenceMs }: { principal: string; fenceMs: number },
): Promise<StoredMove | null> {
  const { rows } = await main.query<StoredMove>(
    `SELECT m.principal, m.id, m.source, m.target, o.database AS directory, m.deleted_at IS NOT NULL AS "isDeleted",
       m.deleted_at IS NULL AND coalesce(m.switched_at < now() - $2 * interval '1 ms', false) AS "isDeletable",
       coalesce(m.switched_at < now() - $3 * interval '1 ms', false) AS "isFinished"
     FROM task_move m LEFT JOIN task_owner o ON o.principal = m.principal WHERE m.principal = $1`,
    [principal, MOVED_ROWS_GRACE_MS, fenceMs],
  );
  return rows[0] ?? null;
}

interface Settlement extends Round {
  main: pg.Client;
  /** In the transaction with the lock of the arrival. */
  to: pg.Client;
}

async function settleLocked({ principal }: StoredMove, settlement: Settlement): Promise<void> {
  const { main, to, connections, fenceMs } = settlement;
  // Again, because the move may have ended before the lock was acquired.
  const move = await findMove(main, { principal, fenceMs });
  if (!move) return;
  const arrived = 'SELECT FROM arrived_owner WHERE principal = $1 AND move_id = $2';
  const hasArrived = (await to.query(arrived, [principal, move.id])).rowCount === 1;
  if (!(hasArrived || move.isDeleted)) return undo(settlement, move);
  await switchDirectory(main, move);
  if (!(move.isDeletable || move.isFinished)) return;
  const from = await connections.to(databaseOf(move.source));
  if (move.isDeletable) {
    await keepRetention({ from, to });
    await deleteMovedRows(from, principal);
  }
  await main.query('UPDATE task_move SET deleted_at = now() WHERE principal = $1', [principal]);
  if (!move.isFinished) return;
  await unregisterLeaving(from, principal);
  await to.query('DELETE FROM arrived_owner WHERE principal = $1', [principal]);
  await main.query('DELETE FROM task_move WHERE principal = $1', [principal]);
}

/** Makes the target examine the tasks that the source has not examined yet. */
async function keepRetention({ from, to }: { from: pg.Client; to: pg.Client }): Promise<void> {
  const read = `SELECT at FROM retention_cursor WHERE kind = 'tasks'`;
  const [reached] = (await from.query<{ at: Date }>(read)).rows;
  const lower = `UPDATE retention_cursor SET at = least(at, coalesce($1, to_timestamp(0))) WHERE kind = 'tasks'`;
  await to.query(lower, [reached?.at ?? null]);
}

/**
 * The source accepts writes again. If the target has lost the committed copy in a failover, the directory names the source
 * again.
 */
async function undo({ main, connections }: Settlement, { principal, source, target }: Move): Promise<void> {
  const text = 'UPDATE task_owner SET database = $2 WHERE principal = $1 AND database = $3';
  await main.query(text, [principal, source, target]);
  await unregisterLeaving(await connections.to(databaseOf(source)), principal);
  await main.query('DELETE FROM task_move WHERE principal = $1', [principal]);
  await notifyNodes(main, principal);
}

async function deleteMovedRows(from: pg.Client, principal: string): Promise<void> {
  await from.query('BEGIN');
  await from.query(`SELECT set_config('parley.moved_owner', $1, true)`, [principal]);
  await deleteRows(from, principal);
  await from.query('COMMIT');
}
