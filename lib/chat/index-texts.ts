import { listTasksIn, readStory } from '../gateway';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { claimSettled, findIndexed, findStale, keepTexts, markIndexed, type StaleConversation } from './store/texts';
import { textsOfTask } from './texts-of-task';

const perRound = 50;
const perSearch = 100;

/**
 * Takes what was said in conversations that have come to rest into the search, each by one node. Answers how many.
 */
export async function indexSettledTexts(now: Date): Promise<number> {
  let taken = 0;
  // Claimed one by one: what a node that ends has claimed and not done would stay unknown.
  for (; taken < perRound; taken++) {
    const conversation = await claimSettled(now);
    if (!conversation) break;
    try {
      await indexConversation(conversation);
    } catch (error) {
      await markIndexed(conversation.id, null);
      throw error;
    }
  }
  return taken;
}

/** Takes the latest of what was said in one person's conversations into the search, just before they search. */
export async function indexTextsOf(userId: string, now: Date): Promise<void> {
  for (const conversation of await findStale(userId, perSearch)) {
    await indexConversation(conversation);
    await markIndexed(conversation.id, now);
  }
}

async function indexConversation(conversation: StaleConversation): Promise<void> {
  const { id, userId, agentId, contextIds } = conversation;
  const [tasks, known] = await Promise.all([
    listTasksIn({ principal: userId, agentId, delegation: null }, contextIds),
    findIndexed(id),
  ]);
  for (const task of tasks) {
    if ((known.get(task.id) ?? 0) >= task.lastSeq) continue;
    const events: TaskEvent[] = [];
    let seq = 0;
    for await (const step of readStory(task.id)) {
      events.push(step.event);
      seq = step.seq;
    }
    await keepTexts({
      conversation,
      taskId: task.id,
      contextId: task.contextId,
      seq,
      texts: textsOfTask(task, events),
    });
  }
}
