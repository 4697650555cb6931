import { readContextTasks } from '../gateway';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { newSecret, sha256 } from '../platform/crypto';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import { shareNotFound } from './errors';
import { loadConversation } from './load-conversation';
import { loadThread } from './load-thread';
import { requireSession, SHARE_LIMIT } from './policy';
import type { CreatedShare, CreateShare, SharePreview, ShareView } from './schema';
import { findShares, hasDisabledShare, insertShare, removeShare, type Share } from './store/shares';
import { toSharedThread } from './to-shared';

/** Links that one conversation may have at once. */
const maxShares = 20;

interface PreviewInput {
  id: string;
  branch?: string | null;
  /** The last task to show; none: all. */
  until?: string | null;
}

/**
 * What a link to the conversation would show, up to and with one of its tasks.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`; `invalid_request` for a task that is not in it
 */
export async function previewShare({ ctx, input }: { ctx: Ctx; input: PreviewInput }): Promise<SharePreview> {
  const { conversation, agent, caller, tasks } = await loadThread(ctx, input);
  const last = input.until ? tasks.findIndex(({ id }) => id === input.until) : tasks.length - 1;
  if (last < 0) throw new ParleyError('invalid_request', 'until: the task is not in this conversation.');
  const taskIds = tasks.slice(0, last + 1).map(({ id }) => id);
  const sharedTasks = await readContextTasks({ ctx: { ...ctx, actor: caller }, input: { agent, taskIds } });
  return {
    thread: toSharedThread(
      conversation.title,
      agent,
      sharedTasks.map(({ id, events }) => ({ id, events: events.map(({ event }) => event) })),
    ),
    tasks: sharedTasks.map(({ id, events }) => ({ id, seq: events.at(-1)?.seq ?? 1 })),
  };
}

/**
 * Makes a link under which anyone reads what the preview showed; what is said later is not on it. The link is told once.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`; `invalid_request` for tasks that are not
 *   in the conversation; `conflict` when it has too many links, or moderation took one down
 */
export async function shareConversation({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: CreateShare & { id: string };
}): Promise<CreatedShare> {
  const { person, conversation, tasks } = await loadThread(ctx, input);
  const known = new Map(tasks.map(({ id, lastSeq }) => [id, lastSeq]));
  if (input.tasks.some(({ id, seq }) => seq > (known.get(id) ?? 0))) {
    throw new ParleyError(
      'invalid_request',
      'tasks: one is not in this conversation, or not as far as that. Read the preview again.',
    );
  }
  await consume(SHARE_LIMIT, person.userId, ctx.now);
  const token = newSecret('parley_share');
  const share = await insertShare(
    { conversationId: conversation.id, tasks: input.tasks.map(({ id, seq }) => [id, seq]), createdAt: ctx.now },
    { userId: person.userId, tokenHash: sha256(token), max: maxShares },
  );
  if (!share) throw await limitError(conversation.id);
  return { ...toShareView(share), url: `${env().APP_URL}/share/${token}` };
}

async function limitError(conversationId: string): Promise<ParleyError> {
  const text = (await hasDisabledShare(conversationId))
    ? 'Moderation has taken down a link to this conversation. It can have no other one.'
    : `A conversation has at most ${maxShares} links. Revoke one first.`;
  return new ParleyError('conflict', text);
}

/** @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found` */
export async function listShares({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<{ items: ShareView[] }> {
  const { person, conversation } = await loadConversation(ctx, input.id);
  return { items: (await findShares(person.userId, conversation.id)).map(toShareView) };
}

/**
 * Ends a link: whoever opens it from now on, on whatever node, finds nothing.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function revokeShare({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const person = requireSession(ctx.actor);
  if (!(await removeShare(person.userId, input.id))) throw shareNotFound();
}

function toShareView({ id, createdAt, tasks }: Share): ShareView {
  return { id, createdAt: createdAt.toISOString(), tasks: tasks.length };
}
