import { listOwnAgents } from '../catalog';
import { type CallSlot, flushAgentCalls, percentileOf, selectCallerCounts, selectCallSlots } from '../observability';
import { sumSalesBySlot } from '../payments';
import type { Ctx } from '../platform/context';
import { HOUR_MS } from '../platform/time';
import { authorizeAgentAccess } from './authorize-agent-access';
import { DEFAULT_FIGURE_RANGE, FIGURE_RANGES_MS } from './limits';
import type { AgentFigures, FigureRange, Figures, Overview, OverviewQuery, SalesSum } from './schema-overview';

/** Two periods of the same length, the second of which ends now; both consist of whole hours. */
interface Periods {
  from: Date;
  middle: Date;
  to: Date;
  spanMs: number;
  slotMs: number;
}

/**
 * The figures of one agent of the user's teams, or of all of them, for a period that ends now and the one before.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for other users' agents
 */
export async function getOverview({ ctx, input }: { ctx: Ctx; input: OverviewQuery }): Promise<Overview> {
  const { range = DEFAULT_FIGURE_RANGE } = input;
  const { agentIds, mayReadSales } = await findAgents(ctx, input.agent);
  const periods = periodsOf(range, ctx.now);
  const { from, middle, to, spanMs, slotMs } = periods;
  await flushAgentCalls();
  const [slots, users, usersPerSlot, sales] = await Promise.all([
    selectCallSlots(agentIds, { from, to, slotMs, perAgent: false }),
    selectCallerCounts(agentIds, { from, to, slotMs: spanMs, perAgent: false }),
    selectCallerCounts(agentIds, { from: middle, to, slotMs, perAgent: false }),
    mayReadSales ? salesOf(ctx, input.agent, periods) : null,
  ]);
  const usersOf = (counts: typeof users, slot: number): number => counts.find((one) => one.slot === slot)?.callers ?? 0;
  const perPeriod = spanMs / slotMs;
  return {
    range,
    from: middle.toISOString(),
    to: ctx.now.toISOString(),
    current: figuresOf(inSlots(slots, perPeriod, 2 * perPeriod), usersOf(users, 1)),
    previous: figuresOf(inSlots(slots, 0, perPeriod), usersOf(users, 0)),
    points: Array.from({ length: perPeriod }, (_, index) => ({
      start: new Date(middle.getTime() + index * slotMs).toISOString(),
      ...figuresOf(inSlots(slots, perPeriod + index, perPeriod + index + 1), usersOf(usersPerSlot, index)),
    })),
    sales,
  };
}

/** The figures of several agents. Does not check access. */
export async function getAgentFigures(
  agentIds: string[],
  { range, now }: { range: FigureRange; now: Date },
): Promise<(agentId: string) => AgentFigures> {
  const { from, to, spanMs, slotMs } = periodsOf(range, now);
  await flushAgentCalls();
  const [slots, users] = await Promise.all([
    selectCallSlots(agentIds, { from, to, slotMs, perAgent: true }),
    selectCallerCounts(agentIds, { from, to, slotMs: spanMs, perAgent: true }),
  ]);
  const perPeriod = spanMs / slotMs;
  return (agentId) => {
    const own = slots.filter((slot) => slot.agentId === agentId);
    const usersOf = (slot: number): number =>
      users.find((one) => one.agentId === agentId && one.slot === slot)?.callers ?? 0;
    return {
      current: figuresOf(inSlots(own, perPeriod, 2 * perPeriod), usersOf(1)),
      previous: figuresOf(inSlots(own, 0, perPeriod), usersOf(0)),
      points: Array.from({ length: perPeriod }, (_, index) =>
        countOf(inSlots(own, perPeriod + index, perPeriod + index + 1)),
      ),
    };
  };
}

/** The agents that are counted. Only the owner may read the sales of one agent. */
async function findAgents(ctx: Ctx, slug: string | undefined): Promise<{ agentIds: string[]; mayReadSales: boolean }> {
  if (slug === undefined) return { agentIds: (await listOwnAgents({ ctx })).map(({ id }) => id), mayReadSales: true };
  const { agent, user } = await authorizeAgentAccess(ctx, slug, { minRole: 'viewer', scope: 'agents:read' });
  return { agentIds: [agent.id], mayReadSales: agent.ownerId === user.userId };
}

/** The periods that end with the hour of `now`. */
function periodsOf(range: FigureRange, now: Date): Periods {
  const { span: spanMs, slot: slotMs } = FIGURE_RANGES_MS[range];
  const to = new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS);
  return {
    from: new Date(to.getTime() - 2 * spanMs),
    middle: new Date(to.getTime() - spanMs),
    to,
    spanMs,
    slotMs,
  };
}

function inSlots(slots: CallSlot[], first: number, end: number): CallSlot[] {
  return slots.filter(({ slot }) => slot >= first && slot < end);
}

function countOf(slots: CallSlot[]): number {
  return slots.reduce((sum, { calls }) => sum + calls, 0);
}

function figuresOf(slots: CallSlot[], users: number): Figures {
  const calls = countOf(slots);
  const failed = countOf(slots.filter(({ bucket }) => bucket === 0));
  const success = calls === 0 ? null : (calls - failed) / calls;
  return { calls, failed, success, p95Ms: percentileOf(slots, 0.95), users };
}

async function salesOf(ctx: Ctx, agent: string | undefined, periods: Periods): Promise<NonNullable<Overview['sales']>> {
  const { from, to, slotMs, spanMs } = periods;
  const sales = await sumSalesBySlot({ ctx, input: { agent, from, to, slotMs } });
  const perPeriod = spanMs / slotMs;
  const sumsIn = (first: number, end: number): SalesSum[] => {
    const sums = new Map<string, SalesSum>();
    for (const { currency, test, gross, count } of sales.filter((one) => one.slot >= first && one.slot < end)) {
      const sum = sums.get(`${currency} ${test}`) ?? { currency, test, gross: 0, count: 0 };
      sums.set(`${currency} ${test}`, { ...sum, gross: sum.gross + gross, count: sum.count + count });
    }
    return [...sums.values()];
  };
  const countIn = (slot: number): number => sales.reduce((sum, one) => (one.slot === slot ? sum + one.count : sum), 0);
  return {
    current: sumsIn(perPeriod, 2 * perPeriod),
    previous: sumsIn(0, perPeriod),
    points: Array.from({ length: perPeriod }, (_, index) => countIn(perPeriod + index)),
  };
}
