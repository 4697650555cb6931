import { findAgentById, findLookalike } from '../catalog';
import type { Lookalike } from '../catalog/schema';
import { requireAdmin } from '../identity';
import type { Call, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { DAY_MS } from '../platform/time';
import { ACTIVITY_WEEKS, CASE_PAGE_SIZE } from './limits';
import {
  type CaseDetail,
  type CaseState,
  type CaseSummary,
  caseStates,
  type ModerationActivity,
  type Queue,
  type QueueQuery,
} from './schema';
import { selectLatestDecisions, selectMedianHours, selectReasons, selectWaiting, selectWeeks } from './store/activity';
import { type ReportRecord, selectReports } from './store/case-changes';
import {
  type CaseRecord,
  countCases,
  type QueuedCase,
  type StepRecord,
  selectCase,
  selectCases,
  selectEarlier,
  selectSteps,
} from './store/cases';

/**
 * Returns a page of the cases that match the filters.
 * @throws {ParleyError} `not_found` for non-moderators, `sign_in_again`
 */
export async function listCases({ ctx, input }: Call<QueueQuery>): Promise<Queue> {
  await requireAdmin({ ctx });
  const { state, page } = input;
  const [cases, counted] = await Promise.all([
    selectCases(input, { offset: (page - 1) * CASE_PAGE_SIZE, limit: CASE_PAGE_SIZE }),
    countCases(input),
  ]);
  const items = await Promise.all(cases.map(summaryOf));
  const pages = Math.max(1, Math.ceil((counted.get(state) ?? 0) / CASE_PAGE_SIZE));
  return { items, page, pages, counts: toCounts(counted) };
}

/**
 * Returns a case with its reports, their evidence, and its history.
 * @throws {ParleyError} `not_found`, also for non-moderators; `sign_in_again`
 */
export async function getCase({ ctx, input }: Call<{ id: string }>): Promise<CaseDetail> {
  await requireAdmin({ ctx });
  const found = await selectCase(input.id);
  if (!found) throw caseNotFound();
  const [summary, reports, steps, earlier] = await Promise.all([
    summaryOf(found),
    selectReports(found.id),
    selectSteps(found.id),
    selectEarlier(found),
  ]);
  return toCaseDetail(found, { summary, reports, steps, earlier });
}

/** Returns the same error for unknown cases and those of other users. */
export function caseNotFound(): ParleyError {
  return new ParleyError('not_found', 'Case not found. Check the URL.');
}

async function summaryOf(found: QueuedCase): Promise<CaseSummary> {
  const agent = found.agentId === null ? null : await findAgentById(found.agentId);
  const looksLike = agent && found.kind === 'agent' ? await findLookalike(agent) : null;
  return toCaseSummary(found, { slug: agent?.slug ?? null, looksLike });
}

function toCounts(counted: Map<CaseState, number>): Record<CaseState, number> {
  const counts = caseStates.map((state) => [state, counted.get(state) ?? 0]);
  return Object.fromEntries(counts) as Record<CaseState, number>;
}

function toCaseSummary(
  found: QueuedCase,
  { slug, looksLike }: { slug: string | null; looksLike: Lookalike | null },
): CaseSummary {
  const { id, kind, title, state, openedAt, reports, reasons, removedBefore } = found;
  const anchor = kind === 'review' ? '?tab=reviews#reviews' : '';
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

function toCaseDetail(found: CaseRecord, { summary, reports, steps, earlier }: CaseContext): CaseDetail {
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

/** Returns the view of a case's appeal; null if there is none. */
export function toAppeal({ appeal, appealedAt }: CaseRecord): { text: string; at: string } | null {
  return appeal !== null && appealedAt ? { text: appeal, at: appealedAt.toISOString() } : null;
}

/**
 * Returns the pending cases, the reports and decisions of each of the last 12 weeks, and the latest decisions.
 * @throws {ParleyError} `not_found` for non-moderators, `sign_in_again`
 */
export async function getModerationActivity({ ctx }: { ctx: Ctx }): Promise<ModerationActivity> {
  await requireAdmin({ ctx });
  const from = firstWeek(ctx.now);
  const [waiting, weeks, medianHours, reasons, latest] = await Promise.all([
    selectWaiting(ctx.now),
    selectWeeks(from, ctx.now),
    selectMedianHours(from),
    selectReasons(from),
    selectLatestDecisions(),
  ]);
  const { oldestOpenAt, oldestAppealAt, ...counts } = waiting;
  return {
    waiting: {
      ...counts,
      oldestOpenAt: oldestOpenAt?.toISOString() ?? null,
      oldestAppealAt: oldestAppealAt?.toISOString() ?? null,
    },
    weeks,
    medianHours,
    reasons,
    latest: latest.map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
  };
}

/** Returns Monday 00:00 UTC of the first week displayed. */
function firstWeek(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(today - (sinceMonday + 7 * (ACTIVITY_WEEKS - 1)) * DAY_MS);
}
