import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { CoreCard } from '../../protocol/a2a/core/card';

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

/** Due at once. */
const dueNow = new Date(0);

/** Notes where the listed card says that the agent's picture is; another place than before is looked at by the next round. */
export async function scheduleIconFetch(
  tx: Db,
  agentId: string,
  { iconUrl }: Pick<CoreCard, 'iconUrl'>,
): Promise<void> {
  const source = iconUrl ?? '';
  if (source !== '') {
    await tx.agentIcon.createMany({ data: { agentId, source, nextCheckAt: dueNow }, skipDuplicates: true });
  }
  await tx.agentIcon.updateMany({
    where: { agentId, NOT: { source } },
    data: { source, nextCheckAt: dueNow },
  });
}

/** A day, and up to two hours more, so that not all are looked at together; what no card names is looked at no more. */
const nextCheck = `CASE WHEN source = '' THEN 'infinity' ELSE $1::timestamptz + interval '1 day' + random() * interval '2 hours' END`;

/** Takes up to `limit` pictures that are due and moves them on: no other node takes them. Those of agents that are not listed rest. */
export function claimDueIcons(now: Date, limit: number): Promise<DueIcon[]> {
  return query(
    'claim-icons',
    `WITH due AS (
       SELECT agent_id FROM agent_icon WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED),
     moved AS (
       UPDATE agent_icon SET next_check_at = ${nextCheck} WHERE agent_id IN (SELECT agent_id FROM due)
       RETURNING agent_id, source)
     SELECT m.agent_id AS "agentId", nullif(m.source, '') AS source
     FROM moved m JOIN agent a ON a.id = m.agent_id WHERE a.status IN ('active', 'deprecated')`,
    [now, limit],
  );
}

/** Keeps what was found at the place that the card names; null for nothing that could be shown. */
export async function saveIcon(agentId: string, icon: { digest: string; bytes: Buffer } | null): Promise<void> {
  const text = 'UPDATE agent_icon SET digest = $2, bytes = $3 WHERE agent_id = $1';
  await query('keep-icon', text, [agentId, icon?.digest ?? null, icon?.bytes ?? null]);
}
