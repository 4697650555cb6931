import { setTimeout as delay } from 'node:timers/promises';
import type { AgentRecord } from '../catalog';
import type { CallFailure, ShownFailure } from '../observability/schema';
import { asParleyError, ParleyError } from '../platform/errors';
import { newUuid } from '../platform/ids';
import { isTerminal, type Message, type TaskState } from '../protocol/a2a/core/model';
import type { AgentItem, AgentRequest } from '../protocol/a2a/dialects';
import { extensionsToActivate } from '../protocol/activatable';
import { PROBER, upstreamTokenFor } from '../tokens';
import { AgentRefusal, isAgentError } from './upstream/agent-error';
import { callAgent } from './upstream/call-agent';
import type { HeardCall } from './upstream/call-watch';

/** What is asked of an agent to see how it is: for a task that does not exist, or to do what a skill's example says. */
export interface Probe {
  agent: AgentRecord;
  /** The example; null asks for a task that does not exist, which changes nothing. */
  example: string | null;
  requestId: string;
  signal: AbortSignal;
}

/** How an agent answered; `skipped` when it wants a credential that its owner has not stored. */
export interface Probed {
  outcome: 'good' | 'failed' | 'skipped';
  /** To the end of the first answer. */
  ms: number;
  failure: ShownFailure | null;
  /** Seconds for which the agent asked to be left alone. */
  retryAfter: number | null;
}

/** Longest wait for an answer, and for the end of an example's task. */
const answerSeconds = 15;
const runMs = 300_000;
/** Pauses between questions for the task of an example, milliseconds; the last one repeats. */
const pausesMs = [1_000, 2_000, 5_000, 10_000];

/**
 * Probes an agent as any caller's request reaches it: the same endpoints, dialects, credentials of its owner and guards,
 * as {@link PROBER}. Nothing is stored of it as a task, so nothing it offers can be bought. What a run leaves open is
 * cancelled.
 * @throws what is not the agent's failure, such as the end of this process
 */
export async function probeAgent(asked: Probe): Promise<Probed> {
  const startedAt = performance.now();
  const patience = AbortSignal.timeout(runMs);
  const signal = AbortSignal.any([asked.signal, patience]);
  const heard: Heard = { last: null, ms: null };
  const hear = (call: HeardCall): void => {
    heard.last = call;
    heard.ms ??= performance.now() - startedAt;
  };
  const probe = { ...asked, signal, hear };
  try {
    return toProbed(probe.example === null ? await reach(probe) : await run(probe, probe.example), heard);
  } catch (error) {
    if (asked.signal.aborted) throw error;
    const known = patience.aborted ? notDone : asParleyError(error);
    if (!known) throw error;
    if (asksForCredential(known))
      return { ...toProbed(null, heard), outcome: asked.example === null ? 'good' : 'skipped' };
    return toProbed(known, heard);
  }
}

/** The calls of a probe: the last one, and how long the first one took. */
interface Heard {
  last: HeardCall | null;
  ms: number | null;
}

function toProbed(told: Told, { last, ms }: Heard): Probed {
  const took = Math.round(ms ?? 0);
  if (!told) return { outcome: 'good', ms: took, failure: null, retryAfter: null };
  const { code, message } = told;
  return {
    outcome: 'failed',
    ms: took,
    failure: { code, message, wire: last?.wire() ?? null },
    retryAfter: last?.retryAfter ?? null,
  };
}

/** A probe under way; each of its calls tells how it went. */
type Asking = Probe & { hear: (call: HeardCall) => void };

type Told = Pick<CallFailure, 'code' | 'message'> | null;

/** That it knows no such task is the answer that is looked for; an HTTP binding says so by 404. */
async function reach(probe: Asking): Promise<Told> {
  try {
    await listen(probe, { op: 'get', taskId: newUuid() });
  } catch (error) {
    const known = asParleyError(error);
    if (!known || !isAnswer(known, probe.agent)) throw error;
  }
  return null;
}

function isAnswer(error: ParleyError, { endpoints }: AgentRecord): boolean {
  if (isAgentError(error)) return true;
  return error instanceof AgentRefusal && error.status === 404 && endpoints[0].binding === 'HTTP+JSON';
}

function asksForCredential(error: ParleyError): boolean {
  return error instanceof AgentRefusal && (error.status === 401 || error.status === 403);
}

async function run(probe: Asking, example: string): Promise<Told> {
  const message: Message = { messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text: example }] };
  const op = probe.agent.card.capabilities.streaming ? 'stream' : 'send';
  const metadata = { 'parley.probe': 'skill-example' };
  let said = await listen(probe, { op, message, metadata, ownTaskId: newUuid() });
  for (let round = 0; isWorking(said); round++) {
    await delay(pausesMs[round] ?? pausesMs.at(-1), undefined, { signal: probe.signal });
    said = await listen(probe, { op: 'get', taskId: said.taskId }, said);
  }
  if (said.taskId && said.state && !isTerminal(said.state)) await leave(probe, said.taskId);
  return verdictOf(said);
}

const notDone = new ParleyError('agent_timeout', 'The task of the example was not done within five minutes.');

function verdictOf({ state, text, heardAny }: Said): Told {
  if (!heardAny) return { code: 'agent_misbehaved', message: 'The agent ended its answer without saying anything.' };
  if (state !== 'failed' && state !== 'rejected' && state !== 'canceled') return null;
  const reason = text ? `: ${text.slice(0, 500)}` : '.';
  return { code: 'agent_misbehaved', message: `The task of the example ended as ${state}${reason}` };
}

/** What an agent said up to now. */
interface Said {
  heardAny: boolean;
  taskId?: string;
  state?: TaskState;
  text?: string;
}

function isWorking(said: Said): said is Said & { taskId: string } {
  return said.taskId !== undefined && (said.state === 'submitted' || said.state === 'working');
}

async function listen(probe: Asking, request: AgentRequest, before: Said = { heardAny: false }): Promise<Said> {
  const { agent, requestId, signal, hear } = probe;
  const token = await upstreamTokenFor({ ...PROBER, agent, now: new Date() });
  const unaryTimeoutSeconds = request.op === 'send' ? agent.callLimits.unaryTimeoutSeconds : answerSeconds;
  const patient = { ...agent, callLimits: { ...agent.callLimits, unaryTimeoutSeconds } };
  const extensions = { requested: extensionsToActivate(agent.card), activated: [] };
  const batches = await callAgent({ agent: patient, request, extensions, requestId, token, signal, probe: hear });
  let said = before;
  for await (const batch of batches) for (const item of batch) said = after(said, item);
  return said;
}

function after(said: Said, item: AgentItem): Said {
  const taskId = item.taskId ?? said.taskId;
  if (item.type === 'message') return { heardAny: true, taskId };
  if (item.type === 'artifact') return { ...said, heardAny: true, taskId };
  return { heardAny: true, taskId, state: item.state, text: textOf(item.message) };
}

function textOf(message: Message | null): string | undefined {
  const texts = message?.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])) ?? [];
  return texts.length > 0 ? texts.join(' ') : undefined;
}

/** Tells the agent that nobody waits for the task of an example; whether it listens does not matter. */
async function leave(probe: Asking, taskId: string): Promise<void> {
  try {
    await listen({ ...probe, hear: () => undefined }, { op: 'cancel', taskId });
  } catch (error) {
    if (!asParleyError(error) || probe.signal.aborted) throw error;
  }
}
