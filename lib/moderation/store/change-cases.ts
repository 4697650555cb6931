import type { Db } from '../../platform/db/db';
import { newId } from '../../platform/ids';
import type { CaseState } from '../schema';
import type { CaseRecord } from './cases';

/** The changes of a case, in addition to its state. */
type CaseChanges = Partial<
  Pick<CaseRecord, 'ownerId' | 'reason' | 'statement' | 'decidedAt' | 'priorState' | 'appeal' | 'appealedAt'>
>;

interface CaseStep {
  from: CaseState[];
  to: CaseState;
  changes: CaseChanges;
  by: { role: 'moderator' | 'owner'; userId: string };
  note: string;
  now: Date;
}

/** Changes the state of a case and records the step; false if the case is in none of the `from` states. */
export async function moveCase(tx: Db, id: string, { from, to, changes, by, note, now }: CaseStep): Promise<boolean> {
  const data = { ...changes, state: to, updatedAt: now };
  const { count } = await tx.moderationCase.updateMany({ where: { id, state: { in: from } }, data });
  if (count === 0) return false;
  await tx.moderationStep.create({ data: { id: newId('stp'), caseId: id, state: to, ...by, note, at: now } });
  return true;
}

/**
 * Erases a user from moderation: their reports, their appeals, and evidence from their reviews and conversations.
 * Decisions remain, anonymized.
 */
export async function eraseModeration(tx: Db, userId: string): Promise<void> {
  const ownCases = { ownerId: userId, kind: { not: 'agent' } };
  await tx.moderationReport.updateMany({ where: { case: ownCases }, data: { evidence: {} } });
  await tx.moderationCase.updateMany({ where: { ownerId: userId, kind: 'review' }, data: { title: 'A review' } });
  await tx.moderationCase.updateMany({
    where: { ownerId: userId, kind: { notIn: ['agent', 'review'] } },
    data: { title: 'A shared conversation' },
  });
  await tx.moderationCase.updateMany({
    where: { OR: [{ ownerId: userId }, { steps: { some: { userId, role: 'owner' } } }] },
    data: { appeal: null },
  });
  await tx.moderationStep.updateMany({ where: { userId, role: 'owner' }, data: { note: '' } });
  await tx.moderationStep.updateMany({ where: { userId }, data: { userId: null } });
  await tx.moderationReport.updateMany({ where: { reporterId: userId }, data: { reporterId: null, details: '' } });
  await tx.moderationCase.updateMany({ where: { ownerId: userId }, data: { ownerId: null } });
  await tx.moderationNotification.deleteMany({ where: { userId } });
}

/** The subset of these agents that moderation removed, regardless of their later status. */
export async function selectTakenDown(tx: Db, agentIds: string[]): Promise<string[]> {
  const cases = await tx.moderationCase.findMany({
    where: { kind: 'agent', targetId: { in: agentIds }, state: { in: ['removed', 'appealed', 'upheld'] } },
    select: { targetId: true },
  });
  return cases.map(({ targetId }) => targetId);
}
