import { type Db, db } from '../../platform/db/db';
import { newId } from '../../platform/ids';
import { MAX_SHOWN_REPORTS } from '../limits';
import type { CaseState, Evidence, ReportReason, TargetKind } from '../schema';
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

/** Changes the state of a case and records the step. Returns false if the case is in none of the `from` states. */
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

/** Returns the subset of these agents that moderation removed, regardless of their later status. */
export async function selectTakenDown(tx: Db, agentIds: string[]): Promise<string[]> {
  const cases = await tx.moderationCase.findMany({
    where: { kind: 'agent', targetId: { in: agentIds }, state: { in: ['removed', 'appealed', 'upheld'] } },
    select: { targetId: true },
  });
  return cases.map(({ targetId }) => targetId);
}

export interface ReportRecord {
  id: string;
  reason: ReportReason;
  details: string;
  reporterId: string | null;
  evidence: Evidence;
  createdAt: Date;
}

export async function insertReport(tx: Db, caseId: string, report: ReportRecord): Promise<void> {
  await tx.moderationReport.create({ data: { ...report, caseId, evidence: { toJSON: () => report.evidence } } });
}

/** Returns the id of the user's earlier report in this case, if any. */
export async function findReportBy(tx: Db, caseId: string, reporterId: string): Promise<string | null> {
  const found = await tx.moderationReport.findFirst({ where: { caseId, reporterId }, select: { id: true } });
  return found?.id ?? null;
}

/** Returns the latest reports of a case, newest first. */
export async function selectReports(caseId: string): Promise<ReportRecord[]> {
  const rows = await db().moderationReport.findMany({
    where: { caseId },
    omit: { caseId: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_SHOWN_REPORTS,
  });
  return rows.map(({ reason, evidence, ...report }) => ({
    ...report,
    reason: reason as ReportReason,
    evidence: evidence as Evidence,
  }));
}

/** Returns the reports that a user made while signed in, newest first. */
export async function selectReportsBy(
  userId: string,
): Promise<{ id: string; title: string; reason: ReportReason; details: string; createdAt: Date }[]> {
  const rows = await db().moderationReport.findMany({
    where: { reporterId: userId },
    orderBy: { createdAt: 'desc' },
    select: { id: true, reason: true, details: true, createdAt: true, case: { select: { title: true } } },
  });
  return rows.map(({ case: { title }, reason, ...report }) => ({ ...report, title, reason: reason as ReportReason }));
}

interface ReceiptRecord {
  id: string;
  kind: TargetKind;
  title: string;
  reason: ReportReason;
  createdAt: Date;
  state: CaseState;
  decidedAt: Date | null;
}

export async function selectReceipt(id: string): Promise<ReceiptRecord | null> {
  const found = await db().moderationReport.findUnique({
    where: { id },
    select: {
      id: true,
      reason: true,
      createdAt: true,
      case: { select: { kind: true, title: true, state: true, decidedAt: true } },
    },
  });
  if (!found) return null;
  const { case: target, reason, ...report } = found;
  const [kind, state] = [target.kind as TargetKind, target.state as CaseState];
  return { ...report, ...target, reason: reason as ReportReason, kind, state };
}
