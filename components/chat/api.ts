import type { ConversationPage, ConversationView, PostedMessage, PostMessage, ThreadView } from '../../lib/chat/schema';

/** How long an answer of our own server may take, milliseconds. Stopping waits for the agent. */
const answerMs = 30_000;

/** A request that did not do what was asked; `message` is for the person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function postMessage(message: PostMessage): Promise<PostedMessage> {
  return call('POST', '/api/chat/messages', message);
}

/** @throws {ApiError} 409 when the task cannot be stopped */
export function cancelTask(conversationId: string, taskId: string): Promise<unknown> {
  return call('POST', `/api/chat/tasks/${encodeURIComponent(taskId)}/cancel`, { conversationId });
}

export function readThread(conversationId: string): Promise<ThreadView> {
  return call('GET', conversationUrl(conversationId));
}

/** Address of the stream of updates, from a cursor on. */
export function eventsUrl(conversationId: string, cursor: string): string {
  return `${conversationUrl(conversationId)}/events?${new URLSearchParams({ after: cursor })}`;
}

/** Address of a page of the sidebar; also the key under which it is kept. */
export function conversationsUrl(search: string, cursor: string | null): string {
  const query = new URLSearchParams({ ...(search ? { q: search } : {}), ...(cursor ? { cursor } : {}) });
  return `/api/chat/conversations?${query}`;
}

export function readConversations(url: string): Promise<ConversationPage> {
  return call('GET', url);
}

export function renameConversation(id: string, title: string): Promise<ConversationView> {
  return call('PATCH', conversationUrl(id), { title });
}

export function deleteConversation(id: string): Promise<unknown> {
  return call('DELETE', conversationUrl(id));
}

function conversationUrl(id: string): string {
  return `/api/chat/conversations/${encodeURIComponent(id)}`;
}

async function call<Answer>(method: string, url: string, body?: object): Promise<Answer> {
  const response = await send(method, url, body);
  if (!response.ok) throw new ApiError(response.status, await titleOf(response));
  return (response.status === 204 ? null : await response.json()) as Answer;
}

async function send(method: string, url: string, body?: object): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      signal: AbortSignal.timeout(answerMs),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, navigator.onLine ? 'Parley did not answer.' : 'You are offline.');
  }
}

/** What a problem document (RFC 9457) says. */
async function titleOf(response: Response): Promise<string> {
  const fallback = `Something went wrong (HTTP ${response.status}).`;
  if (!response.headers.get('content-type')?.includes('json')) return fallback;
  const problem = (await response.json()) as { title?: unknown };
  return typeof problem.title === 'string' ? problem.title : fallback;
}
