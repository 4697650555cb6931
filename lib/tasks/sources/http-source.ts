import { isMcpServer } from '../../catalog';
import { ParleyError } from '../../platform/errors';
import { failedBeforeSend } from '../../platform/http-client/safe-fetch';
import { LightAbortController } from '../../platform/runtime/abort';
import { errorFields, log } from '../../platform/runtime/log';
import { isTerminal, type Message } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { isAgentError } from '../agent-client/agent-error';
import { isBreakerOpen } from '../agent-client/circuit-breaker';
import { notCancelable } from '../errors';
import { AGENT_STATE_TIMEOUT_MS, CANCEL_TIMEOUT_MS } from '../limits';
import { newUpstreamTaskId, upstreamTaskIdOf } from '../log/upstream-task-ids';
import { agentPushTarget } from '../push/agent-push';
import { executeCall, write } from '../runs/agent-output';
import { ReplyNotReceivedError } from '../runs/fail-turn';
import { askToCancel } from '../runs/pending-cancels';
import type { CancelAnswer, CancelCall, Run, RunSource, RunState } from '../runs/run-source';
import { earlierMessages } from './deliver-turn';
import { isAgentStillWaiting, readAgentTask, resumeRun } from './resume-run';

/** Executes the turns of agents with a public URL. */
export const httpSource: RunSource = {
  perform: (state) => (state.run.send ? sendAndRead(state, state.run.send) : resumeRun(state)),
  resume: resumeRun,
  read: readAgentTask,
  cancel,
};

async function sendAndRead(state: RunState, send: NonNullable<Run['send']>): Promise<void> {
  const { run, normalizer } = state;
  const message: Message = {
    ...send.message,
    contextId: run.record.upstreamContextId ?? undefined,
    taskId: run.record.upstreamTaskId ?? undefined,
  };
  const op = run.agent.card.capabilities.streaming ? 'stream' : 'send';
  try {
    const push = agentPushTarget(run.agent, run.record.id);
    const { acceptedOutputModes, metadata } = send;
    const history = isMcpServer(run.agent) ? earlierMessages(run.task, send, run.record.ownContextId) : undefined;
    await executeCall(state, {
      op,
      message,
      history,
      acceptedOutputModes,
      outputModes: run.agent.card.outputModes,
      metadata,
      push,
      ownTaskId: newUpstreamTaskId(run.agent, run.record),
      ownContextId: run.record.ownContextId,
    });
  } catch (error) {
    // If the agent received the task, it is resumed; before that, the send must not be repeated.
    if (!(error instanceof ParleyError) || state.signal.aborted) throw error;
    if (normalizer.upstreamTaskId === undefined && normalizer.hasOutput) {
      // Messages of an agent without a task id are the response; there is nothing to poll.
      await write(state, normalizer.finish(new Date()));
      return;
    }
    if (isAgentError(error) || error.code === 'agent_misbehaved') return settleAfterError(state, error);
    const mayHaveArrived = !wasNeverSent(error);
    state.mayHaveArrived = mayHaveArrived;
    if (!mayHaveArrived && !normalizer.hasOutput) throw error;
    if (mayHaveArrived) normalizer.upstreamTaskId ??= upstreamTaskIdOf(run.agent, run.record) ?? undefined;
    if (!normalizer.upstreamTaskId) throw error;
    log.warn('run.connection_lost', { taskId: run.record.id, code: error.code });
    if (!normalizer.hasOutput && (await isAgentStillWaiting(state))) throw new ReplyNotReceivedError();
  }
  if (normalizer.turnEnded || state.writer.superseded) return;
  if (!normalizer.upstreamTaskId) throw new ParleyError('agent_misbehaved', 'The agent returned an empty response.');
  await resumeRun(state);
}

/**
 * Handles an error after the agent started working: only the state that the agent reports shows whether the task has
 * ended.
 */
async function settleAfterError(state: RunState, error: unknown): Promise<void> {
  const { normalizer } = state;
  if (normalizer.hasOutput && normalizer.upstreamTaskId) {
    await fetchState(state, normalizer.upstreamTaskId);
  }
  if (!normalizer.turnEnded) throw error;
}

async function fetchState(state: RunState, taskId: string): Promise<void> {
  const { signal, run } = state;
  const timeoutController = new LightAbortController();
  const onAbort = (): void => timeoutController.abort(signal.reason);
  const timer = setTimeout(onAbort, AGENT_STATE_TIMEOUT_MS);
  signal.addEventListener('abort', onAbort);
  try {
    await executeCall({ ...state, signal: timeoutController }, { op: 'get', taskId });
  } catch (error) {
    log.info('run.state_unknown', { taskId: run.record.id, ...errorFields(error) });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns true if no connection was made, also because the breaker is open. */
function wasNeverSent(failure: ParleyError): boolean {
  return failedBeforeSend(failure) || isBreakerOpen(failure);
}

async function cancel(input: CancelCall): Promise<CancelAnswer> {
  const { agent, record, metadata, extensions } = input;
  const upstreamTaskId = upstreamTaskIdOf(agent, record);
  if (upstreamTaskId !== null) return askAgent(input, upstreamTaskId);
  if (record.runNode === null) return { answer: null };
  return { answer: null, hasNotBegun: true, pending: { metadata, extensions: extensions?.requested } };
}

async function askAgent(input: CancelCall, upstreamTaskId: string): Promise<CancelAnswer> {
  const { agent, record, metadata, extensions, timeoutMs = CANCEL_TIMEOUT_MS, requestId, trace } = input;
  const signal = AbortSignal.timeout(timeoutMs);
  const call = { agent, record, requestId, extensions, signal };
  try {
    const answer = await askToCancel({ ...call, taskId: upstreamTaskId, metadata, trace });
    return { answer, isOpen: !answer.some(isFinalItem) };
  } catch (error) {
    if (!(error instanceof ParleyError) || !isAgentError(error, -32002)) return { answer: null };
    // The agent may have ended the task before; if it does not return the task, its rejection applies.
    const found = await readAgentTask(call).catch(() => null);
    if (found && isFinalItem(found))
      return { answer: [found], rejection: notCancelable({ ...record, state: found.state }) };
    throw new ParleyError('task_not_cancelable', error.message, { data: { task_id: record.id } });
  }
}

function isFinalItem(item: AgentItem): boolean {
  return (item.type === 'task' || item.type === 'status') && isTerminal(item.state);
}
