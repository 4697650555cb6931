import type { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import type { CardVersion } from '../cards/card-version';
import { MAX_CARD_VERSIONS } from '../limits';

/** Inserts the first version of a new agent. */
export async function insertListedVersion(
  tx: Db,
  agent: { id: string; createdAt: Date },
  version: CardVersion,
): Promise<void> {
  await tx.agentVersion.create({ data: { ...versionData(version), agentId: agent.id, listedAt: agent.createdAt } });
}

/** Inserts a version that is not listed yet, and prunes the oldest versions beyond {@link MAX_CARD_VERSIONS}. */
export async function insertVersion(tx: Db, agentId: string, version: CardVersion): Promise<void> {
  await tx.agentVersion.create({ data: { ...versionData(version), agentId } });
  const old = await tx.agentVersion.findMany({
    where: { agentId },
    orderBy: [{ fetchedAt: 'desc' }, { id: 'desc' }],
    skip: MAX_CARD_VERSIONS,
    select: { id: true },
  });
  if (old.length > 0) await tx.agentVersion.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

function versionData({
  bytes,
  card,
  signature,
  validators: _validators,
  ...rest
}: CardVersion): Omit<Prisma.AgentVersionUncheckedCreateInput, 'agentId'> {
  return {
    ...rest,
    bytes: new Uint8Array(bytes),
    card: { toJSON: () => card },
    signature: { toJSON: () => signature },
  };
}

/** Records that a version is listed now; returns its id. */
export async function markListed(tx: Db, versionId: string): Promise<string> {
  await tx.agentVersion.update({ where: { id: versionId }, data: { listedAt: new Date() } });
  return versionId;
}
