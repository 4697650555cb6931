import { LRUCache } from 'lru-cache';
import { findAgentById, foldText } from '../../catalog';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Call } from '../../platform/context';
import { foldTask, type TaskEvent, withoutRefusedMessages } from '../../protocol/a2a/core/events';
import type { Part } from '../../protocol/a2a/core/model';
import { listTasksInContexts, streamTaskEvents } from '../../tasks';
import {
  EXCERPT_CONTEXT_LENGTH,
  FOLD_STEP_LENGTH,
  HITS_PER_CONVERSATION,
  INDEX_BATCH_SIZE,
  MAX_FOLD_CACHE,
  MAX_INDEXED_PER_SEARCH,
  MAX_INDEXED_TEXT_LENGTH,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  MAX_SEARCH_HITS,
} from '../limits';
import { SEARCH_LIMIT } from '../rate-limits';
import type { Excerpt, SearchHit, SearchResult } from '../schema';
import { findConversation } from '../store/conversation-rows';
import {
  claimIdleConversations,
  findIndexedSeqs,
  findStaleConversations,
  findTexts,
  type IndexedText,
  markIndexed,
  type StaleConversation,
  saveTexts,
} from '../store/search-index-rows';
import { toConversationView } from './conversations';

interface SearchInput {
  text: string;
  /** Searches only this conversation, without the maximum per conversation. */
  conversationId?: string | null;
}

/**
 * Finds the user's messages and answers that contain every word of a text, newest first. Ignores case and supports any
 * script.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `rate_limited`
 */
export async function searchMessages({ ctx, input }: Call<SearchInput>): Promise<SearchResult> {
  const { userId } = authorize(ctx.actor, 'session');
  const words = wordsOf(input.text);
  if (words.length === 0) return { hits: [], more: false };
  await consume(SEARCH_LIMIT, userId, ctx.now);
  await indexUserConversations(userId, ctx.now);
  const conversationId = input.conversationId ?? null;
  const isSingle = conversationId !== null;
  const found = await findTexts({
    userId,
    words,
    conversationId,
    perConversation: isSingle ? MAX_SEARCH_HITS : HITS_PER_CONVERSATION,
    limit: MAX_SEARCH_HITS + 1,
  });
  const shown = found.slice(0, MAX_SEARCH_HITS);
  const hits = await Promise.all(
    shown.map(async ({ text, sentAt, taskId, role, contextId, ...ref }): Promise<SearchHit[]> => {
      const conversation = await findConversation(userId, ref.conversationId);
      const agent = conversation && (await findAgentById(conversation.agentId));
      if (!conversation || !agent) return [];
      return [
        {
          conversation: toConversationView(conversation, agent),
          branch: contextId,
          taskId,
          role,
          at: sentAt.toISOString(),
          excerpt: excerptOf(text, words),
        },
      ];
    }),
  );
  return { hits: hits.flat(), more: found.length > MAX_SEARCH_HITS };
}

/** Returns the folded search words. Text without spaces is one word and is matched as a substring. */
function wordsOf(text: string): string[] {
  const words = foldText(text.replace(/\p{Cc}/gu, ' ').slice(0, MAX_QUERY_LENGTH)).split(/\s+/);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_QUERY_WORDS);
}

/** Returns the original text around the first of these folded words, or the start of the text if none occurs. */
export function excerptOf(text: string, words: string[]): Excerpt {
  const line = text.replace(/\s+/g, ' ').trim();
  const { folded, origins } = foldUpTo(line, words);
  const matches = words.map((word) => ({ at: folded.indexOf(word), length: word.length })).filter(({ at }) => at >= 0);
  const first = matches.sort((a, b) => a.at - b.at)[0];
  if (!first) return { before: truncate(line), match: '', after: '' };
  const from = origins[first.at] ?? 0;
  const to = origins[first.at + first.length];
  return {
    before: truncateStart(line.slice(0, from)),
    match: line.slice(from, to),
    after: truncate(line.slice(to)),
  };
}

/**
 * Folds a text until one of the words occurs. `origins` maps each folded character to its offset in the text; its last
 * element is the offset at which folding stopped.
 */
function foldUpTo(text: string, words: string[]): { folded: string; origins: number[] } {
  let folded = '';
  const origins: number[] = [];
  let at = 0;
  let next = FOLD_STEP_LENGTH;
  let searchedUpTo = 0;
  for (const character of text) {
    const part = foldCharacter(character);
    for (let index = 0; index < part.length; index++) origins.push(at);
    folded += part;
    at += character.length;
    if (at < next) continue;
    if (words.some((word) => folded.includes(word, searchedUpTo))) break;
    // A word may span two steps.
    searchedUpTo = Math.max(0, folded.length - FOLD_STEP_LENGTH);
    next += FOLD_STEP_LENGTH;
  }
  origins.push(at);
  return { folded, origins };
}

const foldCache = new LRUCache<string, string>({ max: MAX_FOLD_CACHE });

function foldCharacter(character: string): string {
  const cached = foldCache.get(character);
  if (cached !== undefined) return cached;
  const folded = foldText(character);
  foldCache.set(character, folded);
  return folded;
}

function truncate(text: string): string {
  const characters = [...text];
  if (characters.length <= EXCERPT_CONTEXT_LENGTH * 2) return text;
  return `${characters
    .slice(0, EXCERPT_CONTEXT_LENGTH * 2)
    .join('')
    .trimEnd()}…`;
}

function truncateStart(text: string): string {
  const characters = [...text];
  if (characters.length <= EXCERPT_CONTEXT_LENGTH) return text;
  return `…${characters.slice(-EXCERPT_CONTEXT_LENGTH).join('').trimStart()}`;
}

/** Indexes idle conversations, each on one node. Returns their number. */
export async function indexIdleConversations(now: Date): Promise<number> {
  let indexed = 0;
  // Claimed individually, because a conversation claimed by a node that then stops would not be indexed.
  while (indexed < INDEX_BATCH_SIZE) {
    const claimed = await claimIdleConversations(now);
    if (claimed.length === 0) break;
    await Promise.all(claimed.map(indexClaimed));
    indexed += claimed.length;
  }
  return indexed;
}

async function indexClaimed(conversation: StaleConversation): Promise<void> {
  try {
    await indexConversation(conversation);
  } catch (error) {
    await markIndexed(conversation, null);
    throw error;
  }
}

/** Indexes the user's latest messages before a search. */
async function indexUserConversations(userId: string, now: Date): Promise<void> {
  for (const conversation of await findStaleConversations(userId, MAX_INDEXED_PER_SEARCH)) {
    await indexConversation(conversation);
    await markIndexed(conversation, now);
  }
}

async function indexConversation(conversation: StaleConversation): Promise<void> {
  const { userId, agentId, contextIds } = conversation;
  const [tasks, known] = await Promise.all([
    listTasksInContexts({ principal: userId, agentId, delegation: null }, contextIds),
    findIndexedSeqs(conversation),
  ]);
  for (const task of tasks) {
    if ((known.get(task.id) ?? 0) >= task.lastSeq) continue;
    const events: TaskEvent[] = [];
    let seq = 0;
    for await (const step of streamTaskEvents(task)) {
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

/** Returns the texts of a task: the messages of both sides, then the artifacts. */
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

/** Returns false for Parley's own error statuses, which are not part of the conversation. */
function isConversational(event: TaskEvent): boolean {
  return event.type !== 'status' || event.metadata?.['parley.error'] === undefined;
}

function textOf(parts: Part[]): string {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : (part.filename ?? '')));
  return texts.filter(Boolean).join('\n').replaceAll('\0', '').slice(0, MAX_INDEXED_TEXT_LENGTH);
}
