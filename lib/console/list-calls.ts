import {
  type StoredCall,
  selectAgentCall,
  selectAgentCalls,
  selectCallChoices,
  sumAgentCalls,
  writeAgentCalls,
} from '../observability';
import type { Ctx } from '../platform/context';
import { readCallCursor, writeCallCursor } from './call-cursor';
import { filterOf } from './call-range';
import { findOwnAgent } from './find-own-agent';
import type { CallDetail, CallPage, CallQuery, LoggedCall } from './schema';

const usualLimit = 50;
const perRead = 500;
const reading = { least: 'viewer', scope: 'agents:read' } as const;

/**
 * The log of an agent that the person manages, newest first, with how many calls the filter finds in all.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents; `invalid_request` for a
 *   cursor that is not ours
 */
export async function listCalls({ ctx, input }: { ctx: Ctx; input: CallQuery & { slug: string } }): Promise<CallPage> {
  const { agent } = await findOwnAgent(ctx, input.slug, reading);
  const [filter, limit] = [filterOf(input, ctx.now), input.limit ?? usualLimit];
  const before = readCallCursor(input.cursor);
  await writeAgentCalls();
  const [found, { calls: total, failed }, choices] = await Promise.all([
    selectAgentCalls(agent.id, filter, { before, limit: limit + 1 }),
    sumAgentCalls(agent.id, filter),
    selectCallChoices(agent.id),
  ]);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last ? writeCallCursor(last) : null;
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
  const { agent } = await findOwnAgent(ctx, input.slug, reading);
  const filter = filterOf(input, ctx.now);
  await writeAgentCalls();
  for (let before = readCallCursor(undefined); ; ) {
    const calls: StoredCall[] = await selectAgentCalls(agent.id, filter, { before, limit: perRead });
    yield* calls.map(toLoggedCall);
    before = calls.at(-1) ?? null;
    if (before === null || calls.length < perRead) return;
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
  const { agent } = await findOwnAgent(ctx, input.slug, reading);
  await writeAgentCalls();
  const found = await selectAgentCall(agent.id, input.id);
  return found && { ...toLoggedCall(found.call), wire: found.wire };
}

export function toLoggedCall({ agentId: _, at, ...call }: StoredCall): LoggedCall {
  return { ...call, at: at.toISOString() };
}
