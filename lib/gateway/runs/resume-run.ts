import { sleep } from '../../platform/abort';
import { asParleyError, ParleyError } from '../../platform/errors';
import { endsTurn } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { isAgentError } from '../upstream/agent-error';
import { callAgent } from '../upstream/call-agent';
import { upstreamTaskIdOf } from '../upstream/upstream-task-id';
import { ReplyNotReceivedError } from './fail-turn';
import { isAgentStillWaiting } from './fetch-agent-task';
import { pollAgent } from './poll-agent';
import { executeCall, extensionsForCall, httpTraceOfRun, type RunState, write } from './run-state';
import { hasTaskReferences, toCallerReferences } from './task-references';

/** Pauses between attempts to reach the agent again, milliseconds. */
const retryDelaysMs = [0, 500, 1_500, 3_000, 5_000];
/** An attempt that lasted so long had reached it: what comes after begins anew, milliseconds. */
const resetAfterMs = 10_000;

/**
 * Takes up a run whose connection broke or whose node died: asks the agent for its task, adds what was missed, and
 * follows it to the end of the turn. Never sends the message again.
 * @throws {ParleyError} `agent_unreachable` when the agent stays away; `agent_misbehaved` when it lost the task; {@link ReplyNotReceivedError}
 */
export async function resumeRun(state: RunState): Promise<void> {
  const { run, normalizer: normaliser, signal, writer } = state;
  normaliser.upstreamTaskId ??= upstreamTaskIdOf(run.agent, run.record) ?? undefined;
  if (!normaliser.upstreamTaskId) {
    throw new ParleyError(
      'agent_unreachable',
      'The connection broke before the agent confirmed the task. Send the message again.',
    );
  }
  if (!run.send && (await isAgentStillWaiting(state))) throw new ReplyNotReceivedError();
  normaliser.markResumed();
  let failure: unknown;
  for (let attempt = 0; attempt < retryDelaysMs.length; attempt++) {
    await sleep(retryDelaysMs[attempt] ?? 0, signal);
    const startedAt = performance.now();
    try {
      await followTask(state, normaliser.upstreamTaskId);
    } catch (error) {
      const known = asParleyError(error);
      if (!known || signal.aborted) throw error;
      if (isAgentError(known, -32001))
        throw new ParleyError('agent_misbehaved', 'The agent no longer knows this task.');
      failure = error;
    }
    if (normaliser.turnEnded || writer.superseded) return;
    if (performance.now() - startedAt > resetAfterMs) attempt = 0;
  }
  throw failure ?? new ParleyError('agent_unreachable', 'The agent ended its answer before the task was done.');
}

async function followTask(state: RunState, taskId: string): Promise<void> {
  await executeCall(state, { op: 'get', taskId });
  if (state.normalizer.turnEnded || state.writer.superseded) return;
  if (!state.run.agent.card.capabilities.streaming) return pollAgent(state);
  try {
    await followStream(state, taskId);
  } catch (error) {
    const known = asParleyError(error);
    if (!known || !isAgentError(known)) throw error;
    // The agent cannot be subscribed to (or the task ended in between): its answers to `get` tell the same.
    await pollAgent(state);
  }
}

/**
 * Follows the re-opened stream. Between the agent's snapshot and its first live event something may be lost, so before
 * the end is written the agent is asked once more for the whole task.
 */
async function followStream(state: RunState, taskId: string): Promise<void> {
  const { run, normalizer: normaliser, signal, writer } = state;
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
      if (isTurnEnd(item)) return void (await executeCall(state, { op: 'get', taskId }));
      await write(state, normaliser.accept(item, new Date()));
    }
    if (normaliser.turnEnded || writer.superseded) return;
  }
}

function isTurnEnd(item: AgentItem): boolean {
  return item.type === 'status' && endsTurn(item.state);
}
