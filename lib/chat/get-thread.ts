import { readContext } from '../gateway';
import type { Ctx } from '../platform/context';
import { isFinal } from '../protocol/a2a/core/events';
import { openConversation } from './conversation';
import { ThreadCursor } from './cursor';
import { joinChunks } from './join-chunks';
import { callerOf } from './policy';
import type { ThreadView } from './schema';
import { toChatAgent, toConversationView } from './to-wire';

/**
 * A conversation with all its tasks as they stand, and the cursor from which the stream of updates goes on.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function getThread({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<ThreadView> {
  const { person, conversation, agent } = await openConversation(ctx, input.id);
  const { contextId } = conversation;
  const tasks = await readContext({ ctx: { ...ctx, actor: callerOf(person, agent) }, input: { agent, contextId } });
  const cursor = ThreadCursor.read(null, ctx.now);
  for (const task of tasks) cursor.note(task, 0, false);
  for (const task of tasks) {
    const last = task.events.at(-1);
    if (last) cursor.note(task, last.seq, isFinal(last.event));
  }
  return {
    conversation: toConversationView(conversation, agent),
    agent: toChatAgent(ctx.actor, agent),
    tasks: tasks.map(({ id, createdAt, events }) => ({
      id,
      createdAt: createdAt.toISOString(),
      events: joinChunks(events),
    })),
    cursor: String(cursor),
  };
}
