import { LightAbortController } from '../../platform/abort';
import { asParleyError, hasCode, ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { failedBeforeSend } from '../../platform/safe-fetch';
import { statusOf } from '../../protocol/a2a/core/events';
import { endsTurn, type Message } from '../../protocol/a2a/core/model';
import { agentPushTarget } from '../push/agent-push';
import { findTask } from '../store/find-tasks';
import type { StoredEvent } from '../store/records';
import { isAgentError } from '../upstream/agent-error';
import { isBreakerOpen } from '../upstream/circuit-breaker';
import { newUpstreamTaskId, upstreamTaskIdOf } from '../upstream/upstream-task-id';
import { type ActiveRun, registerRun, unregisterRun } from './active-runs';
import { agentTokenForTask } from './agent-token-for-task';
import { failTurn, ReplyNotReceivedError } from './fail-turn';
import { isAgentStillWaiting } from './fetch-agent-task';
import { Normalizer } from './normalizer';
import { readTrailingEvents } from './read-trailing-events';
import { resumeRun } from './resume-run';
import { executeCall, type Run, type RunState, write } from './run-state';
import { TaskWriter } from './task-writer';

/**
 * Carries one turn of a task: calls the agent and writes what it says until its turn is over. Independent of whoever
 * reads; never throws: a failure ends the turn (see {@link failTurn}). A stream that its agent leaves open after a question
 * is read on when the promise has resolved.
 */
export async function runTask(run: Run): Promise<void> {
  const activeRun = registerRun(
    run.record.id,
    run.record.lastSeq,
    (activeRun) => void abortIfSuperseded(run, activeRun),
  );
  activeRun.resumable = upstreamTaskIdOf(run.agent, run.record) !== null && run.send === undefined;
  const continues = run.send !== undefined && run.record.upstreamTaskId !== null;
  const normaliser = new Normalizer(run.task, run.record.upstreamTaskId ?? undefined, continues);
  normaliser.fallbackContextId = run.record.upstreamContextId ?? run.record.ownContextId;
  const state: RunState = {
    run,
    normalizer: normaliser,
    writer: new TaskWriter(run.record, activeRun),
    signal: activeRun.controller,
    token: () => agentTokenForTask(run.record, run.agent),
  };
  try {
    await execute(state, activeRun);
  } catch (error) {
    log.error('run.failed', { taskId: run.record.id, ...errorFields(error) });
  } finally {
    state.writer.flushNow();
    run.handle?.complete(completedEvents(run, activeRun));
  }
  if (state.trailingBatches) void readTrailingEvents(state, activeRun);
  else unregisterRun(run.record.id, activeRun);
}

/** All that the run wrote, when that is on disk up to the end of the turn and still in memory. */
function completedEvents({ record }: Run, { baseSeq: base, events }: ActiveRun): StoredEvent[] | null {
  const last = events.at(-1);
  const status = last ? statusOf(last.event) : null;
  return base === record.lastSeq && status && endsTurn(status.state) ? events : null;
}

/** Another node wrote to the task: a cancel there, or it took the run because ours was thought gone. */
async function abortIfSuperseded({ record, agent }: Run, activeRun: ActiveRun): Promise<void> {
  try {
    const now = await findTask({ principal: record.principal, agentId: agent.id, delegation: null }, record.id);
    if (now?.runNode !== record.runNode) activeRun.controller.abort();
  } catch (error) {
    log.warn('run.check_failed', { taskId: record.id, ...errorFields(error) });
  }
}

async function execute(state: RunState, activeRun: ActiveRun): Promise<void> {
  try {
    if (state.run.send) await sendAndRead(state, state.run.send);
    else await resumeRun(state);
  } catch (error) {
    const { aborted, reason } = activeRun.controller;
    // By its code: whoever ended it may be of the other bundle, and its class with it.
    const timedOut = hasCode(reason, 'agent_timeout');
    if ((aborted && !timedOut) || state.writer.superseded) return;
    await failTurn(state, timedOut ? reason : error);
  }
  await state.writer.drained();
}

async function sendAndRead(state: RunState, send: NonNullable<Run['send']>): Promise<void> {
  const { run, normalizer: normaliser } = state;
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
    // A connection that breaks after the agent took the task is taken up again; before that nothing may be repeated.
    const failure = asParleyError(error);
    if (!failure || state.signal.aborted) throw error;
    if (normaliser.upstreamTaskId === undefined && normaliser.hasOutput) {
      // Messages of an agent that names no task: they are the answer, and nothing can be asked for.
      await write(state, normaliser.finish(new Date()));
      return;
    }
    if (isAgentError(failure) || failure.code === 'agent_misbehaved') return settleAfterError(state, error);
    const arrived = mayHaveArrived(failure);
    state.mayHaveArrived = arrived;
    if (!arrived && !normaliser.hasOutput) throw error;
    if (arrived) normaliser.upstreamTaskId ??= upstreamTaskIdOf(run.agent, run.record) ?? undefined;
    if (!normaliser.upstreamTaskId) throw error;
    log.warn('run.connection_broken', { taskId: run.record.id, code: failure.code });
    if (!normaliser.hasOutput && (await isAgentStillWaiting(state))) throw new ReplyNotReceivedError();
  }
  if (normaliser.turnEnded || state.writer.superseded) return;
  if (!normaliser.upstreamTaskId)
    throw new ParleyError('agent_misbehaved', 'The agent ended its answer without saying anything.');
  await resumeRun(state);
}

/** How long an agent that answered with an error may take to report the state of its task, milliseconds. */
const stateTimeoutMs = 5_000;

/** An error after the agent began to work: only the state that it reports tells whether the task has ended. */
async function settleAfterError(state: RunState, error: unknown): Promise<void> {
  const { normalizer: normaliser } = state;
  if (normaliser.hasOutput && normaliser.upstreamTaskId) {
    await fetchState(state, normaliser.upstreamTaskId);
  }
  if (!normaliser.turnEnded) throw error;
}

async function fetchState(state: RunState, taskId: string): Promise<void> {
  const { signal, run } = state;
  const timeoutController = new LightAbortController();
  const onAbort = (): void => timeoutController.abort(signal.reason);
  const timer = setTimeout(onAbort, stateTimeoutMs);
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

/** False when no connection was made, also because the agent is known to be down. */
function mayHaveArrived(failure: ParleyError): boolean {
  return !failedBeforeSend(failure) && !isBreakerOpen(failure);
}
