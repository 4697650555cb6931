import type { AgentRecord } from '../catalog';
import {
  createTestRun,
  flushAgentCalls,
  selectAgentCall,
  selectCallsOfRun,
  selectIntrospections,
  selectTestRun,
} from '../observability';
import type { LoggedExchange } from '../observability/schema';
import type { Ctx, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { subjectOf } from '../tokens';
import { authorizeAgentAccess } from './authorize-agent-access';
import { extractMessage } from './extract-message';
import { toLoggedCall } from './list-calls';
import type { RunInput, RunResult, TestRunView } from './schema';

/**
 * Begins a call from the console: a test, or the repetition of a call that failed. The browser makes the call itself, over the
 * same path as everybody and with the answered request id, by which the log marks it. A repetition says what the call said; it
 * carries the rights of who repeats it, of which paying is none, and whatever belongs to a payment is refused.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents and unknown calls,
 *   `forbidden` for viewers; `conflict` for a call that cannot be repeated, and why
 */
export async function startTestRun({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: RunInput & { slug: string };
}): Promise<TestRunView> {
  const { agent, user } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'developer', scope: 'agents:write' });
  const replayOf = input.replayOf ?? null;
  const parts = replayOf === null ? null : await partsOf(agent, replayOf);
  const caller = callerOf(agent, user);
  const requestId = await createTestRun({ agentId: agent.id, caller, replayOf, now: ctx.now });
  return { requestId, parts, caller };
}

async function partsOf(agent: AgentRecord, id: string): Promise<TestRunView['parts']> {
  await flushAgentCalls();
  const found = await selectAgentCall(agent.id, id);
  if (!found) throw new ParleyError('not_found', 'This call is not in the log of this agent any more.');
  return replayableParts(found.wire);
}

function replayableParts(wire: LoggedExchange | null): TestRunView['parts'] {
  if (!wire) throw notReplayable('what it said was not kept: that is done for calls that failed alone');
  const message = extractMessage(wire.request.body);
  if (message.kind === 'unreadable') throw notReplayable(message.why);
  if (message.kind === 'payment') throw notReplayable('it is part of a payment, and nothing is ever charged twice');
  return message.parts;
}

function notReplayable(why: string): ParleyError {
  return new ParleyError('conflict', `This call cannot be repeated: ${why}.`);
}

/**
 * What is known by now of a call that the same person began: what went between Parley and the agent, and what introspection
 * answered about the caller since.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents and calls of others
 */
export async function getTestRun({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; requestId: string };
}): Promise<RunResult> {
  const { agent, user } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'developer', scope: 'agents:read' });
  const callerRef = { agentId: agent.id, caller: callerOf(agent, user) };
  const run = await selectTestRun({ ...callerRef, requestId: input.requestId });
  if (!run) throw new ParleyError('not_found', 'You began no such call from the console.');
  await flushAgentCalls();
  const [calls, introspections] = await Promise.all([
    selectCallsOfRun(agent.id, run.requestId),
    selectIntrospections(callerRef, run.at),
  ]);
  return {
    calls: calls.map(({ call, wire }) => ({ ...toLoggedCall(call), wire })),
    introspections: introspections.map(({ at, active }) => ({ at: at.toISOString(), active })),
    hasApp: agent.appId !== null,
  };
}

function callerOf(agent: AgentRecord, { userId }: UserActor): string {
  return subjectOf({ principal: userId, agent });
}
