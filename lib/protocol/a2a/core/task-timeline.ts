import { isPause, refusalOf, statusOf, type TaskEvent } from './events';
import { mergeParts } from './message-parts';
import { type Artifact, isTerminal, type Message, type TaskState, type TaskStatus } from './model';

/** An entry of a task's timeline. */
export type TimelineEntry =
  /** A message of the user. */
  | { kind: 'user-message'; seq: number; message: Message }
  /** A new status. `reason` is Parley's error code when Parley ended the task. */
  | {
      kind: 'status';
      seq: number;
      status: TaskStatus;
      reason: string | null;
      /** The reason why the previous message was rejected. Set while the task waits for another message. */
      problem?: string;
      /**
       * True if Parley wrote the status while the user decides about a call to another agent, during which the run
       * continues.
       */
      asksApproval?: true;
    }
  /** A new artifact, or one that replaces an earlier artifact with the same id. */
  | { kind: 'artifact'; seq: number; artifactId: string };

/** A task for display: its entries in order, and its latest artifacts. */
export interface TaskTimeline {
  state: TaskState;
  entries: TimelineEntry[];
  artifacts: Map<string, Artifact>;
  /** Artifacts whose last chunk was received. */
  closed: Set<string>;
}

/** Returns a timeline without events. */
export function emptyTimeline(): TaskTimeline {
  return { state: 'submitted', entries: [], artifacts: new Map(), closed: new Set() };
}

/** Applies an event to the timeline in place. */
export function addToTimeline(timeline: TaskTimeline, seq: number, event: TaskEvent): void {
  if (event.type === 'artifact') addArtifact(timeline, seq, event);
  else if (event.type === 'message') timeline.entries.push({ kind: 'user-message', seq, message: event.message });
  const status = statusOf(event);
  if (!status) return;
  const reason = event.type === 'status' ? event.metadata?.['parley.error'] : undefined;
  const problem = isTerminal(status.state) ? undefined : refusalOf(event)?.text;
  const asksApproval = isPause(event);
  timeline.entries.push({
    kind: 'status',
    seq,
    status,
    reason: typeof reason === 'string' ? reason : null,
    ...(problem !== undefined && { problem }),
    ...(asksApproval && { asksApproval }),
  });
  timeline.state = status.state;
}

/** A user's message and the agent's entries until the next one. */
export interface Turn {
  userMessage: Message | null;
  entries: AgentEntry[];
}

export type AgentEntry = Exclude<TimelineEntry, { kind: 'user-message' }>;

/** Groups the entries by turn. `userMessage` is null for entries before the first message. */
export function splitTurns(entries: readonly TimelineEntry[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of entries) {
    if (entry.kind === 'user-message') turns.push({ userMessage: entry.message, entries: [] });
    else if (turns.length === 0) turns.push({ userMessage: null, entries: [entry] });
    else turns.at(-1)?.entries.push(entry);
  }
  return turns;
}

function addArtifact(timeline: TaskTimeline, seq: number, event: TaskEvent & { type: 'artifact' }): void {
  const { artifact, append, lastChunk } = event;
  const { artifactId } = artifact;
  const known = timeline.artifacts.get(artifactId);
  if (known && append) {
    timeline.artifacts.set(artifactId, { ...known, parts: mergeParts(known.parts, artifact.parts) });
  } else {
    timeline.artifacts.set(artifactId, artifact);
    if (!known || isOfEarlierTurn(timeline.entries, artifactId))
      timeline.entries.push({ kind: 'artifact', seq, artifactId });
  }
  if (lastChunk) timeline.closed.add(artifactId);
  else timeline.closed.delete(artifactId);
}

/** Returns true if the user has sent a message since the artifact, so that its new version appears as a new entry. */
function isOfEarlierTurn(entries: TimelineEntry[], artifactId: string): boolean {
  const lastIndex = entries.findLastIndex((entry) => entry.kind === 'artifact' && entry.artifactId === artifactId);
  return entries.slice(lastIndex).some(({ kind }) => kind === 'user-message');
}
