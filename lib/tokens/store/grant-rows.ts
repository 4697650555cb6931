import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { bool, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import type { AgentScope, GrantableScope } from '../../platform/scopes';
import { DELEGATION_RETENTION_MS, GRANT_BATCH_SIZE, MAX_LISTED_GRANTS } from '../limits';

const settingsRow = row({ scopes: textArray<GrantableScope>(), neverHires: bool() });

/** The permissions that a user grants an agent. */
export type GrantSettings = RowOf<typeof settingsRow>;

const grantRow = row({
  ...settingsRow.columns,
  agentId: text(),
  createdAt: timestamptz(),
  lastUsedAt: nullable(timestamptz()),
});

/** The scopes that a user granted an agent, and the time of the user's last use. */
export type AgentGrantRecord = RowOf<typeof grantRow>;

/** Returns the key of a grant in notifications and caches. */
export function grantKey(userId: string, agentId: string): string {
  return `${userId}/${agentId}`;
}

export async function findGrant(key: string): Promise<GrantSettings> {
  const [userId, agentId] = key.split('/');
  const found = await settingsRow.queryFirst(
    'tokens-grant',
    'SELECT scopes, never_hires AS "neverHires" FROM agent_grant WHERE user_id = $1 AND agent_id = $2',
    [userId, agentId],
  );
  return found ?? { scopes: [], neverHires: false };
}

const columns =
  'agent_id AS "agentId", scopes, never_hires AS "neverHires", created_at AS "createdAt", last_used_at AS "lastUsedAt"';

/**
 * Lists up to {@link MAX_LISTED_GRANTS} agents that a user has used or granted a scope, by last use, or by the first
 * grant if there was none, newest first.
 */
export async function listGrantsOf(userId: string): Promise<AgentGrantRecord[]> {
  return grantRow.query(
    'tokens-grants-of',
    `SELECT ${columns} FROM agent_grant WHERE user_id = $1
     ORDER BY coalesce(last_used_at, created_at) DESC, agent_id LIMIT ${MAX_LISTED_GRANTS}`,
    [userId],
  );
}

/** Streams every agent that a user has used or granted a scope, in the order of the agents' ids. */
export async function* streamGrantsOf(userId: string): AsyncGenerator<AgentGrantRecord> {
  const text = `SELECT ${columns} FROM agent_grant WHERE user_id = $1 AND agent_id > $2 ORDER BY agent_id LIMIT $3`;
  for (let after = ''; ; ) {
    const rows: AgentGrantRecord[] = await grantRow.query('tokens-grants-after', text, [
      userId,
      after,
      GRANT_BATCH_SIZE,
    ]);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < GRANT_BATCH_SIZE) return;
    after = last.agentId;
  }
}

interface GrantOf {
  userId: string;
  agentId: string;
  now: Date;
}

/** Sets the permissions that a user grants an agent, and notifies every node in the same statement. */
export async function saveGrant(
  { userId, agentId, scopes, neverHires, now }: GrantOf & GrantSettings,
  audit: AuditEntry,
): Promise<void> {
  const key = grantKey(userId, agentId);
  await execute(
    'tokens-save-grant',
    `WITH saved AS (
       INSERT INTO agent_grant (user_id, agent_id, scopes, created_at, never_hires) VALUES ($1, $2, $3, $4, $7)
       ON CONFLICT (user_id, agent_id) DO UPDATE SET scopes = excluded.scopes, never_hires = excluded.never_hires
       RETURNING user_id)
     SELECT pg_notify('parley', $5), audit_append($6::jsonb) FROM saved`,
    [userId, agentId, scopes, now, notifyPayload('grant', key), auditJson(audit), neverHires],
  );
  publishLocally('grant', key);
}

/** Deletes a grant and notifies every node. Returns true if it existed. */
export async function deleteGrant({ userId, agentId }: Omit<GrantOf, 'now'>, audit: AuditEntry): Promise<boolean> {
  const key = grantKey(userId, agentId);
  const count = await execute(
    'tokens-delete-grant',
    `WITH deleted AS (DELETE FROM agent_grant WHERE user_id = $1 AND agent_id = $2 RETURNING user_id)
     SELECT pg_notify('parley', $3), audit_append($4::jsonb) FROM deleted`,
    [userId, agentId, notifyPayload('grant', key), auditJson(audit)],
  );
  publishLocally('grant', key);
  return count === 1;
}

/** Records that the user used the agent. */
export async function touchGrant(key: string, now: Date): Promise<void> {
  const [userId, agentId] = key.split('/');
  await execute(
    'tokens-touch-grant',
    `INSERT INTO agent_grant (user_id, agent_id, scopes, created_at, last_used_at) VALUES ($1, $2, '{}', $3, $3)
     ON CONFLICT (user_id, agent_id) DO UPDATE SET last_used_at = excluded.last_used_at`,
    [userId, agentId, now],
  );
}

const delegationRow = row({
  id: text(),
  parentId: text(),
  agentId: text(),
  secretId: text(),
  scopes: textArray<AgentScope>(),
  /** True if the grant of the delegation was revoked. The delegation stays ended, even after a new grant. */
  hasEnded: bool(),
});

/** An agent that calls others on behalf of the principal of `parentId`. */
export type DelegationRecord = RowOf<typeof delegationRow>;

const delegationColumns =
  'id, parent_id AS "parentId", agent_id AS "agentId", secret_id AS "secretId", scopes, ended_at IS NOT NULL AS "hasEnded"';

export async function selectDelegation(id: string): Promise<DelegationRecord | null> {
  return delegationRow.queryFirst('tokens-delegation', `SELECT ${delegationColumns} FROM delegation WHERE id = $1`, [
    id,
  ]);
}

/** Inserts a delegation or returns the identical one. Deletes unused delegations whose retention has ended. */
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
     RETURNING ${delegationColumns}`,
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
