import { type Db, db } from '../../platform/db/db';
import { MAX_SHOWN_REPORTS } from '../limits';
import type { CaseState, Evidence, ReportReason, TargetKind } from '../schema';

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

/** The id of the user's earlier report in this case, if any. */
export async function findReportBy(tx: Db, caseId: string, reporterId: string): Promise<string | null> {
  const found = await tx.moderationReport.findFirst({ where: { caseId, reporterId }, select: { id: true } });
  return found?.id ?? null;
}

/** The latest reports of a case, latest first. */
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

/** The reports that a user made while signed in, latest first. */
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
