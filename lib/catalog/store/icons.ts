import { query } from '../../platform/sql';

/** The bytes of an agent's picture, as Parley made it anew. */
export async function selectIcon(agentId: string): Promise<{ digest: string; bytes: Buffer } | null> {
  const text = 'SELECT digest, bytes FROM agent_icon WHERE agent_id = $1 AND bytes IS NOT NULL';
  return (await query<{ digest: string; bytes: Buffer }>('agent-icon', text, [agentId]))[0] ?? null;
}

/** An agent whose picture is to be looked for, and where. */
export interface DueIcon {
  agentId: string;
  source: string | null;
}

/** A day, and up to two hours more, so that not all are looked at together. */
const nextCheck = "interval '1 day' + random() * interval '2 hours'";

/**
 * Takes up to `limit` agents whose card names another picture than is kept, or whose picture is a day old; no other node takes
 * them meanwhile.
 */
export function claimDueIcons(now: Date, limit: number): Promise<DueIcon[]> {
  return query(
    'claim-icons',
    `INSERT INTO agent_icon AS k (agent_id, source, next_check_at)
     SELECT a.id, coalesce(v.card->>'iconUrl', ''), $1::timestamptz + ${nextCheck}
     FROM agent a JOIN agent_version v ON v.id = a.current_version_id LEFT JOIN agent_icon i ON i.agent_id = a.id
     WHERE a.status IN ('active', 'deprecated')
       AND (CASE WHEN i.agent_id IS NULL THEN v.card->>'iconUrl' IS NOT NULL
         ELSE i.source <> coalesce(v.card->>'iconUrl', '') OR (i.source <> '' AND i.next_check_at <= $1) END)
     LIMIT $2
     ON CONFLICT (agent_id) DO UPDATE SET source = excluded.source, next_check_at = excluded.next_check_at
       WHERE k.source <> excluded.source OR k.next_check_at <= $1
     RETURNING k.agent_id AS "agentId", nullif(k.source, '') AS source`,
    [now, limit],
  );
}

/** Keeps what was found at the place that the card names; null for nothing that could be shown. */
export async function keepIcon(agentId: string, icon: { digest: string; bytes: Buffer } | null): Promise<void> {
  const text = 'UPDATE agent_icon SET digest = $2, bytes = $3 WHERE agent_id = $1';
  await query('keep-icon', text, [agentId, icon?.digest ?? null, icon?.bytes ?? null]);
}
