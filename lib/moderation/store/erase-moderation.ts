import type { Db } from '../../platform/db';

/**
 * Takes a person and their words out of everything that moderation keeps: what they reported, how they appealed, and what was
 * kept of their reviews and conversations. What was decided stays, under nobody's name.
 */
export async function eraseModeration(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`UPDATE moderation_report r SET evidence = '{}' FROM moderation_case c
    WHERE c.id = r.case_id AND c.owner_id = ${userId} AND c.kind <> 'agent'`;
  await tx.$executeRaw`UPDATE moderation_case SET title = CASE kind WHEN 'review' THEN 'A review' ELSE 'A shared conversation' END
    WHERE owner_id = ${userId} AND kind <> 'agent'`;
  await tx.moderationCase.updateMany({
    where: { OR: [{ ownerId: userId }, { steps: { some: { userId, role: 'owner' } } }] },
    data: { appeal: null },
  });
  await tx.moderationStep.updateMany({ where: { userId, role: 'owner' }, data: { note: '' } });
  await tx.moderationStep.updateMany({ where: { userId }, data: { userId: null } });
  await tx.moderationReport.updateMany({ where: { reporterId: userId }, data: { reporterId: null, details: '' } });
  await tx.moderationCase.updateMany({ where: { ownerId: userId }, data: { ownerId: null } });
  await tx.moderationNotice.deleteMany({ where: { userId } });
}

/** Which of these agents moderation has taken down, whatever became of them since. */
export async function selectTakenDown(tx: Db, agentIds: string[]): Promise<string[]> {
  const cases = await tx.moderationCase.findMany({
    where: { kind: 'agent', targetId: { in: agentIds }, state: { in: ['removed', 'appealed', 'upheld'] } },
    select: { targetId: true },
  });
  return cases.map(({ targetId }) => targetId);
}
