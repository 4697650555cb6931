import { recordCallError } from '../observability';
import { asParleyError, ParleyError } from '../platform/errors';
import { newUuid } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import type { Message } from '../protocol/a2a/core/model';
import { isCredentialActive, upstreamTokenFor } from '../tokens';
import { closeLive, type LiveTask, openLive } from './live-tasks';
import { Normaliser } from './normalise';
import { recoverRun } from './recover-run';
import { type Run, type RunState, readAll, write } from './run-state';
import { TaskWriter } from './task-writer';
import { isAgentError } from './upstream/agent-error';

/** Longest a run may last, milliseconds. */
const maxRunMs = 3_600_000;

/**
 * Carries one turn of a task: calls the agent and writes what it says until its turn is over. Independent of whoever
 * reads; never throws: every failure becomes the task's last status.
 */
export async function runTask(run: Run): Promise<void> {
  const live = openLive(run.record.id);
  const signal = AbortSignal.any([live.stop.signal, AbortSignal.timeout(maxRunMs)]);
  const continues = run.send !== undefined && run.record.upstreamTaskId !== null;
  const normaliser = new Normaliser(run.task, run.record.upstreamTaskId ?? undefined, continues);
  const state: RunState = {
    run,
    normaliser,
    writer: new TaskWriter(run.record, live),
    signal,
    token: () => tokenOf(run),
  };
  try {
    await carry(state, live);
  } catch (error) {
    log.error('run.failed', { taskId: run.record.id, ...errorFields(error) });
  } finally {
    closeLive(run.record.id, live);
  }
}

async function carry(state: RunState, live: LiveTask): Promise<void> {
  try {
    if (state.run.send) await sendAndRead(state, state.run.send);
    else await recoverRun(state);
  } catch (error) {
    if (live.stop.signal.aborted || state.writer.overtaken) return;
    await fail(state, error);
  }
  await state.writer.settled();
}

async function sendAndRead(state: RunState, send: NonNullable<Run['send']>): Promise<void> {
  const { run, normaliser } = state;
  const message: Message = {
    ...send.message,
    contextId: run.record.upstreamContextId,
    taskId: run.record.upstreamTaskId ?? undefined,
  };
  const op = run.agent.endpoint.streaming ? 'stream' : 'send';
  try {
    await readAll(state, { op, message, acceptedOutputModes: send.acceptedOutputModes, metadata: send.metadata });
  } catch (error) {
    // A connection that breaks after the agent took the task is taken up again; before that nothing may be repeated.
    const broken = asParleyError(error);
    if (!broken || isAgentError(broken) || broken.code === 'agent_misbehaved' || !normaliser.upstreamTaskId)
      throw error;
    log.warn('run.connection_broken', { taskId: run.record.id, code: broken.code });
  }
  if (normaliser.over || state.writer.overtaken) return;
  if (!normaliser.upstreamTaskId)
    throw new ParleyError('agent_misbehaved', 'The agent ended its answer without saying anything.');
  await recoverRun(state);
}

/** The task fails with the reason, for the caller to read and for the agent's owner to mend. */
async function fail(state: RunState, error: unknown): Promise<void> {
  const { run } = state;
  const { code, message: text } = asParleyError(error) ?? timedOutOr(error);
  await recordCallError({ agentId: run.agent.id, code, message: text, requestId: run.requestId });
  const message: Message = {
    messageId: newUuid(),
    role: 'agent',
    parts: [{ kind: 'text', text }],
    taskId: run.record.id,
    contextId: run.record.contextId,
  };
  const status = { state: 'failed' as const, message, timestamp: new Date().toISOString() };
  await write(state, [{ type: 'status', status, metadata: { 'parley.error': code } }]);
}

function timedOutOr(error: unknown): ParleyError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ParleyError('agent_timeout', 'The agent took longer than an hour.');
  }
  log.error('run.failed', errorFields(error));
  return new ParleyError('internal', 'Something went wrong on our side while the agent was answering.');
}

/** The agent token for this run: by the caller's credential while it lives, else by the principal (a run goes on). */
async function tokenOf({ record, agent }: Run): Promise<string> {
  const now = new Date();
  const active = await isCredentialActive(record.credentialId, now);
  return upstreamTokenFor({
    principal: record.principal,
    credentialId: active ? record.credentialId : record.principal,
    agent,
    scopes: ['agent:call'],
    clientId: record.clientId,
    now,
  });
}
