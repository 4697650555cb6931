import type {
  ChangeConversation,
  ConversationPage,
  ConversationView,
  PostedMessage,
  PostMessage,
  SearchResult,
} from '../../../lib/chat/schema';
import type { FeedbackView, GiveFeedback, ThreadView } from '../../../lib/chat/schema-thread';
import type { ChainView } from '../../../lib/tasks/schema-chains';
import { inLanguage } from '../../forms/call-api';

/** Timeout of a request to our own server, milliseconds. Canceling a task waits for the agent instead. */
const timeoutMs = 30_000;

/** The reason why a request failed. */
type Reason = 'offline' | 'noAnswer' | 'canceled' | 'refused';

/** Why a message was not paid, and the page of Parley on which the user can change that. */
export interface Unpaid {
  cause: string;
  path: string;
}

/** A failed request. `useProblem` returns the text for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Set if a message was not paid. */
  unpaid: Unpaid | null = null;

  constructor(
    /** HTTP status; 0 without a response. */
    readonly status: number,
    readonly reason: Reason,
    /** The problem's title; null if there is none. */
    readonly title: string | null = null,
  ) {
    super(title ?? reason);
  }
}

/** A message being sent. */
interface PendingPost {
  response: Promise<PostedMessage>;
  cancel: () => void;
}

/** The upload progress, 0 to 1, or `checked` while the browser of a guest proves that it is not a bot. */
export type SendProgress = number | 'checked';

/** Sends a message; one with files reports its upload progress. `asGuest`: starts a guest session first. */
export function postMessage(
  message: PostMessage,
  { asGuest, onProgress }: { asGuest: boolean; onProgress: (progress: SendProgress) => void },
): PendingPost {
  const url = '/api/chat/messages';
  if (asGuest) {
    // Most people have an account.
    const response = import('../guests/start-guest').then(async ({ startGuest }) => {
      const problem = await startGuest(() => onProgress('checked'));
      if (problem !== null) throw new ApiError(403, 'refused', problem);
      return postMessage(message, { asGuest: false, onProgress }).response;
    });
    return { response, cancel: () => undefined };
  }
  if (message.files.length > 0) return upload(url, JSON.stringify(message), onProgress);
  return { response: call('POST', url, message), cancel: () => undefined };
}

/**
 * Cancels a task.
 * @throws {ApiError} 409 if the task cannot be canceled
 */
export function cancelTask(conversationId: string, taskId: string): Promise<unknown> {
  return call('POST', `${taskUrl(taskId)}/cancel`, { conversationId });
}

/** Returns one branch of a conversation: its latest tasks, or those before a known one. */
export function readThread(conversationId: string, branch?: string, beforeTaskId?: string): Promise<ThreadView> {
  const query = new URLSearchParams({ ...(branch && { branch }), ...(beforeTaskId && { before: beforeTaskId }) });
  return call('GET', `${conversationUrl(conversationId)}?${query}`);
}

/** Returns the URL of the stream of updates, starting at a cursor. */
export function eventsUrl(conversationId: string, branch: string, cursor: string): string {
  return `${conversationUrl(conversationId)}/events?${new URLSearchParams({ branch, after: cursor })}`;
}

/** Returns the URL of a message search, which is also its cache key. */
export function searchUrl(text: string, conversationId: string | null): string {
  return `/api/chat/search?${new URLSearchParams({ q: text, ...(conversationId && { conversation: conversationId }) })}`;
}

export function readSearch(url: string): Promise<SearchResult> {
  return call('GET', url);
}

/**
 * Reads a chain.
 * @throws {ApiError} 404 if the task has no chain
 */
export function readChain(rootTaskId: string): Promise<ChainView> {
  return call('GET', chainUrl(rootTaskId));
}

/** Cancels the delegated tasks of a chain, then the root task, and refuses further calls. */
export function stopChain(rootTaskId: string): Promise<unknown> {
  return call('POST', `${chainUrl(rootTaskId)}/stop`, {});
}

export function giveFeedback(taskId: string, seq: number, feedback: GiveFeedback): Promise<FeedbackView> {
  return call('PUT', `${taskUrl(taskId)}/feedback/${seq}`, feedback);
}

export function withdrawFeedback(conversationId: string, taskId: string, seq: number): Promise<unknown> {
  return call('DELETE', `${taskUrl(taskId)}/feedback/${seq}?${new URLSearchParams({ conversation: conversationId })}`);
}

export interface ConversationListFilter {
  /** A part of a title. If empty, all are listed. */
  search: string;
  /** Selects the archived or the deleted conversations instead of the others. */
  view: 'all' | 'archived' | 'deleted';
}

/** Returns the URL of a page of the sidebar, which is also its cache key. */
export function conversationsUrl({ search, view }: ConversationListFilter, cursor: string | null): string {
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...(view !== 'all' && { [view]: 'true' }),
    ...(cursor && { cursor }),
  });
  return `/api/chat/conversations?${query}`;
}

export function readConversations(url: string): Promise<ConversationPage> {
  return call('GET', url);
}

export function changeConversation(id: string, change: ChangeConversation): Promise<ConversationView> {
  return call('PATCH', conversationUrl(id), change);
}

export function deleteConversation(id: string): Promise<unknown> {
  return call('DELETE', conversationUrl(id));
}

export function conversationUrl(id: string): string {
  return `/api/chat/conversations/${encodeURIComponent(id)}`;
}

export function taskUrl(id: string): string {
  return `/api/chat/tasks/${encodeURIComponent(id)}`;
}

/** Returns the address of a chain in the API. */
export function chainUrl(rootTaskId: string): string {
  return `/api/chat/chains/${encodeURIComponent(rootTaskId)}`;
}

/** Calls the API. @throws {ApiError} if it refuses or cannot be reached */
export async function call<Body>(method: string, url: string, body?: object): Promise<Body> {
  const response = await send(method, url, body);
  if (!response.ok) {
    const { status, headers } = response;
    throw toApiError(url, { status, body: await response.text(), retryAfter: headers.get('retry-after') });
  }
  return (response.status === 204 ? null : await response.json()) as Body;
}

async function send(method: string, url: string, body?: object): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, navigator.onLine ? 'noAnswer' : 'offline');
  }
}

interface Refusal {
  status: number;
  body: string;
  retryAfter: string | null;
}

/** Reads a problem document (RFC 9457). Any other body, such as a proxy's page, has no title. */
function toApiError(url: string, { status, body, retryAfter }: Refusal): ApiError {
  try {
    const { title, code, cause, approveUrl } = JSON.parse(body);
    const error = new ApiError(status, 'refused', inLanguage(url, { title, code }, retryAfter).title ?? null);
    if (code === 'payment_required') error.unpaid = { cause, path: new URL(approveUrl).pathname };
    return error;
  } catch {
    return new ApiError(status, 'refused');
  }
}

/** `fetch` reports no upload progress. */
function upload<Body>(
  url: string,
  body: string,
  onProgress: (progress: number) => void,
): { response: Promise<Body>; cancel: () => void } {
  const request = new XMLHttpRequest();
  const result = new Promise<Body>((resolve, reject) => {
    const fail = (reason: Reason): void => reject(new ApiError(0, reason));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onabort = () => fail('canceled');
    request.onerror = () => fail(navigator.onLine ? 'noAnswer' : 'offline');
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) return resolve(JSON.parse(responseText) as Body);
      reject(toApiError(url, { status, body: responseText, retryAfter: request.getResponseHeader('retry-after') }));
    };
    request.open('POST', url);
    request.setRequestHeader('content-type', 'application/json');
    onProgress(0);
    request.send(body);
  });
  return { response: result, cancel: () => request.abort() };
}
