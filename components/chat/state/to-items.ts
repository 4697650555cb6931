import { composeAnswer, isProgressUpdate, streamingMessageIds } from '../../../lib/protocol/a2a/core/compose-answer';
import {
  type Artifact,
  isInterrupted,
  isTerminal,
  type Part,
  type TaskState,
} from '../../../lib/protocol/a2a/core/model';
import { type AgentEntry, splitTurns, type Turn } from '../../../lib/protocol/a2a/core/task-timeline';
import { askedBy, textOfMessage, toParts } from './message-content';
import type { OutgoingMessage, TaskSnapshot, ThreadState } from './thread-state';
import { isStreaming } from './to-artifacts';
import { type TurnStatus, turnStatusOf } from './turn-status';

/** A message of the user. */
export interface UserItem {
  kind: 'user';
  key: string;
  /** Null until the server reports it. */
  taskId: string | null;
  messageId: string;
  parts: Part[];
  delivery: 'sent' | 'sending' | 'failed';
  /** The reason why it was not sent. */
  problem: string | null;
  unpaid?: OutgoingMessage['unpaid'];
  progress: OutgoingMessage['progress'];
  /** The agent's parts before the message, whose question it may answer. */
  askedParts: Part[];
  /** True if the message started its task, so that it can be edited. */
  startsTask: boolean;
  /** The time at which it was sent, ISO 8601; null if unknown. */
  at: string | null;
}

/** A piece of the agent's output, in order of arrival. */
export type Block =
  | { kind: 'message'; key: string; messageId: string; parts: Part[] }
  | { kind: 'artifact'; key: string; artifact: Artifact; streaming: boolean }
  /** An artifact that has a newer version below. `name` is null if the agent gave none. */
  | { kind: 'replaced'; key: string; name: string | null };

/** One state of the task, for the timeline. */
export interface Step {
  key: string;
  state: TaskState;
  /** ISO 8601, UTC. */
  timestamp: string;
  /** A short status message of the agent while it works. */
  progressText: string | null;
}

export type Phase =
  | 'working'
  | 'stopping'
  | 'asks'
  | 'needs-auth'
  /** The user has to decide about a call to another agent. */
  | 'needs-approval'
  | 'answered'
  | 'done'
  | 'failed'
  | 'rejected'
  | 'stopped'
  /** Canceled while the agent waited for the user. */
  | 'unanswered';

/** One turn of the agent: from a message of the user to the end of its processing. */
export interface AgentItem {
  kind: 'agent';
  key: string;
  taskId: string;
  blocks: Block[];
  steps: Step[];
  phase: Phase;
  /** Parley's description of the end of the turn; null if the agent's output is sufficient. */
  turnStatus: TurnStatus | null;
  /** The first event of the turn. */
  seq: number;
  /** The message that caused this turn, for sending it again. */
  promptParts: Part[];
  /** The start time, ISO 8601; null if unknown. */
  at: string | null;
}

export type ThreadItem = UserItem | AgentItem;

/** Returns the thread as a list of items. Items of unchanged tasks are the same objects as before. */
export function toItems(state: ThreadState): ThreadItem[] {
  return [
    ...state.tasks.flatMap((task) => itemsOf(task, state.stoppingIds.includes(task.id))),
    ...state.outgoing.map((message) => toOutgoingItem(message, state.tasks)),
  ];
}

const itemCache = new WeakMap<TaskSnapshot, { stopping: boolean; items: ThreadItem[] }>();

function itemsOf(task: TaskSnapshot, stopping: boolean): ThreadItem[] {
  const cached = itemCache.get(task);
  if (cached?.stopping === stopping) return cached.items;
  const turns = splitTurns(task.entries);
  const items = turns.flatMap((turn, index) =>
    turnItems(task, turn, { previous: turns[index - 1], isLast: index === turns.length - 1, stopping }),
  );
  itemCache.set(task, { stopping, items });
  return items;
}

interface TurnPosition {
  /** Undefined for the first turn of a task. */
  previous: Turn | undefined;
  isLast: boolean;
  stopping: boolean;
}

function turnItems(task: TaskSnapshot, turn: Turn, position: TurnPosition): ThreadItem[] {
  const items: ThreadItem[] = [];
  // A rejected message is displayed until another message has been sent in its place.
  if (!position.isLast && wasRejected(turn)) return [];
  if (turn.userMessage) items.push(toUserItem(task, turn, position.previous));
  if (turn.entries.length > 0) items.push(toAgentItem(task, turn, position));
  return items;
}

function wasRejected({ entries }: Turn): boolean {
  return entries.some((entry) => entry.kind === 'status' && entry.problem !== undefined);
}

function toUserItem(task: TaskSnapshot, turn: Turn, previous: Turn | undefined): UserItem {
  const { messageId = '', parts = [] } = turn.userMessage ?? {};
  const startsTask = previous === undefined;
  return {
    kind: 'user',
    key: messageId,
    taskId: task.id,
    messageId,
    parts,
    delivery: 'sent',
    problem: null,
    progress: null,
    askedParts: askedBy(previous?.entries),
    startsTask,
    at: startsTask ? task.createdAt : startOf(turn.entries),
  };
}

function toOutgoingItem(message: OutgoingMessage, tasks: readonly TaskSnapshot[]): UserItem {
  const { messageId, problem, unpaid, progress, taskId } = message;
  const delivery = problem === null ? 'sending' : 'failed';
  return {
    kind: 'user',
    key: messageId,
    taskId: null,
    ...{ messageId, delivery, problem, unpaid, progress },
    parts: toParts(message),
    askedParts: askedBy(tasks.find(({ id }) => id === taskId)?.entries),
    startsTask: false,
    at: null,
  };
}

/**
 * Returns the time of the first status, because a message of the user has no time and the status follows it
 * immediately.
 */
function startOf(entries: readonly AgentEntry[]): string | null {
  const first = entries.find((entry) => entry.kind === 'status');
  return first?.status.timestamp ?? null;
}

function toAgentItem(
  task: TaskSnapshot,
  { userMessage, entries }: Turn,
  { isLast, stopping }: TurnPosition,
): AgentItem {
  const phase = isLast ? phaseOf(task, entries, stopping) : 'answered';
  const last = entries.findLast((entry) => entry.kind === 'status');
  const blocks = blocksOf(task, entries);
  const turnEnd = { isUnanswered: phase === 'unanswered', isEmpty: blocks.length === 0 };
  return {
    kind: 'agent',
    key: `${task.id} ${entries[0]?.seq}`,
    taskId: task.id,
    blocks,
    steps: stepsOf(entries),
    phase,
    turnStatus: isLast && last ? turnStatusOf(last, turnEnd) : null,
    seq: entries[0]?.seq ?? 1,
    promptParts: userMessage?.parts ?? [],
    at: startOf(entries),
  };
}

const phases: Record<TaskState, Phase> = {
  submitted: 'working',
  working: 'working',
  'input-required': 'asks',
  'auth-required': 'needs-auth',
  completed: 'done',
  failed: 'failed',
  rejected: 'rejected',
  canceled: 'stopped',
};

function phaseOf({ state }: TaskSnapshot, entries: readonly AgentEntry[], stopping: boolean): Phase {
  const last = entries.findLast((entry) => entry.kind === 'status');
  const phase = last?.asksApproval ? 'needs-approval' : phases[state];
  if (stopping && (phase === 'working' || phase === 'needs-approval')) return 'stopping';
  return phase === 'stopped' && waitedBeforeEnd(entries) ? 'unanswered' : phase;
}

/** Returns true if the agent's last action before the end was to wait for the user. */
function waitedBeforeEnd(entries: readonly AgentEntry[]): boolean {
  const states = entries.flatMap((entry) => (entry.kind === 'status' ? [entry.status.state] : []));
  const lastState = states.findLast((state) => !isTerminal(state));
  return lastState !== undefined && isInterrupted(lastState);
}

function stepsOf(entries: readonly AgentEntry[]): Step[] {
  const streamingIds = streamingMessageIds(entries);
  const steps: Step[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'status') continue;
    const { state, timestamp, message } = entry.status;
    const progressText = isProgressUpdate(entry, streamingIds) ? textOfMessage(message) : null;
    // Each chunk of a streamed text would be a separate step.
    const isChunk = streamingIds.has(message?.messageId ?? '') && steps.at(-1)?.state === state;
    if (!isChunk) steps.push({ key: String(entry.seq), state, timestamp, progressText });
  }
  return steps;
}

function blocksOf(task: TaskSnapshot, entries: readonly AgentEntry[]): Block[] {
  const pieces = composeAnswer({ entries, artifacts: task.artifacts, ended: isTerminal(task.state) });
  return pieces.map((piece) =>
    piece.kind === 'artifact' ? artifactBlock(task, piece) : { ...piece, key: `message ${piece.seq}` },
  );
}

function artifactBlock(task: TaskSnapshot, { seq, artifactId }: { seq: number; artifactId: string }): Block {
  const key = `artifact ${seq}`;
  const artifact = task.artifacts.get(artifactId);
  const latest = task.entries.findLast((entry) => entry.kind === 'artifact' && entry.artifactId === artifactId);
  if (!artifact || latest?.seq !== seq) return { kind: 'replaced', key, name: artifact?.name ?? null };
  return { kind: 'artifact', key, artifact, streaming: isStreaming(task, artifactId) };
}
