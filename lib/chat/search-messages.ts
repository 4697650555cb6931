import { findAgentById, foldText } from '../catalog';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { excerptOf } from './excerpt';
import { requireSession, SEARCH_LIMIT } from './policy';
import type { SearchHit, SearchResult } from './schema';
import { indexUserConversations } from './search-index';
import { findConversation } from './store/conversations';
import { findTexts } from './store/search-index';
import { toConversationView } from './to-wire';

const maxQueryLength = 200;
const maxWords = 8;
const maxHits = 50;
const perConversation = 3;

interface SearchInput {
  text: string;
  /** Only in this conversation, and there everything. */
  conversationId?: string | null;
}

/**
 * Messages and answers of the person's conversations that contain all words of a text, in any script and case, latest first.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `rate_limited`
 */
export async function searchMessages({ ctx, input }: { ctx: Ctx; input: SearchInput }): Promise<SearchResult> {
  const { userId } = requireSession(ctx.actor);
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
    perConversation: isSingle ? maxHits : perConversation,
    limit: maxHits + 1,
  });
  const hits = await Promise.all(
    found.slice(0, maxHits).map(async ({ text, saidAt, taskId, role, contextId, ...ref }): Promise<SearchHit[]> => {
      const conversation = await findConversation(userId, ref.conversationId);
      const agent = conversation && (await findAgentById(conversation.agentId));
      if (!conversation || !agent) return [];
      return [
        {
          conversation: toConversationView(conversation, agent),
          branch: contextId,
          taskId,
          role,
          at: saidAt.toISOString(),
          excerpt: excerptOf(text, words),
        },
      ];
    }),
  );
  return { hits: hits.flat(), more: found.length > maxHits };
}

/** The words to look for, folded; what is written without spaces is one word and is found as it stands. */
function wordsOf(text: string): string[] {
  const words = foldText(text.replace(/\p{Cc}/gu, ' ').slice(0, maxQueryLength)).split(/\s+/);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, maxWords);
}
