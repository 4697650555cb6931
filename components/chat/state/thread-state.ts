import type { PostMessage } from '../../../lib/chat/schema';
import type { ThreadEvent, ThreadTask, ThreadUpdate } from '../../../lib/chat/schema-thread';
import type { Artifact, TaskState } from '../../../lib/protocol/a2a/core/model';
import { addToTimeline, emptyTimeline, type TimelineEntry } from '../../../lib/protocol/a2a/core/task-timeline';
import type { ChainView } from '../../../lib/tasks/schema-chains';
import type { SendProgress, Unpaid } from './api';

/** A task up to event `seq`. It is replaced and never mutated, so that unchanged tasks are equal by reference. */
export interface TaskSnapshot {
  id: string;
  createdAt: string;
  seq: number;
  state: TaskState;
  entries: readonly TimelineEntry[];
  artifacts: ReadonlyMap<string, Artifact>;
  /** Artifacts whose last chunk was received. */
  closed: ReadonlySet<string>;
}

/** A message of the user that the server has not yet reported. */
export interface OutgoingMessage extends NewMessage {
  /** True if the server has stored it and only its events are pending. */
  accepted: boolean;
  /** The reason why it was not sent; null while it is being sent. */
  problem: string | null;
  /** Set if it was not sent because it was not paid. */
  unpaid?: Unpaid | null | undefined;
  /** Null if unknown. */
  progress: SendProgress | null;
}

/** A message as written by the user; `messageId` makes a retry idempotent. */
export type NewMessage = Pick<PostMessage, 'messageId' | 'text' | 'files' | 'data' | 'action' | 'taskId' | 'edits'>;

export interface ThreadState {
  tasks: readonly TaskSnapshot[];
  outgoing: readonly OutgoingMessage[];
  /** Tasks the user has stopped that are not terminal yet. */
  stoppingIds: readonly string[];
  /** The work of other agents, by root task. */
  chains: ReadonlyMap<string, ChainView>;
  /** True if an event is missing between the known state and a received one, so that the thread must be reloaded. */
  hasGap: boolean;
}

export type ThreadAction =
  | { type: 'loaded'; tasks: ThreadTask[]; chains: ChainView[] }
  | { type: 'updated'; updates: ThreadUpdate[] }
  /** Tasks before the first known one. */
  | { type: 'older-loaded'; tasks: ThreadTask[]; chains: ChainView[] }
  | { type: 'chain-changed'; chain: ChainView }
  | { type: 'sending'; message: NewMessage }
  | { type: 'progress'; messageId: string; progress: SendProgress }
  | { type: 'accepted'; messageId: string }
  | { type: 'send-failed'; messageId: string; problem: string; unpaid?: Unpaid | null }
  | { type: 'discarded'; messageId: string }
  | { type: 'stopping'; taskId: string }
  | { type: 'stop-failed'; taskId: string };

/** Returns the state of a thread as loaded from the server. */
export function createThreadState(tasks: ThreadTask[], chains: ChainView[] = []): ThreadState {
  const state = { tasks: [], outgoing: [], stoppingIds: [], chains: new Map(), hasGap: false };
  return applyUpdates(withChains(state, chains), tasks.map(toUpdate));
}

/** Returns the next state. Known events are ignored. The server's order of events is authoritative. */
export function reduceThread(state: ThreadState, action: ThreadAction): ThreadState {
  switch (action.type) {
    case 'loaded':
      return applyUpdates(
        withChains({ ...state, tasks: [], chains: new Map(), hasGap: false }, action.chains),
        action.tasks.map(toUpdate),
      );
    case 'updated':
      return applyUpdates(
        state,
        action.updates.filter((update) => !isBeforeFirstTask(state, update)),
      );
    case 'older-loaded':
      return applyUpdates(withChains(state, action.chains), action.tasks.map(toUpdate));
    case 'chain-changed':
      return withChains(state, [action.chain]);
    case 'sending': {
      const others = state.outgoing.filter(({ messageId }) => messageId !== action.message.messageId);
      return withoutDelivered({
        ...state,
        outgoing: [...others, { ...action.message, accepted: false, problem: null, progress: null }],
      });
    }
    case 'progress':
      return changeOutgoing(state, action.messageId, { progress: action.progress });
    case 'accepted':
      return changeOutgoing(state, action.messageId, { accepted: true });
    case 'send-failed':
      return changeOutgoing(state, action.messageId, { problem: action.problem, unpaid: action.unpaid });
    case 'discarded':
      return { ...state, outgoing: state.outgoing.filter(({ messageId }) => messageId !== action.messageId) };
    case 'stopping':
      return { ...state, stoppingIds: [...state.stoppingIds, action.taskId] };
    case 'stop-failed':
      return { ...state, stoppingIds: state.stoppingIds.filter((id) => id !== action.taskId) };
  }
}

function withChains(state: ThreadState, chains: ChainView[]): ThreadState {
  // The response to a decision may arrive after later views of the stream.
  const newer = chains.filter(({ rootTaskId, readAt }) => readAt >= (state.chains.get(rootTaskId)?.readAt ?? ''));
  if (newer.length === 0) return state;
  return { ...state, chains: new Map([...state.chains, ...newer.map((chain) => [chain.rootTaskId, chain] as const)]) };
}

/** Returns true for an update of a task before those loaded, which the page with that task will include. */
function isBeforeFirstTask({ tasks }: ThreadState, { taskId, createdAt, events }: ThreadUpdate): boolean {
  const [first] = events;
  if (!first || (first.from ?? first.seq) === 1 || tasks.some(({ id }) => id === taskId)) return false;
  return tasks[0] !== undefined && createdAt < tasks[0].createdAt;
}

function toUpdate({ id, createdAt, events }: ThreadTask): ThreadUpdate {
  return { taskId: id, createdAt, events };
}

function changeOutgoing(state: ThreadState, messageId: string, change: Partial<OutgoingMessage>): ThreadState {
  const outgoing = state.outgoing.map((message) =>
    message.messageId === messageId ? { ...message, ...change } : message,
  );
  return { ...state, outgoing };
}

function applyUpdates(state: ThreadState, updates: ThreadUpdate[]): ThreadState {
  let { tasks, hasGap } = state;
  for (const update of updates) {
    const current = tasks.find(({ id }) => id === update.taskId);
    const next = applyEvents(current ?? newTask(update), update.events);
    if (next === null) hasGap = true;
    else if (!current) tasks = [...tasks, next].sort(compareByStart);
    else if (next !== current) tasks = tasks.map((task) => (task === current ? next : task));
  }
  if (tasks === state.tasks && hasGap === state.hasGap) return state;
  return withoutDelivered({ ...state, tasks, hasGap });
}

/** Removes messages that the server reports from the pending ones, regardless of the result of their requests. */
function withoutDelivered(state: ThreadState): ThreadState {
  if (state.outgoing.length === 0 && state.stoppingIds.length === 0) return state;
  const messageIds = new Set(state.tasks.flatMap(({ entries }) => entries.map(messageIdOf)));
  const settledIds = new Set(state.tasks.filter((task) => !isWorking(task)).map(({ id }) => id));
  const outgoing = state.outgoing.filter(({ messageId }) => !messageIds.has(messageId));
  const stoppingIds = state.stoppingIds.filter((id) => !settledIds.has(id));
  return { ...state, outgoing, stoppingIds };
}

function messageIdOf(entry: TimelineEntry): string | null {
  return entry.kind === 'user-message' ? entry.message.messageId : null;
}

/** Returns true while it is the agent's turn. */
function isWorking({ state }: Pick<TaskSnapshot, 'state'>): boolean {
  return state === 'submitted' || state === 'working';
}

/** Compares by the server's own order: by start, then by id. */
function compareByStart(a: TaskSnapshot, b: TaskSnapshot): number {
  return a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1;
}

function newTask({ taskId, createdAt }: ThreadUpdate): TaskSnapshot {
  return { id: taskId, createdAt, seq: 0, ...emptyTimeline() };
}

/** Returns the task with these events; null if one is missing in between. */
function applyEvents(task: TaskSnapshot, events: ThreadEvent[]): TaskSnapshot | null {
  const newEvents = events.filter(({ seq }) => seq > task.seq);
  if (newEvents.length === 0) return task;
  const draft = {
    ...task,
    entries: [...task.entries],
    artifacts: new Map(task.artifacts),
    closed: new Set(task.closed),
  };
  for (const { seq, from: firstSeq = seq, event } of newEvents) {
    if (firstSeq !== draft.seq + 1) return null;
    draft.seq = seq;
    addToTimeline(draft, seq, event);
  }
  return draft;
}
