import { setTimeout as delay } from 'node:timers/promises';
import type { AgentRecord } from '../../catalog';
import type { CallFailure, LoggedFailure } from '../../observability/schema';
import { asParleyError, ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { isTerminal, type Message, type TaskState } from '../../protocol/a2a/core/model';
import type { AgentItem, AgentRequest } from '../../protocol/a2a/dialects';
import { extensionsToActivate } from '../../protocol/supported-extensions';
import { PROBE_CLIENT, upstreamTokenFor } from '../../tokens';
import { AgentHttpError, isAgentError } from './agent-error';
import { callAgent } from './call-agent';
import type { CallReport } from './call-recorder';

/** What is asked of an agent to see how it is: for a task that does not exist, or to do what a skill's example says. */
export interface Probe {
  agent: AgentRecord;
  /** The example; null asks for a task that does not exist, which changes nothing. */
  example: string | null;
  requestId: string;
  signal: AbortSignal;
}

/** How an agent answered; `skipped` when it wants a credential that its owner has not stored. */
export interface ProbeResult {
  outcome: 'good' | 'failed' | 'skipped';
  /** To the end of the first answer. */
  ms: number;
  failure: LoggedFailure | null;
  /** Seconds for which the agent asked to be left alone. */
  retryAfter: number | null;
}

/** Longest wait for an answer, and for the end of an example's task. */
const responseTimeoutSeconds = 15;
const exampleTimeoutMs = 300_000;
/** Pauses between questions for the task of an example, milliseconds; the last one repeats. */
const pollIntervalsMs = [1_000, 2_000, 5_000, 10_000];

/**
 * Probes an agent as any caller's request reaches it: the same endpoints, dialects, credentials of its owner and guards,
 * as {@link PROBE_CLIENT}. Nothing is stored of it as a task, so nothing it offers can be bought. What a run leaves open is
 * cancelled.
 * @throws what is not the agent's failure, such as the end of this process
 */
export async function probeAgent(input: Probe): Promise<ProbeResult> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(exampleTimeoutMs);
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
    const known = timeout.aborted ? exampleTimedOut : asParleyError(error);
    if (!known) throw error;
    if (requiresCredential(known))
      return { ...toProbeResult(null, summary), outcome: input.example === null ? 'good' : 'skipped' };
    return toProbeResult(known, summary);
  }
}

/** The calls of a probe: the last one, and how long the first one took. */
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
    failure: { code, message, wire: last?.wire() ?? null },
    retryAfter: last?.retryAfter ?? null,
  };
}

/** A probe under way; each of its calls tells how it went. */
type ActiveProbe = Probe & { onCall: (call: CallReport) => void };

type ProbeFailure = Pick<CallFailure, 'code' | 'message'> | null;

/** That it knows no such task is the answer that is looked for; an HTTP binding says so by 404. */
async function checkReachable(probe: ActiveProbe): Promise<ProbeFailure> {
  try {
    await callAndRead(probe, { op: 'get', taskId: newUuid() });
  } catch (error) {
    const known = asParleyError(error);
    if (!known || !isExpectedError(known, probe.agent)) throw error;
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
    await delay(pollIntervalsMs[round] ?? pollIntervalsMs.at(-1), undefined, { signal: probe.signal });
    reply = await callAndRead(probe, { op: 'get', taskId: reply.taskId }, reply);
  }
  if (reply.taskId && reply.state && !isTerminal(reply.state)) await cancelExample(probe, reply.taskId);
  return verdictOf(reply);
}

const exampleTimedOut = new ParleyError('agent_timeout', 'The task of the example was not done within five minutes.');

function verdictOf({ state, text, hasOutput: heardAny }: ExampleReply): ProbeFailure {
  if (!heardAny) return { code: 'agent_misbehaved', message: 'The agent ended its answer without saying anything.' };
  if (state !== 'failed' && state !== 'rejected' && state !== 'canceled') return null;
  const reason = text ? `: ${text.slice(0, 500)}` : '.';
  return { code: 'agent_misbehaved', message: `The task of the example ended as ${state}${reason}` };
}

/** What an agent said up to now. */
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
  const { agent, requestId, signal, onCall: hear } = probe;
  const token = await upstreamTokenFor({ ...PROBE_CLIENT, agent, now: new Date() });
  const unaryTimeoutSeconds = request.op === 'send' ? agent.callLimits.unaryTimeoutSeconds : responseTimeoutSeconds;
  const agentWithTimeout = { ...agent, callLimits: { ...agent.callLimits, unaryTimeoutSeconds } };
  const extensions = { requested: extensionsToActivate(agent.card), activated: [] };
  const batches = await callAgent({
    agent: agentWithTimeout,
    request,
    extensions,
    requestId,
    token,
    signal,
    probe: hear,
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

/** Tells the agent that nobody waits for the task of an example; whether it listens does not matter. */
async function cancelExample(probe: ActiveProbe, taskId: string): Promise<void> {
  try {
    await callAndRead({ ...probe, onCall: () => undefined }, { op: 'cancel', taskId });
  } catch (error) {
    if (!asParleyError(error) || probe.signal.aborted) throw error;
  }
}
