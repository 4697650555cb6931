import { hasCode, ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { isInterrupted } from '../../protocol/a2a/core/model';
import { upstreamTokenForTask } from '../../tokens';
import {
  countTrailingStreams,
  forgetUnnamedRun,
  keepUnnamedRun,
  registerRun,
  unregisterRun,
} from '../active/active-runs';
import { RunHandle } from '../active/run-handle';
import { MAX_TRAILING_STREAMS, TRAILING_STREAM_MS } from '../limits';
import { Normalizer } from '../log/normalizer';
import { TaskWriter } from '../log/task-writer';
import { upstreamTaskIdOf } from '../log/upstream-task-ids';
import { findTask } from '../store/find-tasks';
import { deletePendingCancel, isCancelPending } from '../store/pending-cancel-rows';
import { ingestBatch, write } from './agent-output';
import { failTurn } from './fail-turn';
import { syncPause } from './pause-root';
import { cancelNamedTask } from './pending-cancels';
import type { Run, RunState } from './run-source';

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
    writer: new TaskWriter(record, handle, run.source.cursor),
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
    if (writer.streams) await writer.leaveStream();
    handle.complete();
  }
  if (writer.superseded) void state.trailingBatches?.return?.();
  else if (state.trailingBatches) await readTrailingEvents(state);
  if (writer.streams) await writer.leaveStream();
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
    const current = await findTask({ principal: record.principal, agentId: agent.id, delegation: null }, record.id);
    if (current?.runNode === record.runNode) return;
    if (!(current?.state === 'canceled' && (await isCancelPending(record)) && awaitName(state))) controller.abort();
  } catch (error) {
    log.warn('run.check_failed', { taskId: record.id, ...errorFields(error) });
  }
}

/**
 * Handles a task that was canceled before the agent assigned an id, for which the run continues to wait. Returns false
 * if the run has ended.
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
    if (upstreamTaskId !== undefined && !taskEnded) await cancelNamedTask(record, upstreamTaskId, { requestId, trace });
    // If shutdown aborts the run, the cancel stays pending, because a push of the agent may still contain the id of the
    // task.
    else if (taskEnded || (isUnnamed && !handle.controller.aborted)) await deletePendingCancel(record);
  } catch (error) {
    log.warn('cancel.postponed', { taskId, ...errorFields(error) });
  } finally {
    forgetUnnamedRun(handle);
  }
}

async function execute(state: RunState): Promise<void> {
  try {
    await state.run.source.perform(state);
  } catch (error) {
    const { aborted, reason } = state.handle.controller;
    const timedOut = hasCode(reason, 'agent_timeout');
    if ((aborted && !timedOut) || state.writer.superseded) return;
    await failTurn(state, timedOut ? reason : error);
  }
  await state.writer.drained();
}

/**
 * Reads the rest of a stream after the agent asked for input, because the agent may continue on its own. Ends with the
 * stream, with the task, or when the caller replies. Never throws.
 */
async function readTrailingEvents(state: RunState): Promise<void> {
  const { handle, trailingBatches } = state;
  if (!trailingBatches) return;
  handle.trailing = true;
  const timeout = setTimeout(() => handle.controller.abort(), TRAILING_STREAM_MS);
  timeout.unref();
  try {
    if (countTrailingStreams() <= MAX_TRAILING_STREAMS) await readRemaining(state, trailingBatches);
    else void trailingBatches.return?.();
  } catch (error) {
    log.warn('run.trailing_read_failed', { taskId: handle.taskId, ...errorFields(error) });
  } finally {
    clearTimeout(timeout);
    state.writer.flushNow();
  }
}

async function readRemaining(state: RunState, trailingBatches: AsyncIterator<unknown[]>): Promise<void> {
  const { normalizer, writer, signal } = state;
  try {
    await readToEnd(state);
    await write(state, normalizer.finish(new Date()));
    if (!normalizer.turnEnded && !writer.superseded && !signal.aborted) await state.run.source.resume?.(state);
    await writer.drained();
  } catch (error) {
    // A stream that breaks while the task is interrupted does not affect the task.
    if (signal.aborted || writer.superseded || normalizer.turnEnded) return;
    if (error instanceof ParleyError && normalizer.upstreamTaskId !== undefined && state.trailingBatches) {
      state.trailingBatches = undefined;
      return readRemaining(state, trailingBatches);
    }
    await failTurn(state, error);
    await writer.drained();
  }
}

async function readToEnd(state: RunState): Promise<void> {
  const { handle, trailingBatches, writer, normalizer, signal } = state;
  if (!trailingBatches) return;
  while (!signal.aborted) {
    const { done, value } = await trailingBatches.next();
    if (done || signal.aborted) return;
    await ingestBatch(state, value);
    handle.trailing = normalizer.turnEnded;
    if (writer.superseded || normalizer.taskEnded) {
      await trailingBatches.return?.();
      return;
    }
  }
}
