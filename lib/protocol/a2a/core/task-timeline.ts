import { refusalOf, statusOf, type TaskEvent } from './events';
import { mergeParts } from './merge-parts';
import { type Artifact, isTerminal, type Message, type TaskState, type TaskStatus } from './model';

/** One entry of what is told of a task, in the order in which it happened. */
export type TimelineEntry =
  /** The person said something. */
  | { kind: 'said'; seq: number; message: Message }
  /** The task changed its state. `reason` is Parley's own code when it was Parley that ended it. */
  | {
      kind: 'status';
      seq: number;
      status: TaskStatus;
      reason: string | null;
      /** Why the message before was not accepted, when the task then waits for another one. */
      problem?: string;
    }
  /** An artifact begins here, or takes the place of an earlier one of the same id. */
  | { kind: 'artifact'; seq: number; artifactId: string };

/** A task as it is shown: its entries in order, and the artifacts in their newest form. */
export interface TaskTimeline {
  state: TaskState;
  entries: TimelineEntry[];
  artifacts: Map<string, Artifact>;
  /** Artifacts whose last chunk has come. */
  closed: Set<string>;
}

/** A story without any event. */
export function emptyTimeline(): TaskTimeline {
  return { state: 'submitted', entries: [], artifacts: new Map(), closed: new Set() };
}

/** Adds an event to the story in place. */
export function addToTimeline(timeline: TaskTimeline, seq: number, event: TaskEvent): void {
  if (event.type === 'artifact') addArtifact(timeline, seq, event);
  else if (event.type === 'message') timeline.entries.push({ kind: 'said', seq, message: event.message });
  const status = statusOf(event);
  if (!status) return;
  const reason = event.type === 'status' ? event.metadata?.['parley.error'] : undefined;
  const problem = isTerminal(status.state) ? undefined : refusalOf(event)?.text;
  const statusEntry = { kind: 'status' as const, seq, status, reason: typeof reason === 'string' ? reason : null };
  timeline.entries.push(problem === undefined ? statusEntry : { ...statusEntry, problem });
  timeline.state = status.state;
}

/** What the person said and what the agent did until the person spoke again. */
export interface Turn {
  userMessage: Message | null;
  entries: AgentEntry[];
}

export type AgentEntry = Exclude<TimelineEntry, { kind: 'said' }>;

/** The entries turn by turn; `said` is null for what an agent did before anybody spoke. */
export function splitTurns(entries: readonly TimelineEntry[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of entries) {
    if (entry.kind === 'said') turns.push({ userMessage: entry.message, entries: [] });
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

/** True when the person has spoken since the artifact came: its new form is news and is told where it came. */
function isOfEarlierTurn(entries: TimelineEntry[], artifactId: string): boolean {
  const lastIndex = entries.findLastIndex((entry) => entry.kind === 'artifact' && entry.artifactId === artifactId);
  return entries.slice(lastIndex).some(({ kind }) => kind === 'said');
}
