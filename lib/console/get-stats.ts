import { flushAgentCalls, sumAgentCalls, sumAgentCallsBy } from '../observability';
import type { CallFilter } from '../observability/schema';
import type { Ctx } from '../platform/context';
import { authorizeAgentAccess } from './authorize-agent-access';
import { toCallFilter } from './call-filter';
import type { AgentStats, CallQuery, StatsPoint } from './schema';

const emptySums = { calls: 0, failed: 0, people: 0, p50Ms: null, p95Ms: null };
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const maxSpanMs = 62 * dayMs;
const twoDaysMs = 2 * dayMs;

/**
 * What the log of an agent adds up to for the same filter as its list, by the hour or, for longer than two days, by the day of
 * the chosen time zone. Hours and days without calls stand in it too.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents
 */
export async function getStats({ ctx, input }: { ctx: Ctx; input: CallQuery & { slug: string } }): Promise<AgentStats> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'viewer', scope: 'agents:read' });
  const { zone = 'UTC' } = input;
  const requested = toCallFilter(input, ctx.now);
  const filter = { ...requested, ...spanOf(requested, ctx.now) };
  const by = filter.to.getTime() - filter.from.getTime() > twoDaysMs ? 'day' : 'hour';
  await flushAgentCalls();
  const [total, buckets] = await Promise.all([
    sumAgentCalls(agent.id, filter),
    sumAgentCallsBy(agent.id, filter, { by, zone }),
  ]);
  const known = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  const points = startsOf(filter, { by, zone }).map((start): StatsPoint => known.get(start) ?? { start, ...emptySums });
  return { by, zone, from: filter.from.toISOString(), to: filter.to.toISOString(), total, points };
}

/** The time that was asked for, or the last week; never more days than a chart can show, which is more than the log keeps. */
function spanOf({ from, to }: CallFilter, now: Date): { from: Date; to: Date } {
  const end = Math.min(to?.getTime() ?? now.getTime(), now.getTime() + dayMs);
  const begin = from?.getTime() ?? now.getTime() - weekMs;
  return { from: new Date(Math.max(begin, end - maxSpanMs)), to: new Date(end) };
}

/** Beginnings of all hours or days of the zone between two moments, as its wall clock shows them; each once. */
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
  // Half hours: some zones are off by thirty minutes, and no hour is missed where the clock is changed.
  for (let at = from.getTime(); at < to.getTime() + 1_800_000; at += 1_800_000) {
    const [day = '', time = ''] = format.format(new Date(Math.min(at, to.getTime() - 1))).split(' ');
    starts.add(by === 'day' ? `${day}T00:00` : `${day}T${time.slice(0, 2)}:00`);
  }
  return [...starts].sort();
}
