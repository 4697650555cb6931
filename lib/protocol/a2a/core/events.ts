import type { JsonObject } from '../../json';
import { type AnsweredMessage, type MessageSource, messageKey } from './message-origin';
import { mergeMessage } from './message-parts';
import { type Artifact, endsTurn, isTerminal, type Message, type Task, type TaskStatus } from './model';

/** One event of a task, stored with a sequence number; every dialect encodes these events. */
export type TaskEvent =
  /**
   * A message to the agent, added to the history; `taskMetadata` is merged into the task's metadata. `source` is absent
   * in events that were stored before it existed.
   */
  | { type: 'message'; message: Message; source?: MessageSource; taskMetadata?: JsonObject }
  /**
   * `refusal` is set if the event ends a failed turn. `isPause` is set if Parley waits for the user's approval while
   * the agent continues, so that the turn has not ended. `taskMetadata` is merged into the task's metadata.
   */
  | {
      type: 'status';
      status: TaskStatus;
      metadata?: JsonObject;
      taskMetadata?: JsonObject;
      refusal?: Refusal;
      isPause?: true;
    }
  | { type: 'artifact'; artifact: Artifact; append: boolean; lastChunk: boolean; metadata?: JsonObject }
  /** The agent responded only with a Message, which completes the task. */
  | { type: 'reply'; message: Message; timestamp: string };

/** Why a caller's message did not start a turn; also the error response of that request. */
export interface Refusal {
  /** Parley's error code, the text for the caller, and the agent's own code, if any. */
  code: string;
  text: string;
  agentCode?: number;
  /** Seconds until the message may be retried. */
  retryAfter?: number;
  /** The rejected message; absent if the agent had started to process it. */
  messageId?: string;
  /** True if it is certain that the agent did not receive the message, so that it may be resent. */
  retryable: boolean;
}

/** Returns why the turn that this event ends failed; null for every other event. */
export function refusalOf(event: TaskEvent): Refusal | null {
  return event.type === 'status' ? (event.refusal ?? null) : null;
}

/** Returns the events without rejected messages and their refusals. */
export function withoutRefusedMessages(events: TaskEvent[]): TaskEvent[] {
  const accepted: TaskEvent[] = [];
  for (const event of events) {
    const refusal = refusalOf(event);
    if (!refusal || isFinal(event)) {
      accepted.push(event);
      continue;
    }
    const { messageId } = refusal;
    const at = accepted.findLastIndex(
      (earlier) => earlier.type === 'message' && earlier.message.messageId === messageId,
    );
    if (at >= 0) accepted.splice(at, 1);
  }
  return accepted;
}

/**
 * Returns the message that the output after an event of a task answers; null for events that are not messages to the
 * agent.
 */
export function answeredBy(taskId: string, { seq, event }: { seq: number; event: TaskEvent }): AnsweredMessage | null {
  if (event.type !== 'message') return null;
  const { origin = null, passedOn } = event.source ?? {};
  return { origin, key: passedOn ?? messageKey(taskId, seq) };
}

/** Returns true for the last event of a task. */
export function isFinal(event: TaskEvent): boolean {
  return event.type === 'reply' || (event.type === 'status' && isTerminal(event.status.state));
}

/** Returns true for an event that ends the turn: the task is finished or interrupted. */
export function eventEndsTurn(event: TaskEvent): boolean {
  return event.type === 'reply' || (event.type === 'status' && endsTurn(event.status.state));
}

/** Returns true for an event after which the agent's run continues, although callers need not wait for it. */
export function isPause(event: TaskEvent): boolean {
  return event.type === 'status' && event.isPause === true;
}

/** Returns the task status that an event sets; null if it sets none. */
export function statusOf(event: TaskEvent): TaskStatus | null {
  if (event.type === 'status') return event.status;
  if (event.type === 'reply') return { state: 'completed', message: event.message, timestamp: event.timestamp };
  return null;
}

/** Builds a task from its events. Appended chunks extend their artifact, in order. */
export function foldTask(identity: { id: string; contextId: string; createdAt: string }, events: TaskEvent[]): Task {
  const task: Task = {
    id: identity.id,
    contextId: identity.contextId,
    status: { state: 'submitted', timestamp: identity.createdAt },
    artifacts: [],
    history: [],
    createdAt: identity.createdAt,
  };
  for (const event of events) applyEvent(task, event);
  return task;
}

/** Applies one event to the task in place. */
export function applyEvent(task: Task, event: TaskEvent): void {
  if (event.type === 'artifact') {
    applyArtifact(task.artifacts, event);
    return;
  }
  if (event.type === 'message') {
    // Every message event is a separate send, even if the caller reused a message id.
    task.history.push(event.message);
    if (event.taskMetadata) task.metadata = { ...task.metadata, ...event.taskMetadata };
    return;
  }
  const status = statusOf(event);
  if (!status) return;
  task.status = status;
  if (event.type === 'status') {
    if (event.taskMetadata) task.metadata = { ...task.metadata, ...event.taskMetadata };
    if (event.refusal && !isFinal(event)) removeRefusedMessage(task.history, event.refusal);
  }
  if (status.message) upsertMessage(task.history, status.message);
}

function removeRefusedMessage(history: Message[], { messageId }: Refusal): void {
  const at = history.findLastIndex((message) => message.role === 'user' && message.messageId === messageId);
  if (at >= 0) history.splice(at, 1);
}

/**
 * Adds a message to the history, or updates the one with the same `messageId`, because several status updates may
 * contain one message.
 */
function upsertMessage(history: Message[], message: Message): void {
  const at = history.findIndex(({ messageId, role }) => messageId === message.messageId && role === message.role);
  const known = history[at];
  if (known) history[at] = mergeMessage(known, message);
  else history.push(message);
}

function applyArtifact(artifacts: Artifact[], { artifact, append }: TaskEvent & { type: 'artifact' }): void {
  const at = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const known = artifacts[at];
  if (!known) {
    artifacts.push({ ...artifact, parts: [...artifact.parts] });
  } else if (append) {
    known.parts.push(...artifact.parts);
  } else {
    artifacts[at] = { ...artifact, parts: [...artifact.parts] };
  }
}
