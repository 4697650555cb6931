import { listOwnAgents } from '../catalog';
import {
  type CallSlot,
  flushAgentCalls,
  percentileOf,
  selectCallerCounts,
  selectCallSlots,
  sumAgentCalls,
  sumAgentCallsBy,
} from '../observability';
import type { CallFilter } from '../observability/schema';
import { sumSalesBySlot } from '../payments';
import type { Call, Ctx } from '../platform/context';
import { readFromPrimary } from '../platform/db/replicas/read-context';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';
import { authorizeAgentAccess, toCallFilter } from './calls';
import {
  DEFAULT_FIGURE_RANGE,
  DEFAULT_STATS_SPAN_MS,
  FIGURE_RANGES_MS,
  MAX_HOURLY_SPAN_MS,
  MAX_STATS_SPAN_MS,
} from './limits';
import type { AgentStats, CallQuery, StatsPoint } from './schema';
import type { AgentFigures, FigureRange, Figures, Overview, OverviewQuery, SalesSum } from './schema-agents';

/** Two consecutive periods of the same length, each of whole hours. The second one ends now. */
interface Periods {
  from: Date;
  middle: Date;
  to: Date;
  spanMs: number;
  slotMs: number;
}

/**
 * Returns the figures of one agent of the user's teams, or of all their agents, for a period that ends now and for the
 * preceding one.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents)
 */
export async function getOverview({ ctx, input }: Call<OverviewQuery>): Promise<Overview> {
  const { range = DEFAULT_FIGURE_RANGE } = input;
  const { agentIds, mayReadSales } = await findAgents(ctx, input.agent);
  const periods = periodsOf(range, ctx.now);
  const { from, middle, to, spanMs, slotMs } = periods;
  await flushAgentCalls();
  const [slots, users, usersPerSlot, sales] = await Promise.all([
    selectCallSlots(agentIds, { from, to, slotMs, perAgent: false }),
    selectCallerCounts(agentIds, { from, to, slotMs: spanMs, perAgent: false }),
    selectCallerCounts(agentIds, { from: middle, to, slotMs, perAgent: false }),
    mayReadSales ? readFromPrimary(() => salesOf(ctx, input.agent, periods)) : null,
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

/** Returns the figures of several agents. Does not check access. */
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

/** Finds the agents that are counted. Only the owner may read the sales of one agent. */
async function findAgents(ctx: Ctx, slug: string | undefined): Promise<{ agentIds: string[]; mayReadSales: boolean }> {
  if (slug === undefined) return { agentIds: (await listOwnAgents({ ctx })).map(({ id }) => id), mayReadSales: true };
  const { agent, user } = await authorizeAgentAccess(ctx, slug, { minRole: 'viewer', scope: 'agents:read' });
  return { agentIds: [agent.id], mayReadSales: agent.ownerId === user.userId };
}

/** Returns the periods that end with the hour of `now`. */
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

const emptySums = { calls: 0, failed: 0, people: 0, p50Ms: null, p95Ms: null };
const halfHourMs = 30 * MINUTE_MS;

/**
 * Returns aggregates of an agent's call log for the filter, per hour or per day of the requested time zone, including
 * hours and days without calls.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents)
 */
export async function getStats({ ctx, input }: Call<CallQuery & { slug: string }>): Promise<AgentStats> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'viewer', scope: 'agents:read' });
  const { zone = 'UTC' } = input;
  const requested = toCallFilter(input, ctx.now);
  const filter = { ...requested, ...spanOf(requested, ctx.now) };
  const by = filter.to.getTime() - filter.from.getTime() > MAX_HOURLY_SPAN_MS ? 'day' : 'hour';
  await flushAgentCalls();
  const [total, buckets] = await Promise.all([
    sumAgentCalls(agent.id, filter),
    sumAgentCallsBy(agent.id, filter, { by, zone }),
  ]);
  const known = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  const points = startsOf(filter, { by, zone }).map((start): StatsPoint => known.get(start) ?? { start, ...emptySums });
  return { by, zone, from: filter.from.toISOString(), to: filter.to.toISOString(), total, points };
}

/** Returns the requested or the default span, cut to the maximum. */
function spanOf({ from, to }: CallFilter, now: Date): { from: Date; to: Date } {
  const end = Math.min(to?.getTime() ?? now.getTime(), now.getTime() + DAY_MS);
  const begin = from?.getTime() ?? now.getTime() - DEFAULT_STATS_SPAN_MS;
  return { from: new Date(Math.max(begin, end - MAX_STATS_SPAN_MS)), to: new Date(end) };
}

/** Returns the local start times of all hours or days between two points in time in a time zone, without duplicates. */
function startsOf(
  { from, to }: Required<Pick<CallFilter, 'from' | 'to'>>,
  { by, zone }: { by: 'hour' | 'day'; zone: string },
): string[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const starts = new Set<string>();
  // Steps of half an hour, because some zones have half-hour offsets and clocks change.
  for (let at = from.getTime(); at < to.getTime() + halfHourMs; at += halfHourMs) {
    const [day = '', time = ''] = format.format(new Date(Math.min(at, to.getTime() - 1))).split(' ');
    starts.add(by === 'day' ? `${day}T00:00` : `${day}T${time.slice(0, 2)}:00`);
  }
  return [...starts].sort();
}
