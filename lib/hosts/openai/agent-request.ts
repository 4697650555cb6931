import { hmac, sha256 } from '../../platform/secrets/crypto';
import { type ClientIdentity, readIdentity } from '../client-identity';
import type { ChatCompletionRequest } from '../schema-openai';
import type { ResponseRequest } from '../schema-responses';
import { readInput, readMessages, tokenOfId } from './read-input';
import type { TranscriptMessage, TurnToken } from './transcript';

/** A request of either of OpenAI's APIs to an agent. */
export interface AgentRequest extends ClientIdentity {
  /** The agent's slug. */
  model: string;
  isStream: boolean;
  messages: TranscriptMessage[];
  /** The JSON pointer to the messages of the request. */
  pointer: '/messages' | '/input';
  /** The context to continue, if the client specifies it. */
  contextId?: string;
  /** The response to continue. */
  previous?: { id: string; token: TurnToken | null };
  idempotencyKey?: string;
  /** True if the client states that this is a repeated request. */
  isRepeat: boolean;
  /** Hash of all content that distinguishes the request from others. */
  fingerprint: string;
}

/** The data of a request's headers. */
export interface RequestHeaders {
  get(name: string): string | null;
  /** `X-Parley-Context`. */
  contextId: string | undefined;
  idempotencyKey: string | undefined;
}

type Content = Omit<AgentRequest, keyof ClientIdentity | 'fingerprint' | 'isRepeat' | 'idempotencyKey'>;

/**
 * Converts a chat completion to a request to an agent.
 * @throws {ParleyError} `invalid_request` for a file that cannot be read
 */
export function chatRequestOf(body: ChatCompletionRequest, headers: RequestHeaders): AgentRequest {
  const { model, stream, messages } = body;
  const { contextId } = headers;
  const content = { model, isStream: stream === true, messages: readMessages(messages), contextId };
  return toRequest({ ...content, pointer: '/messages' }, readIdentity(body, headers.get), headers);
}

/**
 * Converts a response to a request to an agent. The `conversation` of an end user is a context.
 * @throws {ParleyError} `invalid_request` for a file that cannot be read
 */
export function responseRequestOf(body: ResponseRequest, headers: RequestHeaders): AgentRequest {
  const { model, stream, previous_response_id: id, conversation } = body;
  const identity = readIdentity(body, headers.get);
  const named = typeof conversation === 'string' ? conversation : conversation?.id;
  const contextId = named ? contextOf(identity, named) : headers.contextId;
  const previous = id ? { id, token: tokenOfId(id) } : undefined;
  const content = { model, isStream: stream === true, messages: readInput(body), contextId, previous };
  return toRequest({ ...content, pointer: '/input' }, identity, headers);
}

function contextOf({ endUser }: ClientIdentity, conversation: string): string {
  return `conv_${hmac('openai-conversation', JSON.stringify([endUser, conversation]))}`;
}

function toRequest(content: Content, identity: ClientIdentity, headers: RequestHeaders): AgentRequest {
  const { idempotencyKey } = headers;
  const { isStream: _, ...compared } = content;
  return {
    ...content,
    ...identity,
    idempotencyKey,
    // OpenAI's libraries count the retries of a request.
    isRepeat: idempotencyKey !== undefined || Number(headers.get('x-stainless-retry-count') ?? 0) > 0,
    fingerprint: sha256(JSON.stringify([compared, identity, idempotencyKey])),
  };
}
