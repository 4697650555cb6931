import type { Lookalike } from '../catalog/schema';
import { type CaseDetail, type CaseState, type CaseSummary, caseStates, type OwnCase, type Receipt } from './schema';
import type { CaseRecord, QueuedCase, StepRecord } from './store/cases';
import type { ReceiptRecord, ReportRecord } from './store/reports';

export function toReceipt({ createdAt, decidedAt, ...receipt }: ReceiptRecord): Receipt {
  return { ...receipt, createdAt: createdAt.toISOString(), decidedAt: decidedAt?.toISOString() ?? null };
}

export function toCounts(counted: Map<CaseState, number>): Record<CaseState, number> {
  const counts = caseStates.map((state) => [state, counted.get(state) ?? 0]);
  return Object.fromEntries(counts) as Record<CaseState, number>;
}

export function toCaseSummary(
  found: QueuedCase,
  { slug, looksLike }: { slug: string | null; looksLike: Lookalike | null },
): CaseSummary {
  const { id, kind, title, state, openedAt, reports, reasons, removedBefore } = found;
  const anchor = kind === 'review' ? '#reviews' : '';
  return {
    id,
    kind,
    title,
    path: slug === null || kind === 'share' ? null : `/agents/${slug}${anchor}`,
    state,
    openedAt: openedAt.toISOString(),
    reports,
    reasons,
    removedBefore,
    looksLike: looksLike && { slug: looksLike.slug, name: looksLike.name },
  };
}

interface CaseContext {
  summary: CaseSummary;
  reports: ReportRecord[];
  steps: StepRecord[];
  earlier: Pick<CaseRecord, 'id' | 'state' | 'openedAt'>[];
}

export function toCaseDetail(found: CaseRecord, { summary, reports, steps, earlier }: CaseContext): CaseDetail {
  const { reason, statement, decidedAt } = found;
  return {
    ...summary,
    decided: decidedAt && { reason, statement: statement ?? '', at: decidedAt.toISOString() },
    appeal: toAppeal(found),
    reportList: reports.map(({ id, reason: given, details, reporterId, evidence, createdAt }) => ({
      id,
      reason: given,
      details,
      signedIn: reporterId !== null,
      evidence,
      createdAt: createdAt.toISOString(),
    })),
    steps: steps.map(({ at, ...step }) => ({ ...step, at: at.toISOString() })),
    earlier: earlier.map(({ openedAt, ...other }) => ({ ...other, openedAt: openedAt.toISOString() })),
  };
}

export function toOwnCase(found: CaseRecord, mayAppeal: boolean): OwnCase {
  const { id, kind, title, state, reason, statement, decidedAt } = found;
  return {
    id,
    kind,
    title,
    state,
    reason,
    statement: statement ?? '',
    decidedAt: decidedAt?.toISOString() ?? null,
    appeal: toAppeal(found),
    mayAppeal,
  };
}

function toAppeal({ appeal, appealedAt }: CaseRecord): { text: string; at: string } | null {
  return appeal !== null && appealedAt ? { text: appeal, at: appealedAt.toISOString() } : null;
}
