import { z } from 'zod';
import { type AgentRecord, findAgent, listOwnAgents, requireMember } from '../catalog';
import type { TeamRole } from '../catalog/schema';
import { authorize } from '../identity';
import {
  type CallPosition,
  countMissingCalls,
  flushAgentCalls,
  type StoredCall,
  selectAgentCall,
  selectAgentCalls,
  selectCallChoices,
  selectLatestCalls,
  sumAgentCalls,
} from '../observability';
import type { CallFilter } from '../observability/schema';
import type { Call, Ctx, UserActor } from '../platform/context';
import { cursorTime, defineCursor } from '../platform/db/cursor';
import { ParleyError } from '../platform/errors';
import { cutoffOf, env } from '../platform/runtime/env';
import type { AccessScope } from '../platform/scopes';
import { CALL_EXPORT_BATCH_SIZE, CALL_RANGES_MS, DEFAULT_CALL_PAGE_SIZE, LATEST_CALLS } from './limits';
import type { AgentCallView, CallDetail, CallPage, CallQuery, LoggedCall } from './schema';

const callCursor = defineCursor({
  list: 'calls',
  position: z.object({ at: cursorTime, id: z.string().regex(/^[a-z]+_[0-9a-z]{1,40}$/) }),
});

const readAccess = { minRole: 'viewer', scope: 'agents:read' } as const;

/**
 * Returns a page of an agent's call log, newest first, with the total number of matching calls.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents);
 *   `invalid_request` for a malformed cursor
 */
export async function listCalls({ ctx, input }: Call<CallQuery & { slug: string }>): Promise<CallPage> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, readAccess);
  const [filter, limit] = [toCallFilter(input, ctx.now), input.limit ?? DEFAULT_CALL_PAGE_SIZE];
  const before = input.cursor ? callCursor.decode(input.cursor) : null;
  await flushAgentCalls();
  const [found, { calls: total, failed }, choices, missing] = await Promise.all([
    selectAgentCalls(agent.id, filter, { before, limit: limit + 1 }),
    sumAgentCalls(agent.id, filter),
    selectCallChoices(agent.id),
    countMissingCalls(agent.id, { from: filter.from ?? cutoffOf('calls', ctx.now) ?? new Date(0), to: filter.to }),
  ]);
  const { rows, nextCursor } = callCursor.pageOf(found, limit);
  return { items: rows.map(toLoggedCall), total, failed, missing, choices, nextCursor };
}

/**
 * Streams all calls that match the filter, newest first. Reads in batches, in order to limit memory.
 * @throws {ParleyError} as {@link listCalls}
 */
export async function* readCalls({ ctx, input }: Call<CallQuery & { slug: string }>): AsyncGenerator<LoggedCall> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, readAccess);
  const filter = toCallFilter(input, ctx.now);
  await flushAgentCalls();
  for (let before: CallPosition | null = null; ; ) {
    const calls: StoredCall[] = await selectAgentCalls(agent.id, filter, { before, limit: CALL_EXPORT_BATCH_SIZE });
    yield* calls.map(toLoggedCall);
    before = calls.at(-1) ?? null;
    if (before === null || calls.length < CALL_EXPORT_BATCH_SIZE) return;
  }
}

/**
 * Returns one call with its HTTP exchange, in which secrets are redacted; null if it is not in the log.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents)
 */
export async function getCall({ ctx, input }: Call<{ slug: string; id: string }>): Promise<CallDetail | null> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, readAccess);
  await flushAgentCalls();
  const found = await selectAgentCall(agent.id, input.id);
  return found && { ...toLoggedCall(found.call), wire: found.exchange };
}

/**
 * Returns the latest calls to all agents of the user's teams, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listLatestCalls({ ctx }: { ctx: Ctx }): Promise<AgentCallView[]> {
  const agents = new Map((await listOwnAgents({ ctx })).map((agent) => [agent.id, agent]));
  await flushAgentCalls();
  const calls = await selectLatestCalls([...agents.keys()], LATEST_CALLS);
  return calls.flatMap((call) => {
    const agent = agents.get(call.agentId);
    return agent ? [{ ...toLoggedCall(call), agent: { slug: agent.slug, name: agent.name } }] : [];
  });
}

/** Returns the latest failed calls of an agent with their HTTP exchanges, newest first. Does not check access. */
export async function listRecentFailures(agentId: string, limit: number): Promise<CallDetail[]> {
  await flushAgentCalls();
  const calls = await selectAgentCalls(agentId, { status: 'failed' }, { before: null, limit });
  return Promise.all(
    calls.map(async (call) => {
      const found = await selectAgentCall(agentId, call.id);
      return { ...toLoggedCall(call), wire: found?.exchange ?? null };
    }),
  );
}

/** Returns the view of a call. */
export function toLoggedCall({ agentId: _, at, hasExchange, failure, ...call }: StoredCall): LoggedCall {
  return { ...call, hasWire: hasExchange, failure, at: at.toISOString() };
}

/** Returns the error for a call that is no longer in the log. */
export function callNotInLog(): ParleyError {
  const days = env().RETENTION_DAYS.calls;
  const kept = `Calls are kept for ${days} day${days === 1 ? '' : 's'}, and the latest 10,000 of each agent.`;
  return new ParleyError('not_found', `This call is no longer in this agent’s log. ${kept}`);
}

/** Returns the filter of a query at `now`. Local times of the query are in its time zone. */
export function toCallFilter(query: CallQuery, now: Date): CallFilter {
  const { status, code, method, caller, origin, q, zone = 'UTC' } = query;
  const chosen = { status, code, method, caller, origin, q };
  if (query.from || query.to) {
    return { ...chosen, from: boundOf(query.from, zone), to: boundOf(query.to, zone) };
  }
  return query.range ? { ...chosen, from: new Date(now.getTime() - CALL_RANGES_MS[query.range]) } : chosen;
}

function boundOf(local: string | undefined, zone: string): Date | undefined {
  return local === undefined ? undefined : instantOf(local, zone);
}

/** Converts a local time (`2026-11-22T04:30`) in a time zone to a point in time. */
export function instantOf(local: string, zone: string): Date {
  const asUtc = new Date(`${local}Z`);
  // The offset must be that of the result itself. Around a clock change, a second step determines it.
  const first = new Date(asUtc.getTime() - offsetAt(asUtc, zone));
  return new Date(asUtc.getTime() - offsetAt(first, zone));
}

/** Returns the zone's UTC offset at a point in time, milliseconds. */
function offsetAt(at: Date, zone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return shown - Math.floor(at.getTime() / 1000) * 1000;
}

/**
 * Returns the agent if the user has at least the role `minRole` in its team, even if it is withdrawn.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `forbidden`, `not_found` (also for other users'
 *   agents)
 */
export async function authorizeAgentAccess(
  ctx: Ctx,
  slug: string,
  { minRole, scope }: { minRole: TeamRole; scope: AccessScope },
): Promise<{ agent: AgentRecord; user: UserActor }> {
  const user = authorize(ctx.actor, { scope });
  return { agent: requireMember(user, await findAgent(slug), minRole), user };
}
