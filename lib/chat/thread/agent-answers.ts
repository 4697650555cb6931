import { authorizeChat } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { imageProxyUrl } from '../../platform/image';
import { foldTask } from '../../protocol/a2a/core/events';
import { joinedText } from '../../protocol/a2a/core/message-parts';
import type { Part, TaskState } from '../../protocol/a2a/core/model';
import { cancelTask, getUserTask, readHttpTrace } from '../../tasks';
import { callerOf } from '../../tokens';
import { loadConversation } from '../conversations/chat-agent';
import type { HttpTraceView } from '../schema-thread';
import { isOwnContext } from '../store/conversation-rows';

interface TaskCall {
  ctx: Ctx;
  input: { conversationId: string; taskId: string };
}

/**
 * Cancels a task of a conversation at the agent. Output received so far is kept.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `task_not_found` for tasks of other users;
 *   `task_not_cancelable` if the task is terminal or the agent rejects the cancellation
 */
export async function cancelConversationTask({ ctx, input }: TaskCall): Promise<{ state: TaskState }> {
  const { user, agent } = await loadConversation(ctx, input.conversationId, 'chat');
  const task = await cancelTask({
    ctx: { ...ctx, actor: callerOf(user, agent) },
    input: { agent, taskId: input.taskId },
  });
  return { state: task.status.state };
}

/**
 * Returns the HTTP exchanges between Parley and the agent for one task. Secrets were redacted before storage.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `task_not_found` for tasks of other users
 */
export async function getHttpTrace({ ctx, input }: TaskCall): Promise<HttpTraceView> {
  const { user, agent } = await loadConversation(ctx, input.conversationId, 'chat');
  return readHttpTrace({ ctx: { ...ctx, actor: callerOf(user, agent) }, input: { agent, taskId: input.taskId } });
}

interface PageInput {
  taskId: string;
  artifactId: string;
  /** Index of the artifact part with which the page starts. */
  part: number;
}

/**
 * Returns an HTML artifact, unmodified. It must be served only in a sandboxed frame.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` if it is missing, another user's or not HTML
 */
export async function getArtifactPage({ ctx, input }: Call<PageInput>): Promise<string> {
  const { userId } = authorizeChat(ctx.actor);
  const task = await getUserTask({ userId, taskId: input.taskId });
  if (!task || !(await isOwnContext(userId, task.contextId))) throw pageNotFound();
  const { artifacts } = foldTask(
    { id: task.id, contextId: task.contextId, createdAt: task.createdAt.toISOString() },
    task.events.map(({ event }) => event),
  );
  const artifact = artifacts.find(({ artifactId }) => artifactId === input.artifactId);
  const html = extractPage(artifact?.parts.slice(input.part) ?? []);
  if (html === null) throw pageNotFound();
  return html;
}

/** Joins the leading HTML parts of one file; null if the first part is not HTML. */
function extractPage(parts: Part[]): string | null {
  const [first] = parts;
  if (!first || !isHtml(first)) return null;
  const end = parts.findIndex((part) => part.kind !== first.kind || part.filename !== first.filename || !isHtml(part));
  const chunks = end < 0 ? parts : parts.slice(0, end);
  if (first.kind === 'text') return joinedText(chunks);
  return Buffer.concat(chunks.map((part) => Buffer.from(part.kind === 'bytes' ? part.bytes : '', 'base64'))).toString(
    'utf8',
  );
}

function isHtml(part: Part): boolean {
  if (part.kind !== 'text' && part.kind !== 'bytes') return false;
  return (part.mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() === 'text/html';
}

function pageNotFound(): ParleyError {
  return new ParleyError('not_found', 'Page not found in your conversations.');
}

/**
 * Returns the image-proxy URL for an image that the user chose to load. The proxy hides the user's network address from
 * the image's host.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `url_refused` if the URL is not https
 */
export function signImageUrl({ ctx, input }: Call<{ url: string }>): { src: string } {
  authorizeChat(ctx.actor);
  if (!URL.canParse(input.url) || new URL(input.url).protocol !== 'https:') {
    throw new ParleyError('url_refused', 'Only images with an https URL are loaded.');
  }
  return { src: imageProxyUrl(input.url) };
}
