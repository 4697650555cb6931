import type { AgentRecord } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import { asParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { refusalOf } from '../../protocol/a2a/core/events';
import { isTerminal, type Message, type Part, type TaskState } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/supported-extensions';
import { startTurn } from '../runs/start-turn';
import type { Turn } from '../runs/turn';
import { findIdempotencyKey, findTask, type Owner } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { waitForTurnEnd } from '../streams/wait-for-turn-end';

/** A message that Parley sends in a person's name, on a task of theirs. */
export interface OnBehalfMessage {
  userId: string;
  /** The credential under which the person asked for it. */
  credentialId: string;
  agent: AgentRecord;
  taskId: string;
  messageId: string;
  parts: Part[];
  extensions: string[];
  now: Date;
  signal: AbortSignal;
}

/** What became of it: where the task stands after the agent's turn, or that the agent was not reached or did not want it. */
export type OnBehalfResult =
  | { kind: 'answered'; taskId: string; state: TaskState }
  | { kind: 'unreachable' }
  | { kind: 'refused' };

/** Longest wait for the end of the agent's turn, milliseconds. */
const turnTimeoutMs = 20_000;
const maxAttempts = 100;

/** Failures that may pass: the same message is worth another attempt. */
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
 * Sends a message on a task of a person, in their name; when the task is over, on a new one in the same context that names
 * it. Sent again, it goes out again only when the attempt before did not reach the agent, and always under the same id.
 */
export async function sendOnBehalfOf(message: OnBehalfMessage): Promise<OnBehalfResult> {
  const { userId, agent, taskId, signal } = message;
  const owner = { principal: userId, agentId: agent.id, delegation: null };
  const record = await findTask(owner, taskId);
  if (!record) return { kind: 'refused' };
  const { messageId, parts, extensions } = message;
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
        extensions: { requested: [...new Set([...extensions, ...extensionsToActivate(agent.card)])], activated: [] },
      },
    });
    await waitForTurnEnd(turn, { signal }, turnTimeoutMs);
    return await outcomeOf(turn);
  } catch (error) {
    const code = asParleyError(error)?.code;
    if (code === undefined) throw error;
    return { kind: transientErrorCodes.has(code) ? 'unreachable' : 'refused' };
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

/** The key of the first attempt that is not known to have failed. */
async function attemptKey(owner: Owner, messageId: string): Promise<string> {
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    const key = `${messageId}:${attempt}`;
    const earlier = await findIdempotencyKey(owner, key);
    const record = earlier && (await findTask(owner, earlier.taskId));
    if (!record) return key;
    const failures = await countFailures(record, messageId);
    if (failures < attempt) return key;
  }
  return `${messageId}:${maxAttempts}`;
}

/** How often the message failed on this task; more than any attempt when the task itself failed. */
async function countFailures(record: TaskRecord, messageId: string): Promise<number> {
  if (record.state === 'failed') return maxAttempts;
  const { events } = await loadTask(record);
  return events.filter(({ event }) => refusalOf(event)?.messageId === messageId).length;
}

/** Where the turn ended. A turn that failed without the agent saying so says by which error. */
async function outcomeOf({ record }: Turn): Promise<OnBehalfResult> {
  const { task, events } = await loadTask(record);
  const last = events.at(-1)?.event;
  const failed = last?.type === 'status' && (last.refusal || last.status.state === 'failed');
  const code = failed ? last.metadata?.['parley.error'] : undefined;
  if (typeof code === 'string') return { kind: transientErrorCodes.has(code) ? 'unreachable' : 'refused' };
  return { kind: 'answered', taskId: record.id, state: task.status.state };
}
