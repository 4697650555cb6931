import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bytea, json, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import type { CoreCard } from '../../protocol/a2a/core/card';
import type { Visibility } from '../schema';
import type { SignatureVerdict } from '../schema-cards';

const bytesRow = row({ bytes: bytea() });

/** Returns the listed card of an agent, as fetched. */
export async function selectCardBytes(agentId: string): Promise<Uint8Array | null> {
  const text = 'SELECT v.bytes FROM agent a JOIN agent_version v ON v.id = a.current_version_id WHERE a.id = $1';
  return (await bytesRow.queryFirst('agent-card-bytes', text, [agentId]))?.bytes ?? null;
}

const versionRow = row({ card: json<CoreCard>(), signature: json<SignatureVerdict>() });

/** Returns the card and signature of one version. */
export async function selectCardVersion(id: string): Promise<RowOf<typeof versionRow> | null> {
  const text = 'SELECT card, signature FROM agent_version WHERE id = $1';
  return versionRow.queryFirst('card-version', text, [id]);
}

const listedRow = row({ digest: text(), card: json<CoreCard>(), listedAt: timestamptz() });

/** Returns the versions that were listed, newest first. */
export function selectListedVersions(agentId: string): Promise<RowOf<typeof listedRow>[]> {
  return listedRow.query(
    'listed-versions',
    `SELECT digest, card, listed_at AS "listedAt" FROM agent_version
     WHERE agent_id = $1 AND listed_at IS NOT NULL ORDER BY listed_at DESC, id DESC`,
    [agentId],
  );
}

/**
 * Removes all cards except the current one from the history of an agent that was never public, before it becomes
 * visible to more users. Must run before the agent's row is updated.
 */
export async function hidePreviousVersions(
  tx: Db,
  agentId: string,
  { visibility, newVersionId }: { visibility: Visibility; newVersionId?: string },
): Promise<void> {
  if (visibility === 'private') return;
  await executeIn(
    tx,
    Prisma.sql`UPDATE agent_version v SET listed_at = NULL FROM agent a
      WHERE a.id = ${agentId} AND NOT a.ever_public AND a.visibility <> ${visibility} AND v.agent_id = a.id
        AND v.id <> coalesce(${newVersionId ?? null}, a.current_version_id) AND v.listed_at IS NOT NULL`,
  );
}

const ownerRow = row({ ownerId: text(), slug: text() });

/**
 * Records that an agent had to be called in an older protocol version than its card declares. Returns the owner to
 * notify on the first call per card version, and null afterwards.
 */
export async function recordVersionDowngrade(agentId: string, now: Date): Promise<RowOf<typeof ownerRow> | null> {
  return ownerRow.queryFirst(
    'record-version-downgrade',
    `UPDATE agent_version v SET downgraded_at = $2 FROM agent a
     WHERE a.id = $1 AND v.id = a.current_version_id AND v.downgraded_at IS NULL
     RETURNING a.owner_id AS "ownerId", a.slug`,
    [agentId, now],
  );
}
