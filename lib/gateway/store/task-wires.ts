import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { WireExchange } from '../schema';

const keptDays = 30;
/** Exchanges that are kept of one task; an agent that is asked again and again brings many alike. */
const mostPerTask = 200;

/** Keeps an exchange of a task that is there and has not too many. */
export async function insertWire(taskId: string, exchange: WireExchange): Promise<void> {
  await query(
    'insert-task-wire',
    `INSERT INTO task_wire (id, task_id, at, exchange) SELECT $1, id, $3, $4 FROM task
     WHERE id = $2 AND (SELECT count(*) FROM task_wire w WHERE w.task_id = $2) < $5`,
    // JSON text of PostgreSQL's takes no NUL, and an agent's words may have one.
    [newId('call'), taskId, exchange.at, JSON.stringify(exchange).replaceAll('\\u0000', '\\ufffd'), mostPerTask],
  );
}

/** The exchanges of a task, in order. The task must be known to be the asker's. */
export async function findWires(taskId: string): Promise<WireExchange[]> {
  const rows = await query<{ exchange: WireExchange }>(
    'task-wires',
    'SELECT exchange FROM task_wire WHERE task_id = $1 ORDER BY at, id',
    [taskId],
  );
  return rows.map(({ exchange }) => exchange);
}

/** Drops exchanges that are older than 30 days. */
export async function dropOldWires(now: Date): Promise<void> {
  await query('drop-task-wires', 'DELETE FROM task_wire WHERE at < $1', [
    new Date(now.getTime() - keptDays * 86_400_000),
  ]);
}
