import type { AgentScope } from '../../platform/context';
import { query } from '../../platform/sql';

/** An agent that calls others on behalf of whoever stands behind `parentId`. */
export interface DelegationRecord {
  id: string;
  parentId: string;
  agentId: string;
  secretId: string;
  scopes: AgentScope[];
}

/** How long one that is not used any more is remembered: tasks that it began may still be read by then. */
const rememberedMs = 30 * 24 * 3_600_000;

const columns = 'id, parent_id AS "parentId", agent_id AS "agentId", secret_id AS "secretId", scopes';

export async function selectDelegation(id: string): Promise<DelegationRecord | null> {
  const rows = await query<DelegationRecord>('tokens-delegation', `SELECT ${columns} FROM delegation WHERE id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

/** Keeps a delegation, or answers the one that says the same; drops those long out of use. */
export async function keepDelegation(delegation: DelegationRecord, now: Date): Promise<DelegationRecord> {
  const { id, parentId, agentId, secretId, scopes } = delegation;
  const rows = await query<DelegationRecord>(
    'tokens-keep-delegation',
    `WITH dropped AS (DELETE FROM delegation WHERE used_at < $7 AND parent_id <> $2)
     INSERT INTO delegation (id, parent_id, agent_id, secret_id, scopes, used_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (parent_id, agent_id, secret_id, scopes) DO UPDATE SET used_at = excluded.used_at
     RETURNING ${columns}`,
    [id, parentId, agentId, secretId, scopes, now, new Date(now.getTime() - rememberedMs)],
  );
  const [kept] = rows;
  if (!kept) throw new Error('a delegation that was kept is not there');
  return kept;
}
