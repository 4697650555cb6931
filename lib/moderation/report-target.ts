import { consume, countAttempt } from '../limits';
import { appendAudit, moderationRequested } from '../observability';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { inTransaction } from '../platform/tx';
import { reportNotFound, signInToReport } from './errors';
import { ANONYMOUS_REPORT_LIMIT, REPORT_LIMIT } from './policy';
import { anonymousReason, type Receipt, type ReportInput } from './schema';
import { openCase } from './store/cases';
import { findReportBy, insertReport, selectReceipt } from './store/reports';
import { findTarget } from './target';
import { toReceipt } from './to-wire';

/**
 * Reports something to the moderators, with what it says at this moment as evidence. Without signing in only illegal content
 * can be reported. The same person's second report of one case is answered with the receipt of the first.
 * @throws {ParleyError} `not_found`, `unauthenticated`, `rate_limited`
 */
export async function reportTarget({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ReportInput & { address: string };
}): Promise<Receipt> {
  const { actor, now } = ctx;
  const userId = actor.kind === 'user' ? actor.userId : null;
  if (userId === null && input.reason !== anonymousReason) throw signInToReport();
  const target = await findTarget(actor, input.kind, input.id);
  if (userId === null) await countAttempt(ANONYMOUS_REPORT_LIMIT, input.address);
  else await consume(REPORT_LIMIT, userId, now);
  const { reason, details } = input;
  const reportId = await inTransaction(async (tx) => {
    const { id: targetId, evidence, ...about } = target;
    const caseId = await openCase(tx, { ...about, targetId, id: newId('mod') }, now);
    const earlier = userId && (await findReportBy(tx, caseId, userId));
    if (earlier) return earlier;
    const id = newId('rpt');
    await insertReport(tx, caseId, { id, reason, details, reporterId: userId, evidence, createdAt: now });
    await appendAudit(tx, moderationRequested(ctx, { userId, caseId, what: 'reported', detail: reason }));
    return id;
  });
  return getReceipt({ input: { id: reportId } });
}

/**
 * What came of a report, for whoever has its number.
 * @throws {ParleyError} `not_found`
 */
export async function getReceipt({ input }: { input: { id: string } }): Promise<Receipt> {
  const found = await selectReceipt(input.id);
  if (!found) throw reportNotFound();
  return toReceipt(found);
}
