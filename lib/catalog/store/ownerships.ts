import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { OWNERSHIP_GRACE_MS, OWNERSHIP_RECHECK_DAYS, OWNERSHIP_RECHECK_JITTER_HOURS } from '../limits';

const ownershipRow = row({
  agentId: text(),
  method: text<'dns' | 'file'>(),
  provedAt: timestamptz(),
  checkedAt: timestamptz(),
  missingSince: nullable(timestamptz()),
});

/** The proof that an agent's owner controls its host. */
export type OwnershipRecord = RowOf<typeof ownershipRow>;

const columns = `agent_id AS "agentId", method, proved_at AS "provedAt", checked_at AS "checkedAt", missing_since AS "missingSince"`;
const nextCheck = `interval '${OWNERSHIP_RECHECK_DAYS} day' + random() * interval '${OWNERSHIP_RECHECK_JITTER_HOURS} hours'`;

export async function selectOwnership(agentId: string): Promise<OwnershipRecord | null> {
  const text = `SELECT ${columns} FROM agent_ownership WHERE agent_id = $1`;
  return ownershipRow.queryFirst('ownership', text, [agentId]);
}

/** Records that the proof was found. */
export async function saveProof(
  agentId: string,
  { method, now }: { method: 'dns' | 'file'; now: Date },
): Promise<void> {
  await execute(
    'save-ownership-proof',
    `INSERT INTO agent_ownership (agent_id, method, proved_at, checked_at, next_check_at)
     VALUES ($1, $2, $3, $3, $3::timestamptz + ${nextCheck})
     ON CONFLICT (agent_id) DO UPDATE SET method = excluded.method, checked_at = excluded.checked_at,
       next_check_at = excluded.next_check_at, missing_since = NULL`,
    [agentId, method, now],
  );
}

const missingRow = row({ since: timestamptz() });

/** Records that the proof was not found; returns the time since which it is missing. */
export async function markProofMissing(agentId: string, now: Date): Promise<Date> {
  const rows = await missingRow.query(
    'mark-ownership-proof-missing',
    `UPDATE agent_ownership SET checked_at = $2, missing_since = coalesce(missing_since, $2) WHERE agent_id = $1
     RETURNING missing_since AS since`,
    [agentId, now],
  );
  return rows[0]?.since ?? now;
}

export async function deleteOwnership(agentId: string): Promise<void> {
  await execute('delete-ownership', 'DELETE FROM agent_ownership WHERE agent_id = $1', [agentId]);
}

/** Sets or removes the badge `verified` according to the stored proof. */
export async function syncVerifiedBadge(tx: Db, agentId: string): Promise<void> {
  const missingSince = new Date(Date.now() - OWNERSHIP_GRACE_MS);
  await executeIn(
    tx,
    Prisma.sql`UPDATE agent a SET badges = array_remove(a.badges, 'verified') || CASE WHEN EXISTS (
        SELECT FROM agent_ownership o WHERE o.agent_id = a.id AND (o.missing_since IS NULL OR o.missing_since > ${missingSince}))
        THEN ARRAY['verified'] ELSE ARRAY[]::text[] END
      WHERE a.id = ${agentId}`,
  );
}

const claimedRow = row({ agentId: text() });

/** Claims up to `limit` agents whose proof is due, and schedules their next check. */
export async function claimDueOwnerships(now: Date, limit: number): Promise<string[]> {
  const rows = await claimedRow.query(
    'claim-ownerships',
    `UPDATE agent_ownership SET next_check_at = $1::timestamptz + ${nextCheck} WHERE agent_id IN (
       SELECT o.agent_id FROM agent_ownership o JOIN agent a ON a.id = o.agent_id
       WHERE o.next_check_at <= $1 AND a.status IN ('active', 'deprecated')
       ORDER BY o.next_check_at LIMIT $2 FOR UPDATE OF o SKIP LOCKED)
     RETURNING agent_id AS "agentId"`,
    [now, limit],
  );
  return rows.map(({ agentId }) => agentId);
}
