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
import type { Call, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { isObject, type JsonObject, type JsonValue } from '../protocol/json';
import { subjectOf } from '../tokens';
import { authorizeAgentAccess, callNotInLog, toLoggedCall } from './calls';
import type { RunInput, RunResult, TestRunView } from './schema';

/**
 * Prepares a test call, or the replay of a logged call. The browser sends it to the public path with the returned
 * request id. A replay contains the logged text and has the current user's permissions. Payments are never replayed.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents and unknown
 *   calls), `forbidden` for viewers; `conflict` for a call that cannot be replayed, with the reason
 */
export async function startTestRun({ ctx, input }: Call<RunInput & { slug: string }>): Promise<TestRunView> {
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
  if (!found) throw callNotInLog();
  return replayableParts(found.exchange);
}

function replayableParts(exchange: LoggedExchange | null): TestRunView['parts'] {
  if (!exchange) throw notReplayable('its content was not stored, because Parley stores it only for failed calls');
  const message = extractMessage(exchange.request.body);
  if (message.kind === 'unreadable') throw notReplayable(message.why);
  if (message.kind === 'payment') throw notReplayable('it is part of a payment, and payments are never repeated');
  return message.parts;
}

function notReplayable(why: string): ParleyError {
  return new ParleyError('conflict', `This call cannot be repeated: ${why}.`);
}

/**
 * Returns the current results of a test run of this user: the calls to the agent, and the agent's introspections of the
 * caller's tokens since its start.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for agents and runs of other users)
 */
export async function getTestRun({ ctx, input }: Call<{ slug: string; requestId: string }>): Promise<RunResult> {
  const { agent, user } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'developer', scope: 'agents:read' });
  const callerRef = { agentId: agent.id, caller: callerOf(agent, user) };
  const run = await selectTestRun({ ...callerRef, requestId: input.requestId });
  if (!run)
    throw new ParleyError(
      'not_found',
      'Test call not found. Only calls that you started from the console can be followed.',
    );
  await flushAgentCalls();
  const [calls, introspections] = await Promise.all([
    selectCallsOfRun(agent.id, run.requestId),
    selectIntrospections(callerRef, run.at),
  ]);
  return {
    calls: calls.map(({ call, exchange }) => ({ ...toLoggedCall(call), wire: exchange })),
    introspections: introspections.map(({ at, active }) => ({ at: at.toISOString(), active })),
    hasApp: agent.appId !== null,
  };
}

/** Returns the `sub` of the user's tokens for this agent. */
function callerOf(agent: AgentRecord, { userId }: UserActor): string {
  return subjectOf({ principal: userId, agent });
}

type ExtractedMessage =
  | { kind: 'message'; parts: { text: string }[] }
  | { kind: 'payment' }
  | { kind: 'unreadable'; why: string };

const paymentMember = /^ap2\.|mandate|payment|checkout|cart|receipt/i;

/** Returns the message of a logged A2A request body, if it consists only of text. */
export function extractMessage(body: string): ExtractedMessage {
  if (body.includes('[secret]')) return unreadable('it contained a secret, which the log does not store');
  const parts = extractParts(body);
  if (parts === null) return unreadable('only its beginning was stored, or it is not a message');
  if (parts.some(({ data }) => isObject(data) && Object.keys(data).some((name) => paymentMember.test(name)))) {
    return { kind: 'payment' };
  }
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [{ text }] : []));
  if (texts.length === 0 || texts.length < parts.length) return unreadable('it contains more than text');
  return { kind: 'message', parts: texts };
}

function unreadable(why: string): ExtractedMessage {
  return { kind: 'unreadable', why };
}

/** Returns the message parts of a JSON-RPC request, or of a request body of A2A's HTTP binding. */
function extractParts(body: string): JsonObject[] | null {
  const request = parseOrNull(body);
  const params = isObject(request) && isObject(request.params) ? request.params : request;
  const message = isObject(params) ? params.message : undefined;
  const parts = isObject(message) ? (message.parts ?? message.content) : undefined;
  return Array.isArray(parts) && parts.length > 0 && parts.every(isObject) ? parts : null;
}

function parseOrNull(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
