import { query } from '../../platform/sql';
import type { CoreCard } from '../../protocol/a2a/core/card';

/** The versions of a card that were once the listed one, the latest first. */
export function selectListedVersions(agentId: string): Promise<{ digest: string; card: CoreCard; listedAt: Date }[]> {
  return query(
    'listed-versions',
    `SELECT digest, card, listed_at AS "listedAt" FROM agent_version
     WHERE agent_id = $1 AND listed_at IS NOT NULL ORDER BY listed_at DESC, id DESC`,
    [agentId],
  );
}
