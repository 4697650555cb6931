import { json, row } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { newId } from '../../platform/ids';
import { TRACE_MAX_EXCHANGES } from '../limits';
import type { HttpExchange } from '../schema';

/** Stores an exchange if the task exists and is below its maximum. */
export async function insertHttpExchange(taskId: string, exchange: HttpExchange): Promise<void> {
  await execute(
    'insert-http-exchange',
    `INSERT INTO task_http_exchange (id, task_id, at, exchange) SELECT $1, id, $3, $4 FROM task
     WHERE id = $2 AND (
       SELECT count(*) FROM task_http_exchange w WHERE w.task_id = $2 AND w.at >= task.created_at - interval '1 hour') < $5`,
    // PostgreSQL's JSON text allows no NUL, which an agent may send.
    [
      newId('call'),
      taskId,
      exchange.at,
      JSON.stringify(exchange).replaceAll('\\u0000', '\\ufffd'),
      TRACE_MAX_EXCHANGES,
    ],
  );
}

const exchangeRow = row({ exchange: json<HttpExchange>() });

/** The exchanges of a task, in order. The caller must have checked who owns the task. */
export async function listHttpExchanges(taskId: string): Promise<HttpExchange[]> {
  const rows = await exchangeRow.query(
    'http-exchanges',
    'SELECT exchange FROM task_http_exchange WHERE task_id = $1 ORDER BY at, id',
    [taskId],
  );
  return rows.map(({ exchange }) => exchange);
}
