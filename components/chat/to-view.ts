import { type Artifact, isTerminal, type Message, type Part, type TaskState } from '../../lib/protocol/a2a/core/model';
import { toParts } from './own-content';
import type { Outgoing, StoryEntry, TaskThread, ThreadState } from './thread-state';
import { isLive } from './to-artifacts';
import { noticeOf, type TurnNotice } from './turn-notice';

/** What the person said. */
export interface UserItem {
  kind: 'user';
  key: string;
  /** Null before the server has told of it. */
  taskId: string | null;
  messageId: string;
  parts: Part[];
  delivery: 'sent' | 'sending' | 'failed';
  /** Why it was not sent. */
  problem: string | null;
  /** How much of it, with its files, has left the browser, 0 to 1; null where that is not told. */
  progress: number | null;
  /** It began its task, so that it can be said differently. */
  begins: boolean;
}

/** A piece of what the agent said, in the order in which it came. */
export type Block =
  | { kind: 'message'; key: string; messageId: string; parts: Part[] }
  | { kind: 'artifact'; key: string; artifact: Artifact; live: boolean }
  /** An artifact whose newer form stands further down; `name` is null where the agent gave it none. */
  | { kind: 'replaced'; key: string; name: string | null };

/** One state of the task, for the timeline. */
export interface Step {
  key: string;
  state: TaskState;
  /** ISO 8601, UTC. */
  at: string;
  /** A short remark of the agent while it works. */
  remark: string | null;
}

export type Phase =
  | 'working'
  | 'stopping'
  | 'asks'
  | 'needs-auth'
  | 'answered'
  | 'done'
  | 'failed'
  | 'rejected'
  | 'stopped';

/** One turn of the agent: from a message of the person to the end of what the agent did with it. */
export interface AgentItem {
  kind: 'agent';
  key: string;
  taskId: string;
  blocks: Block[];
  steps: Step[];
  phase: Phase;
  /** How the turn ended, in Parley's words; null when there is nothing to say beyond what the agent said. */
  notice: TurnNotice | null;
  /** The event that the turn begins with. */
  seq: number;
  /** The message that led to this turn, for sending it once more. */
  asked: Part[];
}

export type ThreadItem = UserItem | AgentItem;

/** The thread as a list of items; items of tasks that did not change are the same objects as before. */
export function toItems(state: ThreadState): ThreadItem[] {
  return [
    ...state.tasks.flatMap((task) => itemsOf(task, state.stopping.includes(task.id))),
    ...state.outgoing.map(toOutgoingItem),
  ];
}

const known = new WeakMap<TaskThread, { stopping: boolean; items: ThreadItem[] }>();

function itemsOf(task: TaskThread, stopping: boolean): ThreadItem[] {
  const before = known.get(task);
  if (before?.stopping === stopping) return before.items;
  const turns = splitTurns(task.entries);
  const items = turns.flatMap((turn, index) =>
    turnItems(task, turn, { isFirst: index === 0, isLast: index === turns.length - 1, stopping }),
  );
  known.set(task, { stopping, items });
  return items;
}

interface Turn {
  said: Message | null;
  entries: StoryEntry[];
}

function splitTurns(entries: readonly StoryEntry[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of entries) {
    if (entry.kind === 'said') turns.push({ said: entry.message, entries: [] });
    else if (turns.length === 0) turns.push({ said: null, entries: [entry] });
    else turns.at(-1)?.entries.push(entry);
  }
  return turns;
}

interface TurnPlace {
  isFirst: boolean;
  isLast: boolean;
  stopping: boolean;
}

function turnItems(task: TaskThread, turn: Turn, place: TurnPlace): ThreadItem[] {
  const items: ThreadItem[] = [];
  if (turn.said) items.push(toUserItem(task.id, turn.said, place.isFirst));
  if (turn.entries.length > 0) items.push(toAgentItem(task, turn, place));
  return items;
}

function toUserItem(taskId: string, { messageId, parts }: Message, begins: boolean): UserItem {
  return {
    kind: 'user',
    key: messageId,
    taskId,
    messageId,
    parts,
    delivery: 'sent',
    problem: null,
    progress: null,
    begins,
  };
}

function toOutgoingItem({ messageId, text, files, problem, progress }: Outgoing): UserItem {
  const parts = toParts({ text, files });
  const delivery = problem === null ? 'sending' : 'failed';
  return { kind: 'user', key: messageId, taskId: null, messageId, parts, delivery, problem, progress, begins: false };
}

function toAgentItem(task: TaskThread, { said, entries }: Turn, { isLast, stopping }: TurnPlace): AgentItem {
  const phase = isLast ? phaseOf(task.state, stopping) : 'answered';
  const last = entries.findLast((entry) => entry.kind === 'status');
  return {
    kind: 'agent',
    key: `${task.id} ${entries[0]?.seq}`,
    taskId: task.id,
    blocks: blocksOf(task, entries),
    steps: stepsOf(entries),
    phase,
    notice: isLast && last ? noticeOf(last) : null,
    seq: entries[0]?.seq ?? 1,
    asked: said?.parts ?? [],
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

function phaseOf(state: TaskState, stopping: boolean): Phase {
  const phase = phases[state];
  return stopping && phase === 'working' ? 'stopping' : phase;
}

function stepsOf(entries: StoryEntry[]): Step[] {
  return entries.flatMap((entry): Step[] => {
    if (entry.kind !== 'status') return [];
    const { state, timestamp: at } = entry.status;
    return [{ key: String(entry.seq), state, at, remark: isRemark(entry) ? textOf(entry.status.message) : null }];
  });
}

function blocksOf(task: TaskThread, entries: StoryEntry[]): Block[] {
  const blocks = entries.flatMap((entry) => blockOf(task, entry));
  if (blocks.length > 0 || !isTerminal(task.state)) return blocks;
  // The agent ended without another word: what it remarked on the way was its answer.
  return entries.flatMap((entry) => (isRemark(entry) ? messageBlock(entry) : []));
}

function blockOf(task: TaskThread, entry: StoryEntry): Block[] {
  if (entry.kind === 'artifact') return [artifactBlock(task, entry)];
  // A status with a reason was written by Parley: its text is shown as ours, never as the agent's.
  if (entry.kind !== 'status' || entry.reason !== null || isRemark(entry)) return [];
  return messageBlock(entry);
}

function messageBlock(entry: StoryEntry & { kind: 'status' }): Block[] {
  const { parts = [], messageId = '' } = entry.status.message ?? {};
  return parts.length > 0 ? [{ kind: 'message', key: `message ${entry.seq}`, messageId, parts }] : [];
}

function artifactBlock(task: TaskThread, { seq, artifactId }: StoryEntry & { kind: 'artifact' }): Block {
  const key = `artifact ${seq}`;
  const artifact = task.artifacts.get(artifactId);
  const newest = task.entries.findLast((entry) => entry.kind === 'artifact' && entry.artifactId === artifactId);
  if (!artifact || newest?.seq !== seq) return { kind: 'replaced', key, name: artifact?.name ?? null };
  return { kind: 'artifact', key, artifact, live: isLive(task, artifactId) };
}

const longestRemark = 200;

/** True for what an agent says in passing while it works: one short line. Anything more is part of its answer. */
function isRemark(entry: StoryEntry): entry is StoryEntry & { kind: 'status' } {
  if (entry.kind !== 'status' || (entry.status.state !== 'working' && entry.status.state !== 'submitted')) return false;
  const parts = entry.status.message?.parts ?? [];
  const text = textOf(entry.status.message)?.trim() ?? '';
  return (
    parts.length > 0 &&
    parts.every(({ kind }) => kind === 'text') &&
    text.length <= longestRemark &&
    !text.includes('\n')
  );
}

/** All text of a message; null when it has none. */
function textOf(message: Message | undefined): string | null {
  const text = (message?.parts ?? []).flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' ? null : text;
}

/** Parts with keys for rendering: parts are only ever added at the end, so their places name them. */
export function withKeys<Item extends { kind: string }>(parts: readonly Item[]): { key: string; part: Item }[] {
  return parts.map((part, index) => ({ key: `${part.kind} ${index}`, part }));
}

/** The text of an answer as the agent wrote it, blocks apart; empty when it has none. */
export function textOfBlocks(blocks: Block[]): string {
  const texts = blocks.map((block) => {
    const parts = block.kind === 'message' ? block.parts : block.kind === 'artifact' ? block.artifact.parts : [];
    return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  });
  return texts.filter((text) => text !== '').join('\n\n');
}
