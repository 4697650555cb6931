import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { CoreCard } from '../../protocol/a2a/core/card';
import type { Visibility } from '../schema';

/** The versions of a card that were once the listed one, the latest first. */
export function selectListedVersions(agentId: string): Promise<{ digest: string; card: CoreCard; listedAt: Date }[]> {
  return query(
    'listed-versions',
    `SELECT digest, card, listed_at AS "listedAt" FROM agent_version
     WHERE agent_id = $1 AND listed_at IS NOT NULL ORDER BY listed_at DESC, id DESC`,
    [agentId],
  );
}

/**
 * Takes all cards but the one that is listed now out of the history of an agent that was never public, before more people
 * can see it: nobody listed those for them. Called before the agent itself is changed.
 */
export async function hidePreviousVersions(
  tx: Db,
  agentId: string,
  { visibility, newVersionId }: { visibility: Visibility; newVersionId?: string },
): Promise<void> {
  if (visibility === 'private') return;
  await tx.$executeRaw`
    UPDATE agent_version v SET listed_at = NULL FROM agent a
    WHERE a.id = ${agentId} AND NOT a.ever_public AND a.visibility <> ${visibility} AND v.agent_id = a.id
      AND v.id <> coalesce(${newVersionId ?? null}, a.current_version_id) AND v.listed_at IS NOT NULL`;
}
