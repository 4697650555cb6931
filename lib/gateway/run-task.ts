import { StopSwitch } from '../platform/abort';
import { asParleyError, hasCode, ParleyError } from '../platform/errors';
import { errorFields, log } from '../platform/log';
import { wasNeverSent } from '../platform/safe-fetch';
import { statusOf } from '../protocol/a2a/core/events';
import { endsTurn, type Message } from '../protocol/a2a/core/model';
import { stillWaits } from './ask-state';
import { failTurn, ReplyNotTaken } from './fail-turn';
import { closeLive, type LiveTask, openLive } from './live-tasks';
import { Normaliser } from './normalise';
import { agentPushTarget } from './push/agent-push';
import { readOn } from './read-on';
import { recoverRun } from './recover-run';
import { type Run, type RunState, readAll, write } from './run-state';
import { runToken } from './run-token';
import { findTask } from './store/find-tasks';
import type { StoredEvent } from './store/records';
import { TaskWriter } from './task-writer';
import { isAgentError } from './upstream/agent-error';
import { isBreakerOpen } from './upstream/breaker';
import { ownTaskIdOf, upstreamIdOf } from './upstream/upstream-id';

/**
 * Carries one turn of a task: calls the agent and writes what it says until its turn is over. Independent of whoever
 * reads; never throws: a failure ends the turn (see {@link failTurn}). A stream that its agent leaves open after a question
 * is read on when the promise has resolved.
 */
export async function runTask(run: Run): Promise<void> {
  const live = openLive(run.record.id, run.record.lastSeq, (live) => void endIfOvertaken(run, live));
  live.resumable = upstreamIdOf(run.agent, run.record) !== null && run.send === undefined;
  const continues = run.send !== undefined && run.record.upstreamTaskId !== null;
  const normaliser = new Normaliser(run.task, run.record.upstreamTaskId ?? undefined, continues);
  normaliser.unnamedContextId = run.record.upstreamContextId ?? run.record.ownContextId;
  const state: RunState = {
    run,
    normaliser,
    writer: new TaskWriter(run.record, live),
    signal: live.stop,
    token: () => runToken(run.record, run.agent),
  };
  try {
    await carry(state, live);
  } catch (error) {
    log.error('run.failed', { taskId: run.record.id, ...errorFields(error) });
  } finally {
    state.writer.hurry();
    run.ear?.end(wholeStory(run, live));
  }
  if (state.rest) void readOn(state, live);
  else closeLive(run.record.id, live);
}

/** All that the run wrote, when that is on disk up to the end of the turn and still in memory. */
function wholeStory({ record }: Run, { base, events }: LiveTask): StoredEvent[] | null {
  const last = events.at(-1);
  const status = last ? statusOf(last.event) : null;
  return base === record.lastSeq && status && endsTurn(status.state) ? events : null;
}

/** Another node wrote to the task: a cancel there, or it took the run because ours was thought gone. */
async function endIfOvertaken({ record, agent }: Run, live: LiveTask): Promise<void> {
  try {
    const now = await findTask({ principal: record.principal, agentId: agent.id, delegation: null }, record.id);
    if (now?.runNode !== record.runNode) live.stop.abort();
  } catch (error) {
    log.warn('run.check_failed', { taskId: record.id, ...errorFields(error) });
  }
}

async function carry(state: RunState, live: LiveTask): Promise<void> {
  try {
    if (state.run.send) await sendAndRead(state, state.run.send);
    else await recoverRun(state);
  } catch (error) {
    const { aborted, reason } = live.stop;
    // By its code: whoever ended it may be of the other bundle, and its class with it.
    const tooLong = hasCode(reason, 'agent_timeout');
    if ((aborted && !tooLong) || state.writer.overtaken) return;
    await failTurn(state, tooLong ? reason : error);
  }
  await state.writer.settled();
}

async function sendAndRead(state: RunState, send: NonNullable<Run['send']>): Promise<void> {
  const { run, normaliser } = state;
  const message: Message = {
    ...send.message,
    contextId: run.record.upstreamContextId ?? undefined,
    taskId: run.record.upstreamTaskId ?? undefined,
  };
  const op = run.agent.card.capabilities.streaming ? 'stream' : 'send';
  try {
    const push = agentPushTarget(run.agent, run.record.id);
    const { acceptedOutputModes, metadata } = send;
    await readAll(state, {
      op,
      message,
      acceptedOutputModes,
      outputModes: run.agent.card.outputModes,
      metadata,
      push,
      ownTaskId: ownTaskIdOf(run.agent, run.record),
      ownContextId: run.record.ownContextId,
    });
  } catch (error) {
    // A connection that breaks after the agent took the task is taken up again; before that nothing may be repeated.
    const broken = asParleyError(error);
    if (!broken || state.signal.aborted) throw error;
    if (normaliser.upstreamTaskId === undefined && normaliser.heard) {
      // Messages of an agent that names no task: they are the answer, and nothing can be asked for.
      await write(state, normaliser.finish(new Date()));
      return;
    }
    if (isAgentError(broken) || broken.code === 'agent_misbehaved') return endWithError(state, error);
    const arrived = mayHaveArrived(broken);
    state.mayHaveArrived = arrived;
    if (!arrived && !normaliser.heard) throw error;
    if (arrived) normaliser.upstreamTaskId ??= upstreamIdOf(run.agent, run.record) ?? undefined;
    if (!normaliser.upstreamTaskId) throw error;
    log.warn('run.connection_broken', { taskId: run.record.id, code: broken.code });
    if (!normaliser.heard && (await stillWaits(state))) throw new ReplyNotTaken();
  }
  if (normaliser.over || state.writer.overtaken) return;
  if (!normaliser.upstreamTaskId)
    throw new ParleyError('agent_misbehaved', 'The agent ended its answer without saying anything.');
  await recoverRun(state);
}

/** How long an agent that answered with an error may take to report the state of its task, milliseconds. */
const stateAfterErrorMs = 5_000;

/** An error after the agent began to work: only the state that it reports tells whether the task has ended. */
async function endWithError(state: RunState, error: unknown): Promise<void> {
  const { normaliser } = state;
  if (normaliser.heard && normaliser.upstreamTaskId) {
    await readState(state, normaliser.upstreamTaskId);
  }
  if (!normaliser.over) throw error;
}

async function readState(state: RunState, taskId: string): Promise<void> {
  const { signal, run } = state;
  const limit = new StopSwitch();
  const stop = (): void => limit.abort(signal.reason);
  const timer = setTimeout(stop, stateAfterErrorMs);
  signal.addEventListener('abort', stop);
  try {
    await readAll({ ...state, signal: limit }, { op: 'get', taskId });
  } catch (error) {
    log.info('run.state_unknown', { taskId: run.record.id, ...errorFields(error) });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** False when no connection was made, also because the agent is known to be down. */
function mayHaveArrived(broken: ParleyError): boolean {
  return !wasNeverSent(broken) && !isBreakerOpen(broken);
}
