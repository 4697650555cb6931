import type { Db } from '../../platform/db';

/** Who goes, and which of their agents moderation has taken down. */
interface ErasedOwner {
  id: string;
  email: string;
  takenDown: string[];
}

/**
 * Leaves of a person's withdrawn agents what others' conversations show: name, slug and the last card. Credentials, older
 * cards, settings and their teams go, and the address is free for whoever runs it next, unless moderation took the agent
 * down: then it stays listed under nobody, so that nobody lists it anew.
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
  await tx.cardWatch.deleteMany({ where: ofAgents });
  const currentVersionIds = agents.map(({ currentVersionId }) => currentVersionId);
  await tx.agentVersion.deleteMany({ where: { ...ofAgents, id: { notIn: currentVersionIds } } });
  await tx.$executeRaw`UPDATE agent SET app_id = NULL, tags = '{}', call_limits = '{}', prices = '[]',
      url = CASE WHEN id = ANY(${takenDown}::text[]) THEN url ELSE 'urn:parley:' || id END
    WHERE owner_id = ${ownerId}`;
}
