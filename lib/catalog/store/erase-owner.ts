import type { Db } from '../../platform/db';

/**
 * Leaves of a person's withdrawn agents what others' conversations show: name, slug and the last card. Credentials, older
 * cards, settings and their teams go, and the address is free for whoever runs it next.
 */
export async function eraseOwner(tx: Db, ownerId: string): Promise<void> {
  await tx.agentMember.deleteMany({ where: { userId: ownerId } });
  const agents = await tx.agent.findMany({ where: { ownerId }, select: { id: true, currentVersionId: true } });
  const agentIds = agents.map(({ id }) => id);
  const ofThese = { agentId: { in: agentIds } };
  await tx.agentCredential.deleteMany({ where: ofThese });
  await tx.agentMember.deleteMany({ where: ofThese });
  await tx.agentInvitation.deleteMany({ where: ofThese });
  await tx.cardWatch.deleteMany({ where: ofThese });
  const kept = agents.map(({ currentVersionId }) => currentVersionId);
  await tx.agentVersion.deleteMany({ where: { ...ofThese, id: { notIn: kept } } });
  await tx.$executeRaw`UPDATE agent SET url = 'urn:parley:' || id, app_id = NULL, tags = '{}', call_limits = '{}'
    WHERE owner_id = ${ownerId}`;
}
