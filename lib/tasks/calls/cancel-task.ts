import { type AgentRecord, findAgentById, selectSuspendedAgents } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { hasCode } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import { statusOf } from '../../protocol/a2a/core/events';
import { type ChangesRequest, isTerminal, type Task } from '../../protocol/a2a/core/model';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { reportRemoteWrite, setCancelReason, stopRun } from '../active/active-runs';
import { cancelReason } from '../active/run-handle';
import { ownerOf, requireCaller } from '../authorization';
import { notCancelable, taskNotFound } from '../errors';
import {
  BULK_CANCEL_CONCURRENCY,
  BULK_CANCEL_MAX_TASKS,
  CANCEL_CONFIRM_TIMEOUT_MS,
  STOP_CHAIN_TIMEOUT_MS,
} from '../limits';
import { emitPaymentEvents, extractPaymentParts } from '../log/payment-events';
import { tailTask } from '../log/tail-task';
import { cancelNamedTask } from '../runs/pending-cancels';
import type { CancelAnswer } from '../runs/run-source';
import { runSourceOf } from '../sources/choose-source';
import { type Append, appendEvents, appendWithPendingCancel } from '../store/append-events';
import { denyPendingCalls } from '../store/chain-approvals';
import { type ChainTaskRecord, findChainTasks, findHiredTasks, markStopped } from '../store/chains';
import { findOpenTasks, findRunsOfAgents, findTask, type OwnedTask, type Owner } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { settleSegments } from '../store/stream/settle-segments';
import { loadTask } from '../store/task-events';
import { cancelEvents } from './cancel-events';
import { viewOf } from './task-view';

interface CancelInput {
  agent: AgentRecord;
  taskId: string;
  /** Sent to the agent and stored as the status message. */
  reason?: string;
  metadata?: JsonObject;
  extensions?: ExtensionUse;
  /** Timeout of the agent's confirmation, milliseconds. */
  timeoutMs?: number;
  changes?: ChangesRequest;
}

/**
 * Cancels a task, after the delegated tasks of its chain. Requests the cancel from the agent and ends the task with the
 * agent's response. If the response is not final, waits a short time for a confirmation on the agent's stream. If the
 * agent has not assigned a task id yet, the request is sent when it does. The task is canceled even if the agent is
 * unreachable or returns an error, in which case the status states that the agent was not informed. Idempotent (A2A
 * §3.3.1): a canceled task is returned unchanged.
 * @throws {ParleyError} `task_not_found`; `task_not_cancelable` if the task has ended in another state or the agent
 *   rejects the cancel
 */
export async function cancelTask({ ctx, input }: { ctx: Ctx; input: CancelInput }): Promise<Task> {
  const caller = requireCaller(ctx, input.agent);
  const owner = ownerOf(caller);
  const record = await findTask(owner, input.taskId);
  if (!record) throw taskNotFound(input.taskId);
  const { reason, timeoutMs } = input;
  await cancelDelegatedTasks({ principal: record.principal, rootTaskId: record.id, now: ctx.now }, (task) =>
    cancel(ctx, { ...task, id: task.taskId }, { reason: reasons.stopped, timeoutMs: STOP_CHAIN_TIMEOUT_MS }),
  );
  if (record.state === 'canceled') return viewOf(await loadTask(record), input);
  if (isTerminal(record.state)) throw notCancelable(record);
  if (reason !== undefined) setCancelReason(record.id, cancelReason(record, reason));
  const metadata = reason === undefined ? input.metadata : { ...input.metadata, reason };
  const { requestId, trace } = ctx;
  const cancelHired = (): Promise<void> => cancelHiredBy(ctx, record);
  const { agent, extensions } = input;
  const call = { agent, record, metadata, extensions, timeoutMs, requestId, trace, cancelHired };
  const answered = await runSourceOf(agent)
    .cancel(call)
    .catch((error: unknown) => answerIfCanceled(owner, record, error));
  if (answered.isOpen && record.runNode !== null) await waitForConfirmation(record, timeoutMs);
  if (!answered.hasNotBegun) await stopRun(record.id);
  const task = await writeCancel(owner, record.id, { ...answered, reason, requestId });
  if (answered.hasNotBegun) reportRemoteWrite(record.id);
  if (answered.rejection && task.status.state !== 'canceled') throw answered.rejection;
  return input.changes ? viewOf(await loadTask(record), input) : task;
}

/** Returns an answer without content if a concurrent cancel, after which the agent rejects this one, ended the task. */
async function answerIfCanceled(owner: Owner, { id }: TaskRecord, error: unknown): Promise<CancelAnswer> {
  if (!hasCode(error, 'task_not_cancelable')) throw error;
  if ((await findTask(owner, id))?.state !== 'canceled') throw error;
  return { answer: null };
}

/**
 * Stops the calls that agents make for the caller of a root task: refuses further calls, denies those that wait for
 * approval, and cancels the delegated tasks, deepest first. Returns the number of canceled tasks.
 */
async function cancelDelegatedTasks(
  { principal, rootTaskId, now }: { principal: string; rootTaskId: string; now: Date },
  cancel: (task: ChainTaskRecord) => Promise<void>,
): Promise<number> {
  await markStopped(principal, rootTaskId, now);
  const open = (await findChainTasks(principal, rootTaskId)).filter(({ state }) => !isTerminal(state));
  await denyPendingCalls({ principal, rootTaskId }, now);
  await Promise.all(open.sort((a, b) => b.depth - a.depth).map(cancel));
  return open.length;
}

/** Cancels the task for which a built-in agent's task waits. */
async function cancelHiredBy(ctx: Ctx, task: TaskRecord): Promise<void> {
  const open = (await findHiredTasks(task)).filter(({ state }) => !isTerminal(state));
  const options = { reason: reasons.stopped, timeoutMs: STOP_CHAIN_TIMEOUT_MS };
  await Promise.all(open.map((hired) => cancel(ctx, { ...hired, id: hired.taskId }, options)));
}

async function waitForConfirmation(task: TaskRecord, timeoutMs = CANCEL_CONFIRM_TIMEOUT_MS): Promise<void> {
  for await (const batch of tailTask(task, task.lastSeq, { signal: AbortSignal.timeout(timeoutMs) })) {
    if (batch.some(({ event }) => isTerminal(statusOf(event)?.state ?? 'working'))) return;
  }
}

/** Ends the task unless the stream did. The append supersedes a run that is still writing, which then stops. */
async function writeCancel(
  owner: Owner,
  taskId: string,
  { isHub, pending, requestId, ...outcome }: CancelAnswer & { requestId: string },
): Promise<Task> {
  for (;;) {
    await settleSegments([{ principal: owner.principal, id: taskId }]);
    const record = await findTask(owner, taskId);
    if (!record) throw taskNotFound(taskId);
    const { task, seq } = await loadTask(record);
    if (isTerminal(task.status.state)) return task;
    const at = new Date();
    const { upstreamTaskId } = record;
    const events = cancelEvents(task, { ...outcome, isPending: pending !== undefined }, { upstreamTaskId, at });
    const { principal } = owner;
    const append: Append = {
      principal,
      taskId,
      after: seq,
      events,
      runNode: null,
      at,
      ...(isHub && { hub: { end: true } }),
    };
    const done = await (pending ? appendWithPendingCancel(append, pending) : appendEvents(append));
    if (!done) continue;
    // No run is left to send the cancel: the agent assigned the id and ended its turn after the source had read the task.
    if (pending && upstreamTaskId !== null && record.runNode === null)
      await cancelNamedTask({ principal, id: taskId }, upstreamTaskId, { requestId });
    await emitPaymentEvents(record, seq + events.length, extractPaymentParts(task, events));
    return (await loadTask({ ...record, lastSeq: seq + events.length })).task;
  }
}

const reasons = {
  deleted: 'The account that started this task was deleted.',
  suspended: 'Moderators took down this agent, so this task was stopped.',
  stopped: 'The task that this work was part of was stopped.',
};

/**
 * Cancels the open tasks of these principals, in Parley and at their agents, newest first, up to a limit. Succeeds even
 * if an agent rejects the cancel or times out.
 */
export async function cancelOpenTasks({ ctx, principals }: { ctx: Ctx; principals: string[] }): Promise<void> {
  await cancelAll(ctx, await findOpenTasks(principals, BULK_CANCEL_MAX_TASKS), reasons.deleted);
}

/**
 * Cancels the running tasks of suspended agents, whoever the caller is. Interrupted tasks stay unchanged: no one can
 * reply while the agent is suspended, and they can continue after it is restored.
 */
export async function cancelRunsOfSuspendedAgents({ now, signal }: Pick<Ctx, 'now' | 'signal'>): Promise<number> {
  const ctx: Ctx = { actor: { kind: 'anonymous' }, requestId: newId('req'), now, signal };
  const suspended = await selectSuspendedAgents();
  if (suspended.length === 0) return 0;
  const tasks = await findRunsOfAgents(suspended, BULK_CANCEL_MAX_TASKS);
  await cancelAll(ctx, tasks, reasons.suspended);
  return tasks.length;
}

async function cancelAll(ctx: Ctx, tasks: OwnedTask[], reason: string): Promise<void> {
  for (let at = 0; at < tasks.length; at += BULK_CANCEL_CONCURRENCY) {
    await Promise.all(tasks.slice(at, at + BULK_CANCEL_CONCURRENCY).map((task) => cancel(ctx, task, { reason })));
  }
}

type CancelableTask = Pick<OwnedTask, 'id' | 'principal' | 'agentId' | 'credentialId' | 'clientId'>;

async function cancel(
  ctx: Ctx,
  task: CancelableTask,
  { reason, timeoutMs }: { reason: string; timeoutMs?: number },
): Promise<void> {
  const { id, principal, agentId, credentialId, clientId } = task;
  const agent = await findAgentById(agentId);
  if (!agent) return;
  const scopes: CallerActor['scopes'] = ['agent:call'];
  const actor: CallerActor = { kind: 'caller', principal, agentId, credentialId, clientId, scopes };
  try {
    await cancelTask({ ctx: { ...ctx, actor }, input: { agent, taskId: id, reason, timeoutMs } });
  } catch (error) {
    log.info('task.cancel_failed', { taskId: id, ...errorFields(error) });
  }
}
