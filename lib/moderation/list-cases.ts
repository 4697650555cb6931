import { findAgentById, findLookalike } from '../catalog';
import { requireAdmin } from '../identity';
import type { Ctx } from '../platform/context';
import { caseNotFound } from './errors';
import type { CaseDetail, CaseSummary, Queue, QueueQuery } from './schema';
import { countCases, type QueuedCase, selectCase, selectCases, selectEarlier, selectSteps } from './store/cases';
import { selectReports } from './store/reports';
import { toCaseDetail, toCaseSummary, toCounts } from './to-wire';

const pageSize = 25;

/**
 * One page of the moderators' queue.
 * @throws {ParleyError} `not_found` for all but moderators, `sign_in_again`
 */
export async function listCases({ ctx, input }: { ctx: Ctx; input: QueueQuery }): Promise<Queue> {
  await requireAdmin({ ctx });
  const { state, page } = input;
  const [cases, counted] = await Promise.all([
    selectCases(state, { offset: (page - 1) * pageSize, limit: pageSize }),
    countCases(),
  ]);
  const items = await Promise.all(cases.map(summaryOf));
  const pages = Math.max(1, Math.ceil((counted.get(state) ?? 0) / pageSize));
  return { items, page, pages, counts: toCounts(counted) };
}

/**
 * One case with its reports, what they show, and its history.
 * @throws {ParleyError} `not_found`, also for all but moderators; `sign_in_again`
 */
export async function getCase({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<CaseDetail> {
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

async function summaryOf(found: QueuedCase): Promise<CaseSummary> {
  const agent = found.agentId === null ? null : await findAgentById(found.agentId);
  const looksLike = agent && found.kind === 'agent' ? await findLookalike(agent) : null;
  return toCaseSummary(found, { slug: agent?.slug ?? null, looksLike });
}
