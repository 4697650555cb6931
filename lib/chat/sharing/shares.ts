import { findAgentById } from '../../catalog';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { readContextTasks, streamTaskEvents } from '../../tasks';
import { loadConversation } from '../conversations/chat-agent';
import { MAX_SHARES } from '../limits';
import { SHARE_LIMIT } from '../rate-limits';
import type { CreatedShare, CreateShare, SharedThread, SharePreview, ShareView } from '../schema-shares';
import type { ConversationRef } from '../store/conversation-rows';
import {
  findShareByToken,
  findShares,
  findSharesBy,
  hasDisabledShare,
  insertShare,
  removeShare,
  type Share,
} from '../store/share-rows';
import { loadThread } from '../thread/load-thread';
import { type SharedTask, toSharedThread } from './to-shared-thread';

interface PreviewInput {
  id: string;
  branch?: string | null;
  /** The last task to show. By default, all tasks are shown. */
  until?: string | null;
}

/**
 * Returns the content that a link to the conversation would show, up to and including one of its tasks.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`; `invalid_request` for a task that is not in it
 */
export async function previewShare({ ctx, input }: Call<PreviewInput>): Promise<SharePreview> {
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
 * Creates a public link to the previewed content. Later messages are not included. The URL is returned only once.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`; `invalid_request` for tasks that
 *   are not in the conversation; `conflict` if it has too many links, or moderation disabled one
 */
export async function shareConversation({ ctx, input }: Call<CreateShare & { id: string }>): Promise<CreatedShare> {
  const { user, conversation, tasks } = await loadThread(ctx, input);
  const known = new Map(tasks.map(({ id, lastSeq }) => [id, lastSeq]));
  if (input.tasks.some(({ id, seq }) => seq > (known.get(id) ?? 0))) {
    throw new ParleyError(
      'invalid_request',
      'tasks: a task is not in this conversation, or has fewer events than the preview showed. Get the preview again.',
    );
  }
  await consume(SHARE_LIMIT, user.userId, ctx.now);
  const token = newSecret('parley_share');
  const share = await insertShare(
    { conversationId: conversation.id, tasks: input.tasks.map(({ id, seq }) => [id, seq]), createdAt: ctx.now },
    { userId: user.userId, tokenHash: sha256(token), max: MAX_SHARES },
  );
  if (!share) throw await limitError(conversation);
  return { ...toShareView(share), url: `${env().APP_URL}/share/${token}` };
}

async function limitError(conversation: ConversationRef): Promise<ParleyError> {
  const text = (await hasDisabledShare(conversation))
    ? 'Moderators took down a link to this conversation, so you cannot create another one.'
    : `A conversation has at most ${MAX_SHARES} links. Revoke one first.`;
  return new ParleyError('conflict', text);
}

/**
 * Lists the active links to a conversation.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function listShares({ ctx, input }: Call<{ id: string }>): Promise<{ items: ShareView[] }> {
  const { user, conversation } = await loadConversation(ctx, input.id);
  return { items: (await findShares(user.userId, conversation.id)).map(toShareView) };
}

/**
 * Lists all links that the user created, including disabled ones, for the account export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnShares({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return findSharesBy(authorize(ctx.actor, 'session').userId);
}

/**
 * Revokes a link, immediately on every node.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function revokeShare({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const user = authorize(ctx.actor, 'session');
  if (!(await removeShare(user.userId, input.id))) throw shareNotFound();
}

function toShareView({ id, createdAt, tasks }: Share): ShareView {
  return { id, createdAt: createdAt.toISOString(), tasks: tasks.length };
}

/** The moderators' view of a shared link. */
interface FoundShare {
  id: string;
  userId: string;
  agentId: string;
  title: string;
}

/** Finds the link with this token; null if it is unknown, revoked or disabled. */
export async function findShare(token: string): Promise<FoundShare | null> {
  const share = await findShareByToken(sha256(token));
  return share && { id: share.id, userId: share.userId, agentId: share.agentId, title: share.title };
}

/**
 * Returns the public content of a link.
 * @throws {ParleyError} `not_found` for unknown, revoked and disabled links, and for deleted conversations
 */
export async function getSharedThread({ input }: { input: { token: string } }): Promise<SharedThread> {
  const share = await findShareByToken(sha256(input.token));
  const agent = share && (await findAgentById(share.agentId));
  if (!share || !agent) throw shareNotFound();
  const sharedTasks: SharedTask[] = [];
  // Sequentially and without file contents, to limit the memory of a public request.
  for (const [id, until] of share.tasks)
    sharedTasks.push({ id, events: await eventsUntil({ principal: share.userId, id }, until) });
  return toSharedThread(share.title, agent, sharedTasks);
}

async function eventsUntil(task: Parameters<typeof streamTaskEvents>[0], until: number): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const { seq, event } of streamTaskEvents(task)) {
    if (seq > until) break;
    events.push(withoutBytes(event));
  }
  return events;
}

/** Removes file contents, because a shared thread shows only the names of files. */
function withoutBytes(event: TaskEvent): TaskEvent {
  if (event.type !== 'artifact') return event;
  const parts = event.artifact.parts.map((part) => (part.kind === 'bytes' ? { ...part, bytes: '' } : part));
  return { ...event, artifact: { ...event.artifact, parts } };
}

/** Returns the same error for unknown, revoked and disabled links, and for deleted conversations. */
function shareNotFound(): ParleyError {
  return new ParleyError('not_found', 'Shared conversation not found. Its link may have been revoked.');
}
