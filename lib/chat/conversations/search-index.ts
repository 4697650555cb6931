import { foldText } from '../../catalog';
import { foldTask, type TaskEvent, withoutRefusedMessages } from '../../protocol/a2a/core/events';
import type { Part } from '../../protocol/a2a/core/model';
import { listTasksInContexts, streamTaskEvents } from '../../tasks';
import { INDEX_BATCH_SIZE, MAX_INDEXED_PER_SEARCH, MAX_INDEXED_TEXT_LENGTH } from '../limits';
import {
  claimIdleConversation,
  findIndexedSeqs,
  findStaleConversations,
  type IndexedText,
  markIndexed,
  type StaleConversation,
  saveTexts,
} from '../store/search-index-rows';

/** Indexes idle conversations, each on one node. Returns their number. */
export async function indexIdleConversations(now: Date): Promise<number> {
  let indexed = 0;
  // Claimed one at a time: a conversation claimed by a node that then stops would not be indexed.
  for (; indexed < INDEX_BATCH_SIZE; indexed++) {
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

/** Indexes the user's latest messages before a search. */
export async function indexUserConversations(userId: string, now: Date): Promise<void> {
  for (const conversation of await findStaleConversations(userId, MAX_INDEXED_PER_SEARCH)) {
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

/** The texts of a task: the messages of both sides, then the artifacts. */
function extractTexts(task: { id: string; contextId: string; createdAt: Date }, events: TaskEvent[]): IndexedText[] {
  const { id, contextId, createdAt } = task;
  const foldedTask = foldTask(
    { id, contextId, createdAt: createdAt.toISOString() },
    withoutRefusedMessages(events).filter(isConversational),
  );
  const messages = foldedTask.history.map(({ role, parts }) => ({ role, text: textOf(parts) }));
  const artifacts = foldedTask.artifacts.map(({ name, parts }) => ({
    role: 'agent' as const,
    text: [name, textOf(parts)].filter(Boolean).join('\n'),
  }));
  return [...messages, ...artifacts].flatMap(({ role, text }, position) =>
    text.trim() === '' ? [] : [{ position, role, sentAt: createdAt, text, folded: foldText(text) }],
  );
}

/** Excludes Parley's own error statuses, which are not part of the conversation. */
function isConversational(event: TaskEvent): boolean {
  return event.type !== 'status' || event.metadata?.['parley.error'] === undefined;
}

function textOf(parts: Part[]): string {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : (part.filename ?? '')));
  return texts.filter(Boolean).join('\n').replaceAll('\0', '').slice(0, MAX_INDEXED_TEXT_LENGTH);
}
