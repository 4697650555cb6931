import { DATABASE_CONNECTIONS_BESIDE_POOL } from '../limits';
import { env } from '../runtime/env';
import { log } from '../runtime/log';
import { int4, row } from './rows';
import { pool } from './sql';

const budgetRow = row({ nodes: int4(), allowed: int4() });

/** Open connections of the pool, those not in use, and the statements that wait for one. */
export function countConnections(): { open: number; idle: number; waiting: number } {
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool();
  return { open, idle, waiting };
}

/**
 * The numbers of connections that this node may open, that all running nodes need together, and that the database
 * allows.
 */
export async function readConnectionBudget(): Promise<Record<'perNode' | 'nodes' | 'required' | 'allowed', number>> {
  const perNode = env().DATABASE_POOL_SIZE + DATABASE_CONNECTIONS_BESIDE_POOL;
  const budget = await budgetRow.queryFirst(
    'platform-connection-budget',
    `SELECT (SELECT greatest(count(DISTINCT application_name), 1)::int FROM pg_stat_activity
             WHERE datname = current_database() AND application_name LIKE 'parley-%') AS nodes,
       (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) AS allowed`,
  );
  const { nodes = 1, allowed = 0 } = budget ?? {};
  return { perNode, nodes, required: perNode * nodes, allowed };
}

/** Logs the connection budget, as a warning if the database allows too few. */
export async function logConnectionBudget(): Promise<void> {
  const budget = await readConnectionBudget();
  const record = budget.required > budget.allowed ? log.warn : log.info;
  record('database.connections', budget);
}
