import type { Db } from '../../platform/db/db';

/** The deleted account, and those of its agents that moderation suspended. */
interface ErasedOwner {
  id: string;
  email: string;
  takenDown: string[];
}

/**
 * Erases a user's withdrawn agents except name, slug and last card, which others' conversations show. The URL becomes
 * free, unless moderation suspended the agent: then it stays reserved, so that it cannot be relisted.
 */
export async function eraseOwner(tx: Db, { id: ownerId, email, takenDown }: ErasedOwner): Promise<void> {
  await tx.agentMember.deleteMany({ where: { userId: ownerId } });
  await tx.agentInvitation.deleteMany({ where: { email } });
  const agents = await tx.agent.findMany({ where: { ownerId }, select: { id: true, currentVersionId: true } });
  const agentIds = agents.map(({ id }) => id);
  const ofAgents = { agentId: { in: agentIds } };
  await tx.agentCredential.deleteMany({ where: ofAgents });
  await tx.agentMember.deleteMany({ where: ofAgents });
  await tx.agentInvitation.deleteMany({ where: ofAgents });
  await tx.cardRefreshState.deleteMany({ where: ofAgents });
  const currentVersionIds = agents.map(({ currentVersionId }) => currentVersionId);
  await tx.agentVersion.deleteMany({ where: { ...ofAgents, id: { notIn: currentVersionIds } } });
  await tx.agent.updateMany({ where: { ownerId }, data: { appId: null, tags: [], callLimits: {}, prices: [] } });
  for (const id of agentIds) {
    if (!takenDown.includes(id)) await tx.agent.update({ where: { id }, data: { url: `urn:parley:${id}` } });
  }
}
