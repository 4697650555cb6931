import { row, text } from '../../platform/db/rows';
import { MAX_ORDER_AGENTS } from '../limits';

const orderAgentRow = row({ agentId: text() });

/** Ids of the agents that the user has orders from. */
export async function findOrderAgents(userId: string): Promise<string[]> {
  const rows = await orderAgentRow.query(
    'order-agents',
    `SELECT DISTINCT agent_id AS "agentId" FROM payment_order WHERE user_id = $1 LIMIT ${MAX_ORDER_AGENTS}`,
    [userId],
  );
  return rows.map(({ agentId }) => agentId);
}
