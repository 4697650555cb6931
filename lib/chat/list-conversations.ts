import { findAgentById } from '../catalog';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { requireSession } from './policy';
import type { ConversationPage } from './schema';
import { type Conversation, findConversations } from './store/conversations';
import { toConversationView } from './to-wire';

const pageSize = 30;
const maxSearchLength = 200;

/** `search` is looked for in titles; `cursor` is the `nextCursor` of the page before. */
interface ListInput {
  search?: string | null;
  cursor?: string | null;
}

/**
 * The person's conversations, latest first, thirty at a time.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for a cursor that is not ours
 */
export async function listConversations({ ctx, input }: { ctx: Ctx; input: ListInput }): Promise<ConversationPage> {
  const person = requireSession(ctx.actor);
  const search = (input.search ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxSearchLength);
  const before = input.cursor ? decodeCursor(input.cursor) : null;
  const found = await findConversations(person.userId, { search, before, limit: pageSize + 1 });
  const page = found.slice(0, pageSize);
  const views = await Promise.all(
    page.map(async (conversation) => {
      const agent = await findAgentById(conversation.agentId);
      return agent ? [toConversationView(conversation, agent)] : [];
    }),
  );
  const last = page.at(-1);
  return { items: views.flat(), nextCursor: found.length > pageSize && last ? encodeCursor(last) : null };
}

function encodeCursor({ updatedAt, id }: Conversation): string {
  return `${updatedAt.getTime()}.${id}`;
}

function decodeCursor(text: string): { updatedAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.(cnv_[0-9a-z]{1,40})$/.exec(text) ?? [];
  if (time && id) return { updatedAt: new Date(Number(time)), id };
  const message = `cursor: found "${text.slice(0, 40)}"; expected one that was answered here. Leave it out to begin anew.`;
  throw new ParleyError('invalid_request', message);
}
