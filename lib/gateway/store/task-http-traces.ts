import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { HttpExchange } from '../schema';

const retentionDays = 30;
/** Exchanges that are kept of one task; an agent that is asked again and again brings many alike. */
const maxPerTask = 200;

/** Keeps an exchange of a task that is there and has not too many. */
export async function insertHttpExchange(taskId: string, exchange: HttpExchange): Promise<void> {
  await query(
    'insert-task-wire',
    `INSERT INTO task_wire (id, task_id, at, exchange) SELECT $1, id, $3, $4 FROM task
     WHERE id = $2 AND (SELECT count(*) FROM task_wire w WHERE w.task_id = $2) < $5`,
    // JSON text of PostgreSQL's takes no NUL, and an agent's words may have one.
    [newId('call'), taskId, exchange.at, JSON.stringify(exchange).replaceAll('\\u0000', '\\ufffd'), maxPerTask],
  );
}

/** The exchanges of a task, in order. The task must be known to be the asker's. */
export async function listHttpExchanges(taskId: string): Promise<HttpExchange[]> {
  const rows = await query<{ exchange: HttpExchange }>(
    'task-wires',
    'SELECT exchange FROM task_wire WHERE task_id = $1 ORDER BY at, id',
    [taskId],
  );
  return rows.map(({ exchange }) => exchange);
}

/** Drops exchanges that are older than 30 days. */
export async function deleteOldHttpExchanges(now: Date): Promise<void> {
  await query('drop-task-wires', 'DELETE FROM task_wire WHERE at < $1', [
    new Date(now.getTime() - retentionDays * 86_400_000),
  ]);
}
