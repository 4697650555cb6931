import type pg from 'pg';
import { MOVE_FENCE_MS, MOVED_ROWS_GRACE_MS } from '../../limits';
import { errorFields, log } from '../../runtime/log';
import { row, text } from '../rows';
import { unregisterLeaving } from './leaving-owners';
import { connect, databaseOf, lockArrival, type Move, notifyNodes, switchDirectory } from './move-steps';
import { deleteRows } from './owner-rows';
import { extraTaskDatabases, mainTaskDatabase } from './task-databases';

const dueRow = row({ principal: text() });

/**
 * Continues the moves that were interrupted or have work left: undoes those before the commit of the copy, and completes
 * the others. Does nothing to moves in progress. Returns the number of moves found.
 */
export async function settleMoves(fenceMs = MOVE_FENCE_MS): Promise<number> {
  if (extraTaskDatabases().length === 0) return 0;
  const due = await dueRow.query(
    'due-moves',
    `SELECT principal FROM task_move WHERE switched_at IS NULL
     OR (deleted_at IS NULL AND switched_at < now() - $1 * interval '1 ms') OR switched_at < now() - $2 * interval '1 ms'`,
    [MOVED_ROWS_GRACE_MS, fenceMs],
  );
  for (const { principal } of due) {
    await settleMove(principal, fenceMs).catch((error) => log.error('owner_move.settle_failed', errorFields(error)));
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
export async function settleMove(principal: string, fenceMs = MOVE_FENCE_MS): Promise<void> {
  const main = await connect(mainTaskDatabase);
  try {
    const move = await findMove(main, { principal, fenceMs });
    if (!move) return;
    const to = await connect(databaseOf(move.target));
    try {
      await to.query('BEGIN');
      if (await lockArrival(to, principal)) await settleLocked(move, { main, to, fenceMs });
      await to.query('COMMIT');
    } finally {
      await to.end();
    }
  } finally {
    await main.end();
  }
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

interface Settlement {
  main: pg.Client;
  /** In the transaction with the lock of the arrival. */
  to: pg.Client;
  fenceMs: number;
}

async function settleLocked({ principal }: StoredMove, { main, to, fenceMs }: Settlement): Promise<void> {
  // Again, because the move may have ended before the lock was acquired.
  const move = await findMove(main, { principal, fenceMs });
  if (!move) return;
  const arrived = 'SELECT FROM arrived_owner WHERE principal = $1 AND move_id = $2';
  const hasArrived = (await to.query(arrived, [principal, move.id])).rowCount === 1;
  if (!(hasArrived || move.isDeleted)) return undo(main, move);
  await switchDirectory(main, move);
  if (!(move.isDeletable || move.isFinished)) return;
  const from = await connect(databaseOf(move.source));
  try {
    if (move.isDeletable) {
      await keepRetention({ from, to });
      await deleteMovedRows(from, principal);
    }
    await main.query('UPDATE task_move SET deleted_at = now() WHERE principal = $1', [principal]);
    if (!move.isFinished) return;
    await unregisterLeaving(from, principal);
    await to.query('DELETE FROM arrived_owner WHERE principal = $1', [principal]);
    await main.query('DELETE FROM task_move WHERE principal = $1', [principal]);
  } finally {
    await from.end();
  }
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
async function undo(main: pg.Client, { principal, source, target }: Move): Promise<void> {
  const text = 'UPDATE task_owner SET database = $2 WHERE principal = $1 AND database = $3';
  await main.query(text, [principal, source, target]);
  const from = await connect(databaseOf(source));
  try {
    await unregisterLeaving(from, principal);
  } finally {
    await from.end();
  }
  await main.query('DELETE FROM task_move WHERE principal = $1', [principal]);
  await notifyNodes(main, principal);
}

async function deleteMovedRows(from: pg.Client, principal: string): Promise<void> {
  await from.query('BEGIN');
  await from.query(`SELECT set_config('parley.moved_owner', $1, true)`, [principal]);
  await deleteRows(from, principal);
  await from.query('COMMIT');
}
