import { LRUCache } from 'lru-cache';
import { findAgentById, isBuiltInUrl } from '../../catalog';
import { errorFields, log } from '../../platform/runtime/log';
import {
  answeredBy,
  applyEvent,
  eventEndsTurn,
  foldTask,
  statusOf,
  type TaskEvent,
} from '../../protocol/a2a/core/events';
import type { AnsweredMessage } from '../../protocol/a2a/core/message-origin';
import type { Part, Task } from '../../protocol/a2a/core/model';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import { MAX_REPLAYED_TASKS } from '../limits';
import { type PaymentSource, tasksPort } from '../ports';
import { findUserTasks } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { findAnsweredMessage, streamTaskEvents } from '../store/task-events';

/**
 * Calls the handler with payment data that is persisted in the task's events up to `seq`. A failure is only logged,
 * because the data is replayed when the user opens their orders.
 */
export async function emitPaymentEvents(record: TaskRecord, seq: number, sources: PaymentSource[]): Promise<void> {
  if (sources.length === 0) return;
  try {
    await callHandler(record, sources, await findAnsweredMessage(record, seq));
  } catch (error) {
    log.warn('payment_events.handler_failed', { taskId: record.id, ...errorFields(error) });
  }
}

/** Calls the handler only if the principal is a user, because apps cannot pay. */
async function callHandler(
  { id: taskId, principal, agentId, contextId }: TaskRecord,
  sources: PaymentSource[],
  answers: AnsweredMessage | null,
): Promise<void> {
  if (sources.length === 0 || !principal.startsWith('usr_') || (await isPassedOn(agentId))) return;
  await tasksPort.operations().onPaymentEvent({ userId: principal, agentId, taskId, contextId, answers, sources });
}

/** Returns true for output that a built-in agent forwards from the task of another agent. */
async function isPassedOn(agentId: string): Promise<boolean> {
  const agent = await findAgentById(agentId);
  return agent !== null && isBuiltInUrl(agent.url);
}

/**
 * Returns the payment data that these events complete: that of messages immediately, that of an artifact with its last
 * chunk or at the end of the turn. `task` is the task after the events.
 */
export function extractPaymentParts(task: Task, events: TaskEvent[]): PaymentSource[] {
  if (!completesData(task, events)) return noSources;
  const sources = new Map<string, PaymentSource>();
  const add = (source: PaymentSource): void => {
    if (source.parts.some(isPaymentPart)) sources.set(`${source.kind} ${source.id}`, source);
  };
  const addArtifacts = (matches: (artifactId: string) => boolean): void => {
    for (const { artifactId: id, parts } of task.artifacts)
      if (matches(id)) add({ kind: 'artifact', id, parts: [...parts] });
  };
  for (const event of events) {
    if (event.type === 'artifact') {
      if (event.lastChunk) addArtifacts((id) => id === event.artifact.artifactId);
      continue;
    }
    if (event.type === 'message') continue;
    if (eventEndsTurn(event)) addArtifacts(() => true);
    const message = event.type === 'reply' ? event.message : event.status.message;
    if (message) add({ kind: 'message', id: message.messageId, parts: message.parts });
  }
  return [...sources.values()];
}

const noSources: PaymentSource[] = [];

/**
 * Returns true if a part with payment data may be complete. Cheap, because data parts are rare, and artifacts are
 * inspected only when they are complete.
 */
function completesData({ artifacts }: Task, events: TaskEvent[]): boolean {
  let completes = false;
  for (const event of events) {
    if (event.type === 'artifact') completes ||= event.lastChunk;
    else if (event.type !== 'message') {
      completes ||= eventEndsTurn(event);
      if (statusOf(event)?.message?.parts.some(isData)) return true;
    }
  }
  return completes && artifacts.some(({ parts }) => parts.some(isData));
}

function isData({ kind }: Part): boolean {
  return kind === 'data';
}

function isPaymentPart(part: Part): boolean {
  return part.kind === 'data' && detectAp2Object(part.data) !== null;
}

/**
 * Replays the payment events of a user's task or context from storage, because a crash may have occurred between
 * persisting and handling them. Tasks are replayed again only after new events, so that frequent calls cost one query
 * each. The caller must have authenticated the user.
 */
export async function replayPaymentEvents(where: {
  userId: string;
  taskId?: string;
  contextId?: string;
}): Promise<void> {
  for (const record of await findUserTasks(where.userId, where)) {
    if (replayedSeqs.get(record.id) === record.lastSeq) continue;
    replayedSeqs.set(record.id, await replayTask(record));
  }
}

/** The last replayed sequence number by task. */
const replayedSeqs = new LRUCache<string, number>({ max: MAX_REPLAYED_TASKS });

/** Replays a task. Returns the last replayed sequence number. */
async function replayTask(record: TaskRecord): Promise<number> {
  const { id, contextId, createdAt } = record;
  const task = foldTask({ id, contextId, createdAt: createdAt.toISOString() }, []);
  let lastSeq = 0;
  let answers: AnsweredMessage | null = null;
  for await (const stored of streamTaskEvents(record)) {
    const { seq, event } = stored;
    applyEvent(task, event);
    answers = answeredBy(id, stored) ?? answers;
    await callHandler(record, extractPaymentParts(task, [event]), answers);
    lastSeq = seq;
  }
  return lastSeq;
}
