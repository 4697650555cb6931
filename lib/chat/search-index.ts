import { listTasksInContexts, streamTaskEvents } from '../gateway';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { extractTexts } from './extract-texts';
import {
  claimIdleConversation,
  findIndexedSeqs,
  findStaleConversations,
  markIndexed,
  type StaleConversation,
  saveTexts,
} from './store/search-index';

const batchSize = 50;
const maxPerSearch = 100;

/**
 * Takes what was said in conversations that have come to rest into the search, each by one node. Answers how many.
 */
export async function indexIdleConversations(now: Date): Promise<number> {
  let indexed = 0;
  // Claimed one by one: what a node that ends has claimed and not done would stay unknown.
  for (; indexed < batchSize; indexed++) {
    const conversation = await claimIdleConversation(now);
    if (!conversation) break;
    try {
      await indexConversation(conversation);
    } catch (error) {
      await markIndexed(conversation.id, null);
      throw error;
    }
  }
  return indexed;
}

/** Takes the latest of what was said in one person's conversations into the search, just before they search. */
export async function indexUserConversations(userId: string, now: Date): Promise<void> {
  for (const conversation of await findStaleConversations(userId, maxPerSearch)) {
    await indexConversation(conversation);
    await markIndexed(conversation.id, now);
  }
}

async function indexConversation(conversation: StaleConversation): Promise<void> {
  const { id, userId, agentId, contextIds } = conversation;
  const [tasks, known] = await Promise.all([
    listTasksInContexts({ principal: userId, agentId, delegation: null }, contextIds),
    findIndexedSeqs(id),
  ]);
  for (const task of tasks) {
    if ((known.get(task.id) ?? 0) >= task.lastSeq) continue;
    const events: TaskEvent[] = [];
    let seq = 0;
    for await (const step of streamTaskEvents(task.id)) {
      events.push(step.event);
      seq = step.seq;
    }
    await saveTexts({
      conversation,
      taskId: task.id,
      contextId: task.contextId,
      seq,
      texts: extractTexts(task, events),
    });
  }
}
