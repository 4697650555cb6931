import { type ContextTaskSummary, listContextTasks } from '../gateway';
import type { CallerActor, Ctx } from '../platform/context';
import { forksOf, segmentsOf } from './branches';
import { conversationNotFound } from './errors';
import { type LoadedConversation, loadConversation } from './load-conversation';
import { callerOf } from './policy';
import type { BranchView } from './schema';
import { type Branch, findBranches } from './store/branches';

/** A version of a conversation, with the tasks that it is made of. */
export interface LoadedThread extends LoadedConversation {
  caller: CallerActor;
  /** Context of this version; messages go there. */
  contextId: string;
  branches: Branch[];
  /** What is read, from the beginning on; each task knows the context that it is of. */
  tasks: ContextTaskSummary[];
}

/**
 * The conversation in one of its versions, the one with the latest message when none is named.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` for what is not the person's
 */
export async function loadThread(ctx: Ctx, input: { id: string; branch?: string | null }): Promise<LoadedThread> {
  const loaded = await loadConversation(ctx, input.id);
  const { person, conversation, agent } = loaded;
  const caller = callerOf(person, agent);
  const branches = await findBranches(conversation.id);
  const contextId = input.branch ?? conversation.currentContextId;
  const segments = segmentsOf({ first: conversation.contextId, branches }, contextId);
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

/** What a reader needs to know of the version. */
export function toBranchView({ conversation, branches, contextId, tasks }: LoadedThread): BranchView {
  const begins = tasks.findIndex((task) => task.contextId === contextId);
  const forks = forksOf({ first: conversation.contextId, branches }, tasks);
  return { id: contextId, beginsAt: begins > 0 ? (tasks[begins]?.id ?? null) : null, forks };
}
