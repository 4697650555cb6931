import { query } from '../../platform/sql';

/**
 * Records that an agent had to be called in an older version than its current card claims. Answers whom to tell the first
 * time, and null from then on until the agent has another card.
 */
export async function recordVersionDowngrade(
  agentId: string,
  now: Date,
): Promise<{ ownerId: string; slug: string } | null> {
  const rows = await query<{ ownerId: string; slug: string }>(
    'agent-called-older',
    `UPDATE agent_version v SET called_older_at = $2 FROM agent a
     WHERE a.id = $1 AND v.id = a.current_version_id AND v.called_older_at IS NULL
     RETURNING a.owner_id AS "ownerId", a.slug`,
    [agentId, now],
  );
  return rows[0] ?? null;
}
