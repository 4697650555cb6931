import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { asParleyError, ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import { isTerminal, type Message, type Task } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import { taskNotFound } from '../errors';
import { ownerOf, requireCaller } from '../policy';
import { abortRun, setCancelReason } from '../runs/active-runs';
import { agentTokenForTask } from '../runs/agent-token-for-task';
import { httpTraceOfRun } from '../runs/run-state';
import { appendEvents } from '../store/append-events';
import { findTask, type Owner } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { tailTask } from '../streams/tail-task';
import { isAgentError } from '../upstream/agent-error';
import { callAgent } from '../upstream/call-agent';
import { upstreamTaskIdOf } from '../upstream/upstream-task-id';

/** How long the agent may take to answer the cancel, and its stream to say so, milliseconds. */
const agentTimeoutMs = 10_000;
const confirmTimeoutMs = 2_000;

interface CancelInput {
  agent: AgentRecord;
  taskId: string;
  /** Why; told to the agent and kept as the status message. */
  reason?: string;
  metadata?: JsonObject;
  extensions?: ExtensionUse;
}

/**
 * Cancels a task: tells the agent, waits for its stream to confirm, else writes the cancel itself. An agent that does not
 * know the task, cannot cancel or cannot be reached does not keep it alive here; the status says that it was not told.
 * @throws {ParleyError} `task_not_found`; `task_not_cancelable` when the task is over or the agent refuses
 */
export async function cancelTask({ ctx, input }: { ctx: Ctx; input: CancelInput }): Promise<Task> {
  const caller = requireCaller(ctx, input.agent);
  const owner = ownerOf(caller);
  const record = await findTask(owner, input.taskId);
  if (!record) throw taskNotFound(input.taskId);
  if (isTerminal(record.state)) throw notCancelable(record);
  const { reason } = input;
  if (reason !== undefined) setCancelReason(record.id, reasonMessage(record, reason));
  const metadata = reason === undefined ? input.metadata : { ...input.metadata, reason };
  const told = await sendCancel(ctx, input.agent, { record, metadata, extensions: input.extensions });
  if (told && record.runNode !== null) await waitForConfirmation(record);
  abortRun(record.id);
  return writeCancel(owner, record.id, { confirmed: told, reason });
}

function notCancelable({ id, state }: TaskRecord): ParleyError {
  const reason = state === 'canceled' ? 'already_canceled' : 'not_cancelable';
  return new ParleyError('task_not_cancelable', `The task is ${state}.`, { data: { task_id: id, state, reason } });
}

/** True when the agent confirmed. */
async function sendCancel(
  ctx: Ctx,
  agent: AgentRecord,
  { record, metadata, extensions }: { record: TaskRecord; metadata?: JsonObject; extensions?: ExtensionUse },
): Promise<boolean> {
  const taskId = upstreamTaskIdOf(agent, record);
  if (taskId === null) return false;
  const token = await agentTokenForTask(record, agent);
  const signal = AbortSignal.timeout(agentTimeoutMs);
  try {
    const request = { op: 'cancel' as const, taskId, metadata };
    const { requestId, trace } = ctx;
    const wireOf = httpTraceOfRun(record);
    for await (const _ of await callAgent({
      agent,
      request,
      extensions,
      requestId,
      token,
      trace,
      signal,
      httpTraceOf: wireOf,
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

async function waitForConfirmation({ id, lastSeq }: TaskRecord): Promise<void> {
  for await (const batch of tailTask(id, lastSeq, { signal: AbortSignal.timeout(confirmTimeoutMs) })) {
    if (batch.some(({ event }) => isTerminal(statusOf(event)?.state ?? 'working'))) return;
  }
}

/** Writes `canceled` where the stream did not; a run that is still writing is overtaken and stops. */
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

function canceledEvent(task: Task, { confirmed: told, reason }: CancelOutcome, at: Date): TaskEvent {
  const timestamp = at.toISOString();
  const ids = { id: task.id, contextId: task.contextId };
  if (told) {
    const message = reason === undefined ? undefined : reasonMessage(ids, reason);
    return { type: 'status', status: { state: 'canceled', message, timestamp } };
  }
  const text = 'Canceled here. The agent could not be told and may still be working.';
  const message = reasonMessage(ids, reason === undefined ? text : `${reason}\n\n${text}`);
  const metadata = { 'parley.error': 'agent_unreachable' };
  return { type: 'status', status: { state: 'canceled', message, timestamp }, metadata };
}

function reasonMessage({ id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>, text: string): Message {
  return { messageId: newUuid(), role: 'agent', parts: [{ kind: 'text', text }], taskId, contextId };
}
