import { isFinal, refusalOf, statusOf, type TaskEvent } from './events';
import type { Elicitation, TaskChanges, TaskStatus } from './model';

/** Maximum requests for input of a task; further ones of the agent are not shown. */
const MAX_ELICITATIONS = 200;

/** Returns the changes of a task without events. */
function noChanges(): TaskChanges {
  return { generation: 0, timeline: [], artifacts: new Map(), elicitations: new Map() };
}

/** Returns the changes that these events of a task, from the first, caused. */
export function changesOf(events: readonly { seq: number; event: TaskEvent }[]): TaskChanges {
  const changes = noChanges();
  for (const { seq, event } of events) addChange(changes, seq, event);
  return changes;
}

/**
 * Applies an event to the changes in place: its sequence number is the new generation. Returns the event, whose status
 * contains the requests for input that changed with it.
 */
export function addChange(changes: TaskChanges, seq: number, event: TaskEvent): TaskEvent {
  changes.generation = seq;
  if (event.type === 'artifact') {
    const { artifactId } = event.artifact;
    const { first } = changes.artifacts.get(artifactId) ?? { first: seq };
    changes.artifacts.set(artifactId, { first, latest: seq, isComplete: event.lastChunk });
    return event;
  }
  if (event.type === 'message') {
    changes.timeline.push({ generation: seq, message: event.message });
    return event;
  }
  if (isFinal(event)) completeArtifacts(changes);
  if (refusalOf(event) && !isFinal(event)) removeRefusedMessage(changes, event);
  const status = withElicitations(changes, event);
  changes.status = status;
  changes.timeline.push({ generation: seq, status });
  return event.type === 'status' && status !== event.status ? { ...event, status } : event;
}

/** A task that has ended changes no artifact, even those without a last chunk. */
function completeArtifacts({ artifacts }: TaskChanges): void {
  for (const [id, artifact] of artifacts) artifacts.set(id, { ...artifact, isComplete: true });
}

function removeRefusedMessage({ timeline }: TaskChanges, event: TaskEvent): void {
  const messageId = refusalOf(event)?.messageId;
  const at = timeline.findLastIndex(({ message }) => message !== undefined && message.messageId === messageId);
  if (at >= 0) timeline.splice(at, 1);
}

const OWN_ID = /^question-\d+$/;

/** Returns true for a request for input that Parley derived from a status. */
export function isDerived({ elicitationId }: Elicitation): boolean {
  return OWN_ID.test(elicitationId);
}

/** Returns true while the request has no answer. */
export function isOpen({ state }: Elicitation): boolean {
  return state !== 'resolved';
}

/**
 * Returns the status with the requests for input that changed with it: those of the agent; otherwise one request while
 * the task waits for input. All are resolved at the end of the task.
 */
function withElicitations(changes: TaskChanges, event: TaskEvent): TaskStatus {
  const status = statusOf(event) as TaskStatus;
  const given = (status.elicitations ?? []).filter((elicitation) => isNews(changes, elicitation));
  const delta = isFinal(event) ? [] : given;
  const isAnswered = status.state !== 'input-required';
  for (const known of changes.elicitations.values()) {
    if (!isOpen(known) || delta.some(({ elicitationId }) => elicitationId === known.elicitationId)) continue;
    if (isFinal(event) || (isDerived(known) && isAnswered)) delta.push({ ...known, state: 'resolved' });
  }
  apply(changes, delta);
  if (!isAnswered && ![...changes.elicitations.values()].some(isOpen)) {
    const derived: Elicitation = { elicitationId: `question-${changes.generation}`, state: 'blocked' };
    delta.push(derived);
    apply(changes, [derived]);
  }
  if (delta.length === 0 && !status.elicitations) return status;
  return { ...status, elicitations: delta.length > 0 ? delta : undefined };
}

/** Returns true for a new or changed request. A resolved one stays resolved, and derived ids are Parley's. */
function isNews({ elicitations }: TaskChanges, elicitation: Elicitation): boolean {
  const known = elicitations.get(elicitation.elicitationId);
  if (isDerived(elicitation)) return false;
  if (!known) return elicitations.size < MAX_ELICITATIONS;
  return isOpen(known) && known.state !== elicitation.state;
}

function apply({ elicitations }: TaskChanges, delta: readonly Elicitation[]): void {
  for (const elicitation of delta) elicitations.set(elicitation.elicitationId, elicitation);
}
