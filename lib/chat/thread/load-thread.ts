import type { CallerActor, Ctx } from '../../platform/context';
import { type ContextTaskSummary, listContextTasks } from '../../tasks';
import { callerOf } from '../../tokens';
import {
  type ChatRule,
  conversationNotFound,
  type LoadedConversation,
  loadConversation,
} from '../conversations/chat-agent';
import type { BranchView, Fork } from '../schema-thread';
import { type Branch, findBranches } from '../store/conversation-rows';

/** One branch of a conversation, with its tasks. */
export interface LoadedThread extends LoadedConversation {
  caller: CallerActor;
  /** The context of this branch, to which new messages are sent. */
  contextId: string;
  branches: Branch[];
  /** The tasks of this branch in order, including those before its fork. */
  tasks: ContextTaskSummary[];
}

/**
 * Loads a branch of a conversation, by default the one with the latest message.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` for conversations of other users
 */
export async function loadThread(
  ctx: Ctx,
  input: { id: string; branch?: string | null },
  rule?: ChatRule,
): Promise<LoadedThread> {
  const loaded = await loadConversation(ctx, input.id, rule);
  const { user, conversation, agent } = loaded;
  const caller = callerOf(user, agent);
  const branches = await findBranches(conversation);
  const contextId = input.branch ?? conversation.currentContextId;
  const segments = segmentsOf(conversation.contextId, branches, contextId);
  if (!segments) throw conversationNotFound();
  const reader: Ctx = { ...ctx, actor: caller };
  const parts = await Promise.all(
    segments.map(async ({ contextId: id, until }) => {
      const tasks = await listContextTasks({ ctx: reader, input: { agent, contextId: id } });
      const end = until === null ? -1 : tasks.findIndex((task) => task.id === until);
      return end < 0 ? tasks : tasks.slice(0, end);
    }),
  );
  return { ...loaded, caller, contextId, branches, tasks: parts.flat() };
}

/** Returns the view of the loaded branch. */
export function toBranchView({ branches, contextId, tasks }: LoadedThread): BranchView {
  const begins = tasks.findIndex((task) => task.contextId === contextId);
  const forks = forksOf(branches, tasks);
  return { id: contextId, beginsAt: begins > 0 ? (tasks[begins]?.id ?? null) : null, forks };
}

/** A part of a thread: the tasks of one context before the task at which the next segment forks. */
interface Segment {
  contextId: string;
  /** Null for the last segment. */
  until: string | null;
}

/**
 * Returns the segments of a branch, oldest first; null if the context is not part of the conversation. `first` is the
 * context of the conversation's first branch.
 */
function segmentsOf(first: string, branches: Branch[], contextId: string): Segment[] | null {
  const segments: Segment[] = [];
  let current = contextId;
  let until: string | null = null;
  // Bounded, so that cyclic rows cannot cause an endless loop.
  for (let step = 0; step <= branches.length; step++) {
    segments.unshift({ contextId: current, until });
    if (current === first) return segments;
    const branch = branches.find((candidate) => candidate.contextId === current);
    if (!branch) return null;
    current = branch.forkContextId;
    until = branch.forkTaskId;
  }
  return null;
}

/** A displayed task with its context. */
interface ShownTask {
  id: string;
  contextId: string;
}

/**
 * Returns the fork point for an edit of the first message of `task`. Editing the first message of a branch creates a
 * sibling of that branch.
 */
export function forkAt(
  branches: Branch[],
  task: ShownTask,
  firstTaskOf: (contextId: string) => string | null,
): Omit<Branch, 'contextId'> {
  const own = branches.find(({ contextId }) => contextId === task.contextId);
  if (own && firstTaskOf(task.contextId) === task.id) {
    return { forkContextId: own.forkContextId, forkTaskId: own.forkTaskId };
  }
  return { forkContextId: task.contextId, forkTaskId: task.id };
}

/** Returns the forks among the displayed tasks, each with the contexts of its versions. */
function forksOf(branches: Branch[], shown: ShownTask[]): Fork[] {
  const firsts = new Map<string, string>();
  for (const { id, contextId } of shown) if (!firsts.has(contextId)) firsts.set(contextId, id);
  const forkPoints = new Map<string, { contextId: string; taskId: string }>();
  for (const { forkContextId: contextId, forkTaskId: taskId } of branches)
    forkPoints.set(`${contextId} ${taskId}`, { contextId, taskId });
  return [...forkPoints.values()].flatMap(({ contextId, taskId }): Fork[] => {
    const others = branches.filter((branch) => branch.forkContextId === contextId && branch.forkTaskId === taskId);
    const versions = [contextId, ...others.map((branch) => branch.contextId)];
    const own = shown.find(({ id }) => id === taskId);
    if (own) return [{ taskId, versions, at: 0 }];
    const at = others.findIndex((branch) => firsts.has(branch.contextId));
    const first = at < 0 ? undefined : firsts.get(others[at]?.contextId ?? '');
    return first === undefined ? [] : [{ taskId: first, versions, at: at + 1 }];
  });
}
