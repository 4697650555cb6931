import { requireAdmin } from '../identity';
import type { Ctx } from '../platform/context';
import { DAY_MS } from '../platform/time';
import { ACTIVITY_WEEKS } from './limits';
import type { ModerationActivity } from './schema';
import { selectLatestDecisions, selectMedianHours, selectReasons, selectWaiting, selectWeeks } from './store/activity';

/**
 * The pending cases, the reports and decisions of each of the last 12 weeks, and the latest decisions.
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

/** Monday 00:00 UTC of the first week shown. */
function firstWeek(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(today - (sinceMonday + 7 * (ACTIVITY_WEEKS - 1)) * DAY_MS);
}
