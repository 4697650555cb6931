import { type AgentRecord, findAgentById } from '../../catalog';
import type { Trace } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { errorFields, log } from '../../platform/runtime/log';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { upstreamTokenForTask } from '../../tokens';
import { isAgentError, isOverloaded } from '../agent-client/agent-error';
import { callAgent } from '../agent-client/call-agent';
import { CANCEL_TIMEOUT_MS, PENDING_CANCEL_BATCH, PENDING_CANCEL_MAX_AGE_MS, PENDING_CANCEL_RETRY_MS } from '../limits';
import { hasTaskReferences, toCallerReferences } from '../log/upstream-task-ids';
import {
  claimDueCancels,
  deleteOldPendingCancels,
  deletePendingCancel,
  nameCanceledTask,
  type PendingCancel,
} from '../store/pending-cancel-rows';
import type { TaskRecord, TaskRef } from '../store/records';
import { httpTraceOfRun } from './agent-output';

interface Sending {
  requestId: string;
  trace?: Trace;
  signal?: AbortSignal;
}

/**
 * Handles an agent that assigns an id to a task after its cancel: stores the id, then requests the cancel. If this node
 * cannot send the request, another node retries it.
 */
export async function cancelNamedTask(task: TaskRef, upstreamTaskId: string, sending: Sending): Promise<void> {
  const pending = await nameCanceledTask(task, upstreamTaskId, nextAttempt(new Date()));
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
 * Requests the cancel. After any response, including an error, the request is not repeated. The task has ended, so the
 * response has no effect.
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
  await deletePendingCancel(record);
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
 * Requests that the agent cancel its task. Returns the response, usually the task, with the caller's ids of referenced
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
