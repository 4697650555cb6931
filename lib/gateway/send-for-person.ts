import type { AgentRecord } from '../catalog';
import type { CallerActor } from '../platform/context';
import { asParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { refusalOf } from '../protocol/a2a/core/events';
import { isTerminal, type Message, type Part, type TaskState } from '../protocol/a2a/core/model';
import { extensionsToActivate } from '../protocol/activatable';
import { endOfTurn } from './end-of-turn';
import { startTurn } from './start-turn';
import { findSendKey, findTask, type Owner } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';
import type { Turn } from './turn';

/** A message that Parley sends in a person's name, on a task of theirs. */
export interface MessageForPerson {
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
export type SentForPerson =
  | { kind: 'answered'; taskId: string; state: TaskState }
  | { kind: 'unreachable' }
  | { kind: 'refused' };

/** Longest wait for the end of the agent's turn, milliseconds. */
const waitMs = 20_000;
const mostAttempts = 100;

/** Failures that may pass: the same message is worth another attempt. */
const passing: ReadonlySet<string> = new Set([
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
export async function sendForPerson(message: MessageForPerson): Promise<SentForPerson> {
  const { userId, agent, taskId, signal } = message;
  const owner = { principal: userId, agentId: agent.id, delegation: null };
  const record = await findTask(owner, taskId);
  if (!record) return { kind: 'refused' };
  const { messageId, parts, extensions } = message;
  const said: Message = { messageId, role: 'user', parts, extensions, contextId: record.contextId };
  const placed = isTerminal(record.state) ? { ...said, referenceTaskIds: [taskId] } : { ...said, taskId };
  try {
    const idempotencyKey = await attemptKey(owner, messageId);
    const turn = await startTurn({
      ctx: { actor: callerOf(message), requestId: newId('req'), signal, now: message.now },
      input: {
        agent,
        request: { op: 'send', streaming: false, message: placed, configuration: { returnImmediately: false } },
        idempotencyKey,
        extensions: { requested: [...new Set([...extensions, ...extensionsToActivate(agent.card)])], activated: [] },
      },
    });
    await endOfTurn(turn, { signal }, waitMs);
    return await outcomeOf(turn);
  } catch (error) {
    const code = asParleyError(error)?.code;
    if (code === undefined) throw error;
    return { kind: passing.has(code) ? 'unreachable' : 'refused' };
  }
}

function callerOf({ userId: principal, credentialId, agent }: MessageForPerson): CallerActor {
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
  for (let attempt = 1; attempt < mostAttempts; attempt++) {
    const key = `${messageId}:${attempt}`;
    const earlier = await findSendKey(owner, key);
    const record = earlier && (await findTask(owner, earlier.taskId));
    if (!record) return key;
    const failures = await failuresOf(record, messageId);
    if (failures < attempt) return key;
  }
  return `${messageId}:${mostAttempts}`;
}

/** How often the message failed on this task; more than any attempt when the task itself failed. */
async function failuresOf(record: TaskRecord, messageId: string): Promise<number> {
  if (record.state === 'failed') return mostAttempts;
  const { events } = await loadTask(record);
  return events.filter(({ event }) => refusalOf(event)?.messageId === messageId).length;
}

/** Where the turn ended. A turn that failed without the agent saying so says by which error. */
async function outcomeOf({ record }: Turn): Promise<SentForPerson> {
  const { task, events } = await loadTask(record);
  const last = events.at(-1)?.event;
  const failed = last?.type === 'status' && (last.refusal || last.status.state === 'failed');
  const code = failed ? last.metadata?.['parley.error'] : undefined;
  if (typeof code === 'string') return { kind: passing.has(code) ? 'unreachable' : 'refused' };
  return { kind: 'answered', taskId: record.id, state: task.status.state };
}
