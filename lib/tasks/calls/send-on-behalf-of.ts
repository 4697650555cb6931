import type { AgentRecord } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { refusalOf } from '../../protocol/a2a/core/events';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import { isTerminal, type Message, type Part, type TaskState } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/extensions';
import { ON_BEHALF_MAX_ATTEMPTS, ON_BEHALF_WAIT_MS } from '../limits';
import { type Turn, waitForTurnEnd } from '../log/turn';
import { findTask, type Owner } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { findIdempotencyKey } from '../store/send-keys';
import { loadTask } from '../store/task-events';
import { startTurn } from '../turns/start-turn';

/** A message that Parley sends on behalf of a user, on one of the user's tasks. */
export interface OnBehalfMessage {
  userId: string;
  /** The credential with which the user requested it. */
  credentialId: string;
  agent: AgentRecord;
  taskId: string;
  messageId: string;
  notice: Notice;
  parts: Part[];
  extensions: string[];
  now: Date;
  signal: AbortSignal;
}

/** The task's state after the agent's turn, or the fact that the agent was unreachable or refused the message. */
export type OnBehalfResult =
  | { kind: 'answered'; taskId: string; state: TaskState }
  | { kind: 'unreachable' }
  | { kind: 'refused' };

/** Transient errors: the same message may be retried. */
const transientErrorCodes: ReadonlySet<string> = new Set([
  'agent_unreachable',
  'agent_timeout',
  'agent_misbehaved',
  'task_busy',
  'unavailable',
  'rate_limited',
  'too_many_tasks',
  'internal',
]);

/**
 * Sends a message on a user's task on the user's behalf. If the task is terminal, a new task in the same context
 * references it. Retries only if the previous attempt did not reach the agent, always with the same message id.
 */
export async function sendOnBehalfOf(message: OnBehalfMessage): Promise<OnBehalfResult> {
  const { userId, agent, taskId, signal } = message;
  const owner = { principal: userId, agentId: agent.id, delegation: null };
  const record = await findTask(owner, taskId);
  if (!record) return { kind: 'refused' };
  const { messageId, notice, parts, extensions } = message;
  const outgoing: Message = { messageId, role: 'user', parts, extensions, contextId: record.contextId };
  const addressed = isTerminal(record.state) ? { ...outgoing, referenceTaskIds: [taskId] } : { ...outgoing, taskId };
  try {
    const idempotencyKey = await attemptKey(owner, messageId);
    const turn = await startTurn({
      ctx: { actor: callerOf(message), requestId: newId('req'), signal, now: message.now },
      input: {
        agent,
        request: { op: 'send', streaming: false, message: addressed, configuration: { returnImmediately: false } },
        idempotencyKey,
        notice,
        extensions: { requested: [...new Set([...extensions, ...extensionsToActivate(agent.card)])], activated: [] },
      },
    });
    await waitForTurnEnd(turn, { signal }, ON_BEHALF_WAIT_MS);
    return await outcomeOf(turn);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { kind: transientErrorCodes.has(error.code) ? 'unreachable' : 'refused' };
  }
}

function callerOf({ userId: principal, credentialId, agent }: OnBehalfMessage): CallerActor {
  return {
    kind: 'caller',
    principal,
    credentialId,
    agentId: agent.id,
    clientId: 'parley-web',
    scopes: ['agent:call'],
  };
}

/** Returns the key of the first attempt that is not known to have failed. */
async function attemptKey(owner: Owner, messageId: string): Promise<string> {
  for (let attempt = 1; attempt < ON_BEHALF_MAX_ATTEMPTS; attempt++) {
    const key = `${messageId}:${attempt}`;
    const earlier = await findIdempotencyKey(owner, key);
    const record = earlier && (await findTask(owner, earlier.taskId));
    if (!record) return key;
    const failures = await countFailures(record, messageId);
    if (failures < attempt) return key;
  }
  return `${messageId}:${ON_BEHALF_MAX_ATTEMPTS}`;
}

/** Counts the failures of the message on this task. Returns the maximum if the task itself failed. */
async function countFailures(record: TaskRecord, messageId: string): Promise<number> {
  if (record.state === 'failed') return ON_BEHALF_MAX_ATTEMPTS;
  const { events } = await loadTask(record);
  return events.filter(({ event }) => refusalOf(event)?.messageId === messageId).length;
}

/**
 * Returns the result of the turn. The last event contains Parley's own error code if the turn failed without a response
 * from the agent.
 */
async function outcomeOf({ record }: Turn): Promise<OnBehalfResult> {
  const { task, events } = await loadTask(record);
  const last = events.at(-1)?.event;
  const failed = last?.type === 'status' && (last.refusal || last.status.state === 'failed');
  const code = failed ? last.metadata?.['parley.error'] : undefined;
  if (typeof code === 'string') return { kind: transientErrorCodes.has(code) ? 'unreachable' : 'refused' };
  return { kind: 'answered', taskId: record.id, state: task.status.state };
}
