import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bytea, nullable, type RowOf, row, text } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { ICON_REFRESH_DAYS, ICON_REFRESH_JITTER_HOURS } from '../limits';

const iconRow = row({ digest: text(), bytes: bytea() });

/** Returns an agent's icon as Parley re-encoded it; null if there is none. */
export async function selectIcon(agentId: string): Promise<RowOf<typeof iconRow> | null> {
  const text = 'SELECT digest, bytes FROM agent_icon WHERE agent_id = $1 AND bytes IS NOT NULL';
  return iconRow.queryFirst('agent-icon', text, [agentId]);
}

const dueIconRow = row({ agentId: text(), source: nullable(text()) });

/** An agent whose icon is due, and the icon's URL; null if the icon is to be removed. */
export type DueIcon = RowOf<typeof dueIconRow>;

const dueNow = new Date(0);

/** Stores the icon URL of the listed card. A changed URL is due immediately. */
export async function scheduleIconFetch(
  tx: Db,
  agentId: string,
  { iconUrl }: Pick<CoreCard, 'iconUrl'>,
): Promise<void> {
  const source = iconUrl ?? '';
  if (source !== '') {
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO agent_icon (agent_id, source, next_check_at) VALUES (${agentId}, ${source}, ${dueNow})
        ON CONFLICT DO NOTHING`,
    );
  }
  await executeIn(
    tx,
    Prisma.sql`UPDATE agent_icon SET source = ${source}, next_check_at = ${dueNow}
      WHERE agent_id = ${agentId} AND source <> ${source}`,
  );
}

// An icon that no card specifies is never due.
const nextCheck = `CASE WHEN source = '' THEN 'infinity' ELSE $1::timestamptz + interval '${ICON_REFRESH_DAYS} day' + random() * interval '${ICON_REFRESH_JITTER_HOURS} hours' END`;

/**
 * Claims at most `limit` icons that are due, and schedules their next fetch. Skips agents that are neither active nor
 * deprecated.
 */
export function claimDueIcons(now: Date, limit: number): Promise<DueIcon[]> {
  return dueIconRow.query(
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

/** Stores the fetched icon, or null if it cannot be displayed. */
export async function saveIcon(agentId: string, icon: { digest: string; bytes: Buffer } | null): Promise<void> {
  const text = 'UPDATE agent_icon SET digest = $2, bytes = $3 WHERE agent_id = $1';
  await execute('save-icon', text, [agentId, icon?.digest ?? null, icon?.bytes ?? null]);
}
