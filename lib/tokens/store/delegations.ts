import { notifyPayload, publishLocally } from '../../platform/bus';
import { bool, type RowOf, row, text, textArray } from '../../platform/db/rows';
import type { AgentScope } from '../../platform/scopes';
import { DELEGATION_RETENTION_MS } from '../limits';

const delegationRow = row({
  id: text(),
  parentId: text(),
  agentId: text(),
  secretId: text(),
  scopes: textArray<AgentScope>(),
  /** True if its grant was revoked. It stays ended, even after a new grant. */
  hasEnded: bool(),
});

/** An agent that calls others on behalf of the principal of `parentId`. */
export type DelegationRecord = RowOf<typeof delegationRow>;

const columns =
  'id, parent_id AS "parentId", agent_id AS "agentId", secret_id AS "secretId", scopes, ended_at IS NOT NULL AS "hasEnded"';

export async function selectDelegation(id: string): Promise<DelegationRecord | null> {
  return delegationRow.queryFirst('tokens-delegation', `SELECT ${columns} FROM delegation WHERE id = $1`, [id]);
}

/** Inserts a delegation or returns the identical one; deletes those unused past the retention. */
export async function upsertDelegation(
  delegation: Omit<DelegationRecord, 'hasEnded'> & { principal: string },
  now: Date,
): Promise<DelegationRecord> {
  const { id, parentId, agentId, secretId, scopes, principal } = delegation;
  const rows = await delegationRow.query(
    'tokens-upsert-delegation',
    `WITH pruned AS (DELETE FROM delegation WHERE last_used_at < $7 AND parent_id <> $2)
     INSERT INTO delegation (id, parent_id, agent_id, secret_id, scopes, last_used_at, principal) VALUES ($1, $2, $3, $4, $5, $6, $8)
     ON CONFLICT (parent_id, agent_id, secret_id, scopes) WHERE ended_at IS NULL
     DO UPDATE SET last_used_at = excluded.last_used_at, principal = excluded.principal
     RETURNING ${columns}`,
    [id, parentId, agentId, secretId, scopes, now, new Date(now.getTime() - DELEGATION_RETENTION_MS), principal],
  );
  const [saved] = rows;
  if (!saved) throw new Error('the upserted delegation was not returned');
  return saved;
}

const endedRow = row({ id: text() });

/** Permanently ends every delegation by which this agent acts for this user, and notifies every node. */
export async function endDelegations({
  userId,
  agentId,
  now,
}: {
  userId: string;
  agentId: string;
  now: Date;
}): Promise<void> {
  const ended = await endedRow.query(
    'tokens-end-delegations',
    `WITH ended AS (
       UPDATE delegation SET ended_at = $3 WHERE principal = $1 AND agent_id = $2 AND ended_at IS NULL RETURNING id)
     SELECT id, pg_notify('parley', $4 || id) AS _id FROM ended`,
    [userId, agentId, now, notifyPayload('credential', '')],
  );
  for (const { id } of ended) publishLocally('credential', id);
}
