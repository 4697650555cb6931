import type { JsonObject } from '../../json';
import { mergeMessage } from './merge-message';
import { type Artifact, isTerminal, type Message, type Task, type TaskStatus } from './model';

/** One entry of a task's story. Stored with a sequence number; streams are these entries in a dialect's clothes. */
export type TaskEvent =
  /** A message of the caller joins the history. */
  | { type: 'message'; message: Message /** Joins the task's metadata. */; taskMetadata?: JsonObject }
  | {
      type: 'status';
      status: TaskStatus;
      metadata?: JsonObject /** Set when it ends a turn that failed. */;
      refusal?: Refusal;
    }
  | { type: 'artifact'; artifact: Artifact; append: boolean; lastChunk: boolean; metadata?: JsonObject }
  /** The agent answered with a Message alone; this ends the task as completed. */
  | { type: 'reply'; message: Message; timestamp: string };

/** Why a message of the caller did not become a turn of the agent. The request that carried it is answered with this error. */
export interface Refusal {
  /** Parley's error code, the text for the caller, and the agent's own code where it answered with one. */
  code: string;
  text: string;
  agentCode?: number;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** The message that was not accepted; absent when the agent had begun to work on it. */
  messageId?: string;
  /** The agent certainly did not take the message: the same send may run again. */
  retryable: boolean;
}

/** Why the turn that this event ends failed; null for every other event. */
export function refusalOf(event: TaskEvent): Refusal | null {
  return event.type === 'status' ? (event.refusal ?? null) : null;
}

/** The story as a conversation: without messages that were not accepted, and without what says so. */
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

/** True for the last event a task can have. */
export function isFinal(event: TaskEvent): boolean {
  return event.type === 'reply' || (event.type === 'status' && isTerminal(event.status.state));
}

/** The state that an event brings about, if it changes it. */
export function statusOf(event: TaskEvent): TaskStatus | null {
  if (event.type === 'status') return event.status;
  if (event.type === 'reply') return { state: 'completed', message: event.message, timestamp: event.timestamp };
  return null;
}

/** The task as its story tells it. Appended chunks are added to the parts of their artifact, in order. */
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
    // Each of them is one send: two with the same id, which need not be unique to their caller, are two messages.
    task.history.push(event.message);
    if (event.taskMetadata) task.metadata = { ...task.metadata, ...event.taskMetadata };
    return;
  }
  const status = statusOf(event);
  if (!status) return;
  task.status = status;
  if (event.type === 'status' && event.refusal && !isFinal(event)) removeRefusedMessage(task.history, event.refusal);
  if (status.message) upsertMessage(task.history, status.message);
}

function removeRefusedMessage(history: Message[], { messageId }: Refusal): void {
  const at = history.findLastIndex((message) => message.role === 'user' && message.messageId === messageId);
  if (at >= 0) history.splice(at, 1);
}

/** Status updates with one `messageId` are one message of the history, which grows. */
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
