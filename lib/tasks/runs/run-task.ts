import { hasCode, ParleyError } from '../../platform/errors';
import { failedBeforeSend } from '../../platform/http-client/safe-fetch';
import { LightAbortController } from '../../platform/runtime/abort';
import { errorFields, log } from '../../platform/runtime/log';
import { isInterrupted, type Message } from '../../protocol/a2a/core/model';
import { upstreamTokenForTask } from '../../tokens';
import { cancelNamedTask } from '../calls/pending-cancels';
import { syncPause } from '../chains/pause-root';
import { AGENT_STATE_TIMEOUT_MS } from '../limits';
import { Normalizer } from '../log/normalizer';
import { TaskWriter } from '../log/task-writer';
import { newUpstreamTaskId, upstreamTaskIdOf } from '../log/upstream-task-ids';
import { agentPushTarget } from '../push/agent-push';
import { readTrailingEvents } from '../recovery/read-trailing-events';
import { answerTurn } from '../sources/built-in/answer-turn';
import { isBuiltIn } from '../sources/built-in/built-in-agents';
import { isAgentError } from '../sources/http/agent-error';
import { isBreakerOpen } from '../sources/http/circuit-breaker';
import { findTask } from '../store/find-tasks';
import { deletePendingCancel, isCancelPending } from '../store/pending-cancel-rows';
import { forgetUnnamedRun, keepUnnamedRun, registerRun, unregisterRun } from './active-runs';
import { failTurn, ReplyNotReceivedError } from './fail-turn';
import { isAgentStillWaiting, resumeRun } from './resume-run';
import { RunHandle } from './run-handle';
import { executeCall, type Run, type RunState, write } from './run-state';

/**
 * Starts one turn of a task: calls the agent and writes events until the turn ends, independently of readers. A failure
 * ends the turn (see {@link failTurn}). If the stream stays open after a question, reading continues after the handle
 * has completed.
 */
export function startRun(run: Run): RunHandle {
  const { record, agent, task } = run;
  const handle = new RunHandle(record.id, record.lastSeq, () => void stopIfSuperseded(state));
  handle.resumable = upstreamTaskIdOf(agent, record) !== null && run.send === undefined;
  registerRun(handle);
  const continues = run.send !== undefined && record.upstreamTaskId !== null;
  const normalizer = new Normalizer(task, record.upstreamTaskId ?? undefined, continues);
  normalizer.fallbackContextId = record.upstreamContextId ?? record.ownContextId;
  const state: RunState = {
    run,
    handle,
    normalizer,
    writer: new TaskWriter(record, handle, run.hub),
    signal: handle.controller,
    token: () => upstreamTokenForTask(record, agent, new Date()),
  };
  handle.drained = () => state.writer.drained();
  // A task that a run continues is interrupted only if it is paused.
  handle.paused = isInterrupted(record.state);
  handle.onChainChange = () => void syncPause(state);
  void runTurn(state);
  return handle;
}

/** Never throws. */
async function runTurn(state: RunState): Promise<void> {
  const { run, handle, writer } = state;
  try {
    await execute(state);
  } catch (error) {
    log.error('run.failed', { taskId: run.record.id, ...errorFields(error) });
  } finally {
    writer.flushNow();
    handle.complete();
  }
  if (writer.superseded) void state.trailingBatches?.return?.();
  else if (state.trailingBatches) await readTrailingEvents(state);
  unregisterRun(handle);
  // A cancel may have superseded the run before stopIfSuperseded could mark it as unnamed.
  if (state.isUnnamed || writer.superseded) await passOnCancel(state);
}

/**
 * Stops the run if another writer appended to the task: a cancel, or a node that claimed the run because this node
 * appeared to be dead.
 */
async function stopIfSuperseded(state: RunState): Promise<void> {
  const { record, agent } = state.run;
  const { controller } = state.handle;
  try {
    const now = await findTask({ principal: record.principal, agentId: agent.id, delegation: null }, record.id);
    if (now?.runNode === record.runNode) return;
    if (!(now?.state === 'canceled' && (await isCancelPending(record.id)) && awaitName(state))) controller.abort();
  } catch (error) {
    log.warn('run.check_failed', { taskId: record.id, ...errorFields(error) });
  }
}

/**
 * Handles a task that was canceled before the agent assigned an id, for which the run continues to wait. False if the
 * run has ended.
 */
function awaitName(state: RunState): boolean {
  const { handle, writer, normalizer } = state;
  if (!keepUnnamedRun(handle)) return false;
  state.isUnnamed = true;
  writer.superseded = true;
  if (normalizer.upstreamTaskId !== undefined) handle.controller.abort();
  return true;
}

/** Sends the pending cancel, if any, when the agent has assigned an id and has not ended the task. Never throws. */
async function passOnCancel({ run, handle, normalizer, isUnnamed }: RunState): Promise<void> {
  const { requestId, trace, record } = run;
  const { upstreamTaskId, taskEnded } = normalizer;
  const taskId = record.id;
  try {
    if (upstreamTaskId !== undefined && !taskEnded)
      await cancelNamedTask({ taskId, upstreamTaskId }, { requestId, trace });
    // If shutdown aborts the run, the cancel stays pending, because a push of the agent may still contain the id of the
    // task.
    else if (isUnnamed && (taskEnded || !handle.controller.aborted)) await deletePendingCancel(taskId);
  } catch (error) {
    log.warn('cancel.postponed', { taskId, ...errorFields(error) });
  } finally {
    forgetUnnamedRun(handle);
  }
}

async function execute(state: RunState): Promise<void> {
  try {
    if (state.run.hub) await state.run.hub.perform(state);
    else if (isBuiltIn(state.run.agent)) await answerTurn(state);
    else if (state.run.send) await sendAndRead(state, state.run.send);
    else await resumeRun(state);
  } catch (error) {
    const { aborted, reason } = state.handle.controller;
    const timedOut = hasCode(reason, 'agent_timeout');
    if ((aborted && !timedOut) || state.writer.superseded) return;
    await failTurn(state, timedOut ? reason : error);
  }
  await state.writer.drained();
}

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
    await executeCall(state, {
      op,
      message,
      acceptedOutputModes,
      outputModes: run.agent.card.outputModes,
      metadata,
      push,
      ownTaskId: newUpstreamTaskId(run.agent, run.record),
      ownContextId: run.record.ownContextId,
    });
  } catch (error) {
    // If the agent received the task, the run is resumed. Before that, the send must not be repeated.
    if (!(error instanceof ParleyError) || state.signal.aborted) throw error;
    if (normalizer.upstreamTaskId === undefined && normalizer.hasOutput) {
      // Messages of an agent without a task id are the response, so there is nothing to poll.
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

/** Handles an error after the agent started working, when only the reported state shows whether the task has ended. */
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
