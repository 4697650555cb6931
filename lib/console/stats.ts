import { flushAgentCalls, sumAgentCalls, sumAgentCallsBy } from '../observability';
import type { CallFilter } from '../observability/schema';
import type { Ctx } from '../platform/context';
import { DAY_MS, MINUTE_MS } from '../platform/time';
import { authorizeAgentAccess } from './authorize-agent-access';
import { toCallFilter } from './call-filter';
import { DEFAULT_STATS_SPAN_MS, MAX_HOURLY_SPAN_MS, MAX_STATS_SPAN_MS } from './limits';
import type { AgentStats, CallQuery, StatsPoint } from './schema';

const emptySums = { calls: 0, failed: 0, people: 0, p50Ms: null, p95Ms: null };
const halfHourMs = 30 * MINUTE_MS;

/**
 * Aggregates of an agent's call log for the filter, per hour or per day of the requested time zone. Hours and days
 * without calls are included.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for other users' agents
 */
export async function getStats({ ctx, input }: { ctx: Ctx; input: CallQuery & { slug: string } }): Promise<AgentStats> {
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

/** The requested or the default span, cut to the maximum. */
function spanOf({ from, to }: CallFilter, now: Date): { from: Date; to: Date } {
  const end = Math.min(to?.getTime() ?? now.getTime(), now.getTime() + DAY_MS);
  const begin = from?.getTime() ?? now.getTime() - DEFAULT_STATS_SPAN_MS;
  return { from: new Date(Math.max(begin, end - MAX_STATS_SPAN_MS)), to: new Date(end) };
}

/** The local start times of all hours or days between two instants in a time zone, without duplicates. */
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
