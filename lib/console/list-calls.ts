import {
  flushAgentCalls,
  type StoredCall,
  selectAgentCall,
  selectAgentCalls,
  selectCallChoices,
  sumAgentCalls,
} from '../observability';
import type { Ctx } from '../platform/context';
import { authorizeAgentAccess } from './authorize-agent-access';
import { decodeCallCursor, encodeCallCursor } from './call-cursor';
import { toCallFilter } from './call-filter';
import type { CallDetail, CallPage, CallQuery, LoggedCall } from './schema';

const defaultLimit = 50;
const batchSize = 500;
const readAccess = { minRole: 'viewer', scope: 'agents:read' } as const;

/**
 * The log of an agent that the person manages, newest first, with how many calls the filter finds in all.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents; `invalid_request` for a
 *   cursor that is not ours
 */
export async function listCalls({ ctx, input }: { ctx: Ctx; input: CallQuery & { slug: string } }): Promise<CallPage> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, readAccess);
  const [filter, limit] = [toCallFilter(input, ctx.now), input.limit ?? defaultLimit];
  const before = decodeCallCursor(input.cursor);
  await flushAgentCalls();
  const [found, { calls: total, failed }, choices] = await Promise.all([
    selectAgentCalls(agent.id, filter, { before, limit: limit + 1 }),
    sumAgentCalls(agent.id, filter),
    selectCallChoices(agent.id),
  ]);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last ? encodeCallCursor(last) : null;
  return { items: items.map(toLoggedCall), total, failed, choices, nextCursor };
}

/**
 * All calls that the filter finds, one after the other, so that no log is too long for memory.
 * @throws {ParleyError} as {@link listCalls}
 */
export async function* readCalls({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: CallQuery & { slug: string };
}): AsyncGenerator<LoggedCall> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, readAccess);
  const filter = toCallFilter(input, ctx.now);
  await flushAgentCalls();
  for (let before = decodeCallCursor(undefined); ; ) {
    const calls: StoredCall[] = await selectAgentCalls(agent.id, filter, { before, limit: batchSize });
    yield* calls.map(toLoggedCall);
    before = calls.at(-1) ?? null;
    if (before === null || calls.length < batchSize) return;
  }
}

/**
 * One call with what went over the wire, secrets masked; null for unknown calls.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents
 */
export async function getCall({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; id: string };
}): Promise<CallDetail | null> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, readAccess);
  await flushAgentCalls();
  const found = await selectAgentCall(agent.id, input.id);
  return found && { ...toLoggedCall(found.call), wire: found.wire };
}

export function toLoggedCall({ agentId: _, at, ...call }: StoredCall): LoggedCall {
  return { ...call, at: at.toISOString() };
}
