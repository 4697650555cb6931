import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
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
export function selectReports(caseId: string): Promise<ReportRecord[]> {
  return query(
    'case-reports',
    `SELECT id, reason, details, reporter_id AS "reporterId", evidence, created_at AS "createdAt"
     FROM moderation_report WHERE case_id = $1 ORDER BY created_at DESC, id LIMIT ${MAX_SHOWN_REPORTS}`,
    [caseId],
  );
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
  const rows = await query<ReceiptRecord>(
    'report-receipt',
    `SELECT r.id, c.kind, c.title, r.reason, r.created_at AS "createdAt", c.state, c.decided_at AS "decidedAt"
     FROM moderation_report r JOIN moderation_case c ON c.id = r.case_id WHERE r.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}
