import { type AgentRecord, findAgentById } from '../../catalog';
import type { Trace } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { errorFields, log } from '../../platform/runtime/log';
import { applyEvent, type TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Part, type Task } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { upstreamTokenForTask } from '../../tokens';
import { CANCEL_TIMEOUT_MS, PENDING_CANCEL_BATCH, PENDING_CANCEL_MAX_AGE_MS, PENDING_CANCEL_RETRY_MS } from '../limits';
import { Normalizer } from '../log/normalizer';
import { hasTaskReferences, toCallerReferences } from '../log/upstream-task-ids';
import { cancelReason, withCancelReason } from '../runs/run-handle';
import { httpTraceOfRun } from '../runs/run-state';
import { isAgentError, isOverloaded } from '../sources/http/agent-error';
import { callAgent } from '../sources/http/call-agent';
import {
  claimDueCancels,
  deleteOldPendingCancels,
  deletePendingCancel,
  nameCanceledTask,
  type PendingCancel,
} from '../store/pending-cancel-rows';
import type { TaskRecord } from '../store/records';

interface Sending {
  requestId: string;
  trace?: Trace;
  signal?: AbortSignal;
}

/**
 * Handles an agent that assigns an id to a task after its cancel: stores the id, then requests the cancel. If this node
 * cannot send the request, another node does.
 */
export async function cancelNamedTask(
  { taskId, upstreamTaskId }: { taskId: string; upstreamTaskId: string },
  sending: Sending,
): Promise<void> {
  const pending = await nameCanceledTask(taskId, upstreamTaskId, nextAttempt(new Date()));
  if (pending) await send(pending, sending);
}

/** Sends the pending cancels whose last attempt failed, or whose node died, and deletes old ones. */
export async function sendDueCancels({ now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  await deleteOldPendingCancels(new Date(now.getTime() - PENDING_CANCEL_MAX_AGE_MS));
  const due = await claimDueCancels({ now, until: nextAttempt(now) }, PENDING_CANCEL_BATCH);
  await Promise.all(due.map((pending) => send(pending, { requestId: newId('req'), signal })));
}

function nextAttempt(now: Date): Date {
  return new Date(now.getTime() + PENDING_CANCEL_RETRY_MS);
}

/**
 * The request is not repeated after any response, including an error. The task has ended, so the response has no
 * effect.
 */
async function send({ record, request }: PendingCancel, { signal, ...call }: Sending): Promise<void> {
  const { id, upstreamTaskId: taskId, agentId } = record;
  const { metadata, extensions: requested } = request;
  try {
    const agent = await findAgentById(agentId);
    const bounded = AbortSignal.any([AbortSignal.timeout(CANCEL_TIMEOUT_MS), ...(signal ? [signal] : [])]);
    const extensions = requested && { requested, activated: [] };
    if (agent) await askToCancel({ ...call, agent, record, taskId, metadata, extensions, signal: bounded });
  } catch (error) {
    if (!(error instanceof ParleyError) || !isAgentError(error) || isOverloaded(error)) {
      log.info('cancel.postponed', { taskId: id, ...errorFields(error) });
      return;
    }
  }
  await deletePendingCancel(id);
}

interface AgentCancel {
  agent: AgentRecord;
  record: TaskRecord;
  /** The agent's id of the task. */
  taskId: string;
  metadata?: JsonObject;
  extensions?: ExtensionUse;
  requestId: string;
  trace?: Trace;
  signal: AbortSignalLike;
}

/**
 * Requests the agent to cancel its task. Returns the response, usually the task, with the caller's ids of referenced
 * tasks.
 * @throws the errors of {@link callAgent}
 */
export async function askToCancel({ record, taskId, metadata, ...call }: AgentCancel): Promise<AgentItem[]> {
  const token = await upstreamTokenForTask(record, call.agent, new Date());
  const request = { op: 'cancel' as const, taskId, metadata };
  for await (const batch of await callAgent({ ...call, request, token, httpTraceOf: httpTraceOfRun(record) }))
    return batch.some(hasTaskReferences) ? toCallerReferences(batch, record) : batch;
  return [];
}

/** The result of a cancel at the agent. */
export interface CancelOutcome {
  /** The agent's response; null if the request could not be sent. */
  answer: AgentItem[] | null;
  /** True if the agent has not assigned a task id. The request is sent when it does. */
  isPending?: boolean;
  /** The caller's reason, used as the message of the canceled status if the agent states none. */
  reason?: string;
}

/**
 * Returns the final events of a canceled task: the items of the agent's response that are missing in our task, which is
 * updated, followed by the agent's final state, or `canceled` if there is none.
 */
export function cancelEvents(
  task: Task,
  { answer, isPending = false, reason }: CancelOutcome,
  { upstreamTaskId, at }: { upstreamTaskId: string | null; at: Date },
): TaskEvent[] {
  const normalizer = new Normalizer(task, upstreamTaskId ?? undefined);
  const events = (answer ?? []).flatMap((item) => {
    const isOther = upstreamTaskId !== null && item.taskId !== undefined && item.taskId !== upstreamTaskId;
    const missed = isOther ? [] : missedMessages(item, { task, at });
    for (const event of missed) applyEvent(task, event);
    return [...missed, ...normalizer.accept(withoutOpenState(item, task), at)];
  });
  if (!normalizer.taskEnded) events.push(...normalizer.flushPendingMessage(at));
  if (normalizer.taskEnded) return reason === undefined ? events : withCancelReason(events, cancelReason(task, reason));
  return [...events, canceledEvent(task, { isInformed: answer !== null, isPending, reason }, at)];
}

/** Omits states that are not final, because the cancel ends the task regardless of the agent's response. */
function withoutOpenState(item: AgentItem, { status }: Task): AgentItem {
  const isOpen = (item.type === 'task' || item.type === 'status') && !isTerminal(item.state);
  return isOpen ? { ...item, state: status.state } : item;
}

/**
 * Returns the agent's messages in a task's history that are missing in our task, because callers without a stream have
 * not received them.
 */
function missedMessages(item: AgentItem, { task, at }: { task: Task; at: Date }): TaskEvent[] {
  if (item.type !== 'task') return [];
  const { id: taskId, contextId } = task;
  const ids = new Set(task.history.map(({ messageId }) => messageId));
  const written = [...task.history, ...item.artifacts, ...(item.message ? [item.message] : [])];
  const known = new Set(written.map(({ parts }) => textOf(parts)));
  const missed = item.history.filter(
    ({ role, messageId, parts }) => role === 'agent' && !ids.has(messageId) && !known.has(textOf(parts)),
  );
  return missed.map((message) => ({
    type: 'status',
    status: { state: 'working', message: { ...message, taskId, contextId }, timestamp: at.toISOString() },
  }));
}

function textOf(parts: Part[]): string {
  return JSON.stringify(parts);
}

const uninformed = 'Canceled. The agent could not be notified and may still be working.';
const unnamed = 'Canceled. The agent has not confirmed the task yet; when it does, it is asked to stop.';

function canceledEvent(
  task: Task,
  { isInformed, isPending, reason }: { isInformed: boolean; isPending: boolean; reason?: string },
  at: Date,
): TaskEvent {
  const note = isPending ? unnamed : isInformed ? undefined : uninformed;
  const text = [reason, note].filter((part) => part !== undefined).join('\n\n');
  const message = text === '' ? undefined : cancelReason(task, text);
  const status = { state: 'canceled' as const, message, timestamp: at.toISOString() };
  if (isInformed || isPending) return { type: 'status', status };
  return { type: 'status', status, metadata: { 'parley.error': 'agent_unreachable' } };
}
