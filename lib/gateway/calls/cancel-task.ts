import { type AgentRecord, findAgentById } from '../../catalog';
import { isHubAgent } from '../../hub';
import type { CallerActor, Ctx } from '../../platform/context';
import { asParleyError, ParleyError } from '../../platform/errors';
import { newId, newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Message, type Task } from '../../protocol/a2a/core/model';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { upstreamTokenForTask } from '../../tokens';
import { ownerOf, requireCaller } from '../authorization';
import { isBuiltIn } from '../built-in/built-in-agents';
import { cancelDelegatedTasks } from '../chains/cancel-delegated';
import { taskNotFound } from '../errors';
import { cancelHubRun } from '../hub/run-source';
import {
  BULK_CANCEL_CONCURRENCY,
  BULK_CANCEL_MAX_TASKS,
  CANCEL_CONFIRM_TIMEOUT_MS,
  CANCEL_TIMEOUT_MS,
  STOP_CHAIN_TIMEOUT_MS,
} from '../limits';
import { abortRun, setCancelReason } from '../runs/active-runs';
import { httpTraceOfRun } from '../runs/run-state';
import { upstreamTaskIdOf } from '../runs/upstream-task-ids';
import { appendEvents } from '../store/append-events';
import { findHiredTasks } from '../store/chains';
import { findTask, type Owner } from '../store/find-tasks';
import { findOpenTasks, findRunsOfSuspendedAgents, type OwnedTask } from '../store/principal-tasks';
import type { TaskRecord } from '../store/records';
import { loadTask } from '../store/task-events';
import { tailTask } from '../streams/tail-task';
import { isAgentError } from '../upstream/agent-error';
import { callAgent } from '../upstream/call-agent';

interface CancelInput {
  agent: AgentRecord;
  taskId: string;
  /** Sent to the agent and stored as the status message. */
  reason?: string;
  metadata?: JsonObject;
  extensions?: ExtensionUse;
  /** How long the agent may take to confirm, milliseconds. */
  timeoutMs?: number;
}

/**
 * Cancels a task, after the delegated tasks of its chain: calls the agent and waits for its stream to confirm, else
 * writes the cancel here. An agent that does not know the task, cannot cancel or is unreachable does not prevent the
 * cancel; the status then says that it was not informed. Idempotent (A2A §3.3.1): a canceled task is returned as it is.
 * @throws {ParleyError} `task_not_found`; `task_not_cancelable` when the task has ended in another state or the agent
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
  if (record.state === 'canceled') return (await loadTask(record)).task;
  if (isTerminal(record.state)) throw notCancelable(record);
  if (reason !== undefined) setCancelReason(record.id, reasonMessage(record, reason));
  const metadata = reason === undefined ? input.metadata : { ...input.metadata, reason };
  const confirmed = await sendCancel(ctx, input.agent, { record, metadata, extensions: input.extensions, timeoutMs });
  if (confirmed && record.runNode !== null && !isBuiltIn(input.agent)) await waitForConfirmation(record, timeoutMs);
  abortRun(record.id);
  return writeCancel(owner, record.id, { confirmed, reason });
}

function notCancelable({ id, state }: TaskRecord): ParleyError {
  const data = { task_id: id, state, reason: 'not_cancelable' };
  return new ParleyError('task_not_cancelable', `The task is ${state}.`, { data });
}

type CancelOptions = Pick<CancelInput, 'metadata' | 'extensions' | 'timeoutMs'>;

/** Returns true when the agent confirmed. */
async function sendCancel(
  ctx: Ctx,
  agent: AgentRecord,
  { record, metadata, extensions, timeoutMs = CANCEL_TIMEOUT_MS }: { record: TaskRecord } & CancelOptions,
): Promise<boolean> {
  if (isHubAgent(agent)) return cancelHubRun(record.id);
  if (isBuiltIn(agent)) return cancelHired(ctx, record.id);
  const taskId = upstreamTaskIdOf(agent, record);
  if (taskId === null) return false;
  const token = await upstreamTokenForTask(record, agent, new Date());
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const request = { op: 'cancel' as const, taskId, metadata };
    const { requestId, trace } = ctx;
    const httpTraceOf = httpTraceOfRun(record);
    for await (const _ of await callAgent({
      agent,
      request,
      extensions,
      requestId,
      token,
      trace,
      signal,
      httpTraceOf,
    }))
      break;
    return true;
  } catch (error) {
    const known = asParleyError(error);
    if (known && isAgentError(known, -32002))
      throw new ParleyError('task_not_cancelable', known.message, { data: { task_id: record.id } });
    return false;
  }
}

/** Cancels what a built-in agent's task waits for. The task itself needs no confirmation. */
async function cancelHired(ctx: Ctx, taskId: string): Promise<true> {
  const open = (await findHiredTasks(taskId)).filter(({ state }) => !isTerminal(state));
  const options = { reason: reasons.stopped, timeoutMs: STOP_CHAIN_TIMEOUT_MS };
  await Promise.all(open.map((task) => cancel(ctx, { ...task, id: task.taskId }, options)));
  return true;
}

async function waitForConfirmation({ id, lastSeq }: TaskRecord, timeoutMs = CANCEL_CONFIRM_TIMEOUT_MS): Promise<void> {
  for await (const batch of tailTask(id, lastSeq, { signal: AbortSignal.timeout(timeoutMs) })) {
    if (batch.some(({ event }) => isTerminal(statusOf(event)?.state ?? 'working'))) return;
  }
}

/** Writes `canceled` where the stream did not. The append supersedes a run that is still writing, which then stops. */
async function writeCancel(owner: Owner, taskId: string, outcome: CancelOutcome): Promise<Task> {
  for (;;) {
    const record = await findTask(owner, taskId);
    if (!record) throw taskNotFound(taskId);
    const { task, seq } = await loadTask(record);
    if (isTerminal(task.status.state)) return task;
    const at = new Date();
    const done = await appendEvents({
      taskId,
      after: seq,
      events: [canceledEvent(task, outcome, at)],
      runNode: null,
      at,
    });
    if (done) return (await loadTask({ ...record, lastSeq: seq + 1 })).task;
  }
}

interface CancelOutcome {
  confirmed: boolean;
  reason?: string;
}

function canceledEvent(task: Task, { confirmed, reason }: CancelOutcome, at: Date): TaskEvent {
  const timestamp = at.toISOString();
  const ids = { id: task.id, contextId: task.contextId };
  if (confirmed) {
    const message = reason === undefined ? undefined : reasonMessage(ids, reason);
    return { type: 'status', status: { state: 'canceled', message, timestamp } };
  }
  const text = 'Canceled. The agent could not be notified and may still be working.';
  const message = reasonMessage(ids, reason === undefined ? text : `${reason}\n\n${text}`);
  const metadata = { 'parley.error': 'agent_unreachable' };
  return { type: 'status', status: { state: 'canceled', message, timestamp }, metadata };
}

function reasonMessage({ id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>, text: string): Message {
  return { messageId: newUuid(), role: 'agent', parts: [{ kind: 'text', text }], taskId, contextId };
}

const reasons = {
  deleted: 'The account that started this task was deleted.',
  suspended: 'Moderators took down this agent, so this task was stopped.',
  stopped: 'The task that this work was part of was stopped.',
};

/**
 * Cancels the open tasks of these principals, latest first up to a limit, here and at their agents. An agent that
 * rejects the cancel or times out does not fail the call.
 */
export async function cancelOpenTasks({ ctx, principals }: { ctx: Ctx; principals: string[] }): Promise<void> {
  await cancelAll(ctx, await findOpenTasks(principals, BULK_CANCEL_MAX_TASKS), reasons.deleted);
}

/**
 * Cancels the running tasks of suspended agents, whoever the caller is. An interrupted task is left unchanged: nobody
 * can reply while the agent is suspended, and it can continue when the agent is restored.
 */
export async function cancelRunsOfSuspendedAgents({ now, signal }: Pick<Ctx, 'now' | 'signal'>): Promise<number> {
  const ctx: Ctx = { actor: { kind: 'anonymous' }, requestId: newId('req'), now, signal };
  const tasks = await findRunsOfSuspendedAgents(BULK_CANCEL_MAX_TASKS);
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
