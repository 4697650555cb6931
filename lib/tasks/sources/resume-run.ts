import { ParleyError } from '../../platform/errors';
import { sleep } from '../../platform/runtime/abort';
import { hasSameContent } from '../../protocol/a2a/core/message-parts';
import { endsTurn, isInterrupted, type Message } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { upstreamTokenForTask } from '../../tokens';
import { isAgentError } from '../agent-client/agent-error';
import { callAgent } from '../agent-client/call-agent';
import {
  AGENT_POLL_BACKOFF_FACTOR,
  AGENT_POLL_INITIAL_MS,
  AGENT_POLL_MAX_MS,
  RESUME_DELAYS_MS,
  RESUME_RESET_AFTER_MS,
} from '../limits';
import { latestTurnOf } from '../log/turn';
import { hasTaskReferences, toCallerReferences, upstreamTaskIdOf } from '../log/upstream-task-ids';
import { waitForPush } from '../push/agent-push';
import { executeCall, extensionsForCall, httpTraceOfRun, write } from '../runs/agent-output';
import { ReplyNotReceivedError } from '../runs/fail-turn';
import type { AgentTaskRequest, RunState, Snapshot } from '../runs/run-source';
import { loadTask } from '../store/task-events';

/**
 * Resumes a run after its connection broke or its node died: reads the task from the agent, appends missed events, and
 * follows it to the end of the turn. Never resends the message.
 * @throws {ParleyError} `agent_unreachable` if retries fail; `agent_misbehaved` if the agent no longer has the task;
 *   {@link ReplyNotReceivedError}
 */
export async function resumeRun(state: RunState): Promise<void> {
  const { run, normalizer, signal, writer } = state;
  normalizer.upstreamTaskId ??= upstreamTaskIdOf(run.agent, run.record) ?? undefined;
  if (!normalizer.upstreamTaskId) {
    throw new ParleyError(
      'agent_unreachable',
      'The connection was lost before the agent confirmed the task. Send the message again.',
    );
  }
  if (!run.send && (await isAgentStillWaiting(state))) throw new ReplyNotReceivedError();
  normalizer.markResumed();
  let failure: unknown;
  for (let attempt = 0; attempt < RESUME_DELAYS_MS.length; attempt++) {
    await sleep(RESUME_DELAYS_MS[attempt] ?? 0, signal);
    const startedAt = performance.now();
    try {
      await followTask(state, normalizer.upstreamTaskId);
    } catch (error) {
      if (!(error instanceof ParleyError) || signal.aborted) throw error;
      if (isAgentError(error, -32001))
        throw new ParleyError('agent_misbehaved', 'The agent no longer knows this task.');
      failure = error;
    }
    if (normalizer.turnEnded || writer.superseded) return;
    if (performance.now() - startedAt > RESUME_RESET_AFTER_MS) attempt = 0;
  }
  throw failure ?? new ParleyError('agent_unreachable', 'The agent ended its response before the task was done.');
}

async function followTask(state: RunState, taskId: string): Promise<void> {
  await executeCall(state, { op: 'get', taskId });
  if (state.normalizer.turnEnded || state.writer.superseded) return;
  if (!state.run.agent.card.capabilities.streaming) return pollAgent(state);
  try {
    await followStream(state, taskId);
  } catch (error) {
    if (!(error instanceof ParleyError) || !isAgentError(error)) throw error;
    // The agent does not support subscribing, or the task has just ended. Polling has the same result.
    await pollAgent(state);
  }
}

/**
 * Follows the reopened stream. Events between the agent's snapshot and the first live event may be lost, so the whole
 * task is read again before the end is written.
 */
async function followStream(state: RunState, taskId: string): Promise<void> {
  const { run, normalizer, signal, writer } = state;
  const request = { op: 'subscribe' as const, taskId };
  const stream = await callAgent({
    agent: run.agent,
    request,
    extensions: extensionsForCall(run, request),
    requestId: run.requestId,
    token: await state.token(),
    trace: run.trace,
    signal,
    httpTraceOf: httpTraceOfRun(run.record),
  });
  for await (const batch of stream) {
    const items = batch.some(hasTaskReferences) ? await toCallerReferences(batch, run.record) : batch;
    for (const item of items) {
      if (item.type === 'status' && endsTurn(item.state)) return endFollowed(state, taskId, item);
      await write(state, normalizer.accept(item, new Date()));
    }
    if (normalizer.turnEnded || writer.superseded) return;
  }
}

/**
 * Writes the whole task at the end of its turn, or only the final event of the stream if the agent does not return the
 * task.
 */
async function endFollowed(state: RunState, taskId: string, end: AgentItem): Promise<void> {
  try {
    await executeCall(state, { op: 'get', taskId });
  } catch (error) {
    if (!(error instanceof ParleyError) || !isAgentError(error)) throw error;
    await write(state, state.normalizer.accept(end, new Date()));
  }
}

/** Polls the task of an agent without streaming, with backoff and after each push, until the turn ends. */
async function pollAgent(state: RunState): Promise<void> {
  const { normalizer, signal, writer } = state;
  for (
    let interval = AGENT_POLL_INITIAL_MS;
    !normalizer.turnEnded && !writer.superseded;
    interval = Math.min(interval * AGENT_POLL_BACKOFF_FACTOR, AGENT_POLL_MAX_MS)
  ) {
    await waitForPush(state.run.record.id, interval, signal);
    await executeCall(state, { op: 'get', taskId: normalizer.upstreamTaskId ?? '' });
  }
}

/**
 * Reads the task from the agent; null if it has no id there, or if the response is not a task.
 * @throws the errors of {@link callAgent}
 */
export async function readAgentTask(input: AgentTaskRequest): Promise<Snapshot | null> {
  const { record, agent, requestId, signal, quiet } = input;
  const taskId = upstreamTaskIdOf(agent, record);
  if (taskId === null) return null;
  const request = { op: 'get' as const, taskId };
  const extensions = extensionsForCall(input, request);
  const token = await upstreamTokenForTask(record, agent, new Date());
  const probe = quiet ? (): void => undefined : undefined;
  let found: Snapshot | null = null;
  for await (const batch of await callAgent({ agent, request, extensions, requestId, token, signal, probe }))
    found ??= batch.find((item) => item.type === 'task') ?? null;
  if (found?.taskId !== taskId) return null;
  const items = hasTaskReferences(found) ? await toCallerReferences([found], record) : [found];
  return items.find((item) => item.type === 'task') ?? null;
}

/**
 * Returns true if the agent still waits for this turn's reply and has sent nothing since, which means that it did not
 * receive the reply. A run that was resumed after its node died can determine this only if the question is unchanged.
 */
export async function isAgentStillWaiting(state: RunState): Promise<boolean> {
  const { run, signal } = state;
  const { message, responded, interruptedStatus } = latestTurnOf((await loadTask(run.record)).events);
  if (!message || responded || !interruptedStatus) return false;
  const { record, agent, requestId, extensions } = run;
  // If the agent cannot be read now, the resumed run reads it again.
  const found = await run.source.read({ record, agent, requestId, extensions, signal }).catch(() => null);
  if (!found || !isInterrupted(found.state)) return false;
  if (found.history.some(({ messageId }) => messageId === message.messageId)) return false;
  return (
    run.send !== undefined ||
    (found.state === interruptedStatus.state && isSameQuestion(found.message, interruptedStatus.message))
  );
}

function isSameQuestion(theirs: Message | null, ours: Message | undefined): boolean {
  if (!theirs || !ours) return true;
  return hasSameContent(theirs, ours);
}
