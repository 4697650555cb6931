import { readContextTasks } from '../gateway';
import type { Ctx } from '../platform/context';
import { isFinal } from '../protocol/a2a/core/events';
import { isTerminal } from '../protocol/a2a/core/model';
import { ThreadCursor } from './cursor';
import { type LoadedThread, loadThread, toBranchView } from './load-thread';
import { mergeChunks } from './merge-chunks';
import type { BranchView, ThreadView } from './schema';
import { findFeedback } from './store/feedback';
import { toChatAgent, toConversationView } from './to-wire';

/** Tasks that a page begins with; those before are read when somebody wants them. */
const pageSize = 30;

export interface ThreadInput {
  id: string;
  /** The version to read; none: the one with the latest message. */
  branch?: string | null;
  /** The page before this task. */
  before?: string | null;
  /**
   * A task that must be among those that are read, with all that came after it; or one of the versions that are told in place
   * of such a task.
   */
  at?: string | null;
}

/**
 * A conversation with the latest of its tasks as they stand, and the cursor from which the stream of updates goes on.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function getThread({ ctx, input }: { ctx: Ctx; input: ThreadInput }): Promise<ThreadView> {
  const thread = await loadThread(ctx, input);
  const { conversation, agent, caller } = thread;
  const branch = toBranchView(thread);
  const at = taskAt(thread, branch, input.at ?? null);
  const { from, to } = pageOf(thread, input.before ?? null, at);
  const ids = thread.tasks.slice(from, to).map(({ id }) => id);
  const [tasks, feedback] = await Promise.all([
    readContextTasks({ ctx: { ...ctx, actor: caller }, input: { agent, taskIds: ids } }),
    findFeedback(conversation.id, ids),
  ]);
  const cursor = ThreadCursor.parse(null, ctx.now);
  // The stream is that of this version's own context; what stands before its beginning came to its end there.
  const ownTasks = thread.tasks.filter(({ contextId }) => contextId === thread.contextId);
  for (const task of ownTasks) cursor.advance(task, 0, false);
  const seen = new Map(tasks.map(({ id, events }) => [id, events.at(-1)]));
  for (const task of ownTasks) {
    const last = seen.get(task.id);
    cursor.advance(task, last?.seq ?? task.lastSeq, last ? isFinal(last.event) : isTerminal(task.state));
  }
  return {
    conversation: toConversationView(conversation, agent),
    agent: toChatAgent(ctx.actor, agent),
    branch,
    at,
    tasks: tasks.map(({ id, createdAt, events }) => ({
      id,
      createdAt: createdAt.toISOString(),
      events: mergeChunks(events),
    })),
    hasOlder: from > 0,
    feedback,
    cursor: String(cursor),
  };
}

/** The task of this version that `at` means: itself, or what stands here where versions part; null when it means none. */
function taskAt({ tasks }: LoadedThread, { forks }: BranchView, at: string | null): string | null {
  if (at === null || tasks.some(({ id }) => id === at)) return at;
  // The first version of each fork is the one it was forked from, which may have others.
  return forks.find(({ versions: [, ...others] }) => others.includes(at))?.taskId ?? null;
}

function pageOf({ tasks }: LoadedThread, before: string | null, at: string | null): { from: number; to: number } {
  const known = before ? tasks.findIndex(({ id }) => id === before) : -1;
  const to = known < 0 ? tasks.length : known;
  const wanted = at ? tasks.findIndex(({ id }) => id === at) : -1;
  const from = Math.max(0, to - pageSize);
  return { from: wanted < 0 ? from : Math.min(from, wanted), to };
}
