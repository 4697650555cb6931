import { setTimeout as delay } from 'node:timers/promises';
import type { AgentRecord } from '../../catalog';
import type { CallFailure, LoggedFailure } from '../../observability/schema';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { isTerminal, type Message, type TaskState } from '../../protocol/a2a/core/model';
import type { AgentItem, AgentRequest } from '../../protocol/a2a/dialects';
import { extensionsToActivate } from '../../protocol/extensions';
import { PROBE_CLIENT, upstreamTokenFor } from '../../tokens';
import {
  MAX_AGENT_ERROR_CHARS,
  PROBE_EXAMPLE_TIMEOUT_MS,
  PROBE_POLL_INTERVALS_MS,
  PROBE_TIMEOUT_SECONDS,
} from '../limits';
import { AgentHttpError, isAgentError } from './agent-error';
import { callAgent } from './call-agent';
import type { CallReport } from './call-recorder';

/** A probe, which reads a task that does not exist, or runs a skill's example. */
export interface Probe {
  agent: AgentRecord;
  /** Null to read a task that does not exist, which has no side effects. */
  example: string | null;
  requestId: string;
  signal: AbortSignal;
}

/** The outcome; `skipped` if the agent needs a credential that its owner has not stored. */
export interface ProbeResult {
  outcome: 'good' | 'failed' | 'skipped';
  /** Milliseconds from the request to the end of the first response. */
  ms: number;
  failure: LoggedFailure | null;
  /** The agent's `Retry-After`, seconds. */
  retryAfter: number | null;
}

/**
 * Probes an agent as {@link PROBE_CLIENT}, through the same endpoints, dialects, credentials and checks as any other
 * call. Stores no task, so offers cannot be bought. Cancels an unfinished example.
 * @throws errors that the agent did not cause, such as shutdown
 */
export async function probeAgent(input: Probe): Promise<ProbeResult> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(PROBE_EXAMPLE_TIMEOUT_MS);
  const signal = AbortSignal.any([input.signal, timeout]);
  const summary: CallSummary = { last: null, ms: null };
  const onCall = (call: CallReport): void => {
    summary.last = call;
    summary.ms ??= performance.now() - startedAt;
  };
  const probe = { ...input, signal, onCall };
  try {
    return toProbeResult(
      probe.example === null ? await checkReachable(probe) : await runExample(probe, probe.example),
      summary,
    );
  } catch (error) {
    if (input.signal.aborted) throw error;
    const known = timeout.aborted ? exampleTimedOut : error;
    if (!(known instanceof ParleyError)) throw error;
    if (requiresCredential(known))
      return { ...toProbeResult(null, summary), outcome: input.example === null ? 'good' : 'skipped' };
    return toProbeResult(known, summary);
  }
}

/** The calls of a probe: the last one, and the duration of the first. */
interface CallSummary {
  last: CallReport | null;
  ms: number | null;
}

function toProbeResult(failure: ProbeFailure, { last, ms }: CallSummary): ProbeResult {
  const durationMs = Math.round(ms ?? 0);
  if (!failure) return { outcome: 'good', ms: durationMs, failure: null, retryAfter: null };
  const { code, message } = failure;
  return {
    outcome: 'failed',
    ms: durationMs,
    failure: { code, message, exchange: last?.loggedExchange() ?? null },
    retryAfter: last?.retryAfter ?? null,
  };
}

/** A probe in progress. `onCall` receives each call's outcome. */
type ActiveProbe = Probe & { onCall: (call: CallReport) => void };

type ProbeFailure = Pick<CallFailure, 'code' | 'message'> | null;

/**
 * Reads a task that does not exist. The expected response is "task not found"; an HTTP binding may respond with 404.
 */
async function checkReachable(probe: ActiveProbe): Promise<ProbeFailure> {
  try {
    await callAndRead(probe, { op: 'get', taskId: newUuid() });
  } catch (error) {
    if (!(error instanceof ParleyError) || !isExpectedError(error, probe.agent)) throw error;
  }
  return null;
}

function isExpectedError(error: ParleyError, { endpoints }: AgentRecord): boolean {
  if (isAgentError(error)) return true;
  return error instanceof AgentHttpError && error.status === 404 && endpoints[0].binding === 'HTTP+JSON';
}

function requiresCredential(error: ParleyError): boolean {
  return error instanceof AgentHttpError && (error.status === 401 || error.status === 403);
}

async function runExample(probe: ActiveProbe, example: string): Promise<ProbeFailure> {
  const message: Message = { messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text: example }] };
  const op = probe.agent.card.capabilities.streaming ? 'stream' : 'send';
  const metadata = { 'parley.probe': 'skill-example' };
  let reply = await callAndRead(probe, { op, message, metadata, ownTaskId: newUuid() });
  for (let round = 0; isWorking(reply); round++) {
    await delay(PROBE_POLL_INTERVALS_MS[round] ?? PROBE_POLL_INTERVALS_MS.at(-1), undefined, { signal: probe.signal });
    reply = await callAndRead(probe, { op: 'get', taskId: reply.taskId }, reply);
  }
  if (reply.taskId && reply.state && !isTerminal(reply.state)) await cancelExample(probe, reply.taskId);
  return verdictOf(reply);
}

const exampleTimedOut = new ParleyError('agent_timeout', 'The example task did not finish within five minutes.');

function verdictOf({ state, text, hasOutput }: ExampleReply): ProbeFailure {
  if (!hasOutput) return { code: 'agent_misbehaved', message: 'The agent returned an empty response.' };
  if (state !== 'failed' && state !== 'rejected' && state !== 'canceled') return null;
  const reason = text ? `: ${text.slice(0, MAX_AGENT_ERROR_CHARS)}` : '.';
  return { code: 'agent_misbehaved', message: `The example task ended as ${state}${reason}` };
}

/** The agent's response so far. */
interface ExampleReply {
  hasOutput: boolean;
  taskId?: string;
  state?: TaskState;
  text?: string;
}

function isWorking(reply: ExampleReply): reply is ExampleReply & { taskId: string } {
  return reply.taskId !== undefined && (reply.state === 'submitted' || reply.state === 'working');
}

async function callAndRead(
  probe: ActiveProbe,
  request: AgentRequest,
  before: ExampleReply = { hasOutput: false },
): Promise<ExampleReply> {
  const { agent, requestId, signal, onCall } = probe;
  const token = await upstreamTokenFor({ ...PROBE_CLIENT, agent, now: new Date() });
  const unaryTimeoutSeconds = request.op === 'send' ? agent.callLimits.unaryTimeoutSeconds : PROBE_TIMEOUT_SECONDS;
  const agentWithTimeout = { ...agent, callLimits: { ...agent.callLimits, unaryTimeoutSeconds } };
  const extensions = { requested: extensionsToActivate(agent.card), activated: [] };
  const batches = await callAgent({
    agent: agentWithTimeout,
    request,
    extensions,
    requestId,
    token,
    signal,
    probe: onCall,
  });
  let reply = before;
  for await (const batch of batches) for (const item of batch) reply = applyItem(reply, item);
  return reply;
}

function applyItem(reply: ExampleReply, item: AgentItem): ExampleReply {
  const taskId = item.taskId ?? reply.taskId;
  if (item.type === 'message') return { hasOutput: true, taskId };
  if (item.type === 'artifact') return { ...reply, hasOutput: true, taskId };
  return { hasOutput: true, taskId, state: item.state, text: textOf(item.message) };
}

function textOf(message: Message | null): string | undefined {
  const texts = message?.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])) ?? [];
  return texts.length > 0 ? texts.join(' ') : undefined;
}

/** Cancels the example's task at the agent and ignores the response. */
async function cancelExample(probe: ActiveProbe, taskId: string): Promise<void> {
  try {
    await callAndRead({ ...probe, onCall: () => undefined }, { op: 'cancel', taskId });
  } catch (error) {
    if (!(error instanceof ParleyError) || probe.signal.aborted) throw error;
  }
}
