import { isObject, type JsonObject, type JsonValue } from '../../../protocol/json';
import type { ClientCapabilities } from '../../../protocol/mcp/messages';
import type { Question } from '../..';
import { MAX_ANSWER_TEXT } from '../../limits';

/**
 * The question as requests to the client by key (2026-07-28, Multi Round-Trip Requests); null if the client does not
 * support them.
 */
export function toInputRequests(question: Question | null, client: ClientCapabilities): JsonObject | null {
  if (question?.kind === 'link' && client.links) {
    const { key, text: message, url } = question;
    return { [key]: { method: 'elicitation/create', params: { mode: 'url', message, url } } };
  }
  if (question?.kind === 'form' && client.forms) {
    const { key, text: message } = question;
    const answer = { type: 'string', title: 'Answer', minLength: 1, maxLength: MAX_ANSWER_TEXT };
    const requestedSchema = { type: 'object', properties: { answer }, required: ['answer'] };
    return { [key]: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } };
  }
  return null;
}

/** The user's response: an answer, an opened link, or a refusal. */
export type InputResponse = { action: 'answered'; text: string } | { action: 'opened' } | { action: 'refused' };

/** The response to a question; null when it is missing or not valid, so that the client has to ask again. */
export function readInputResponse(responses: JsonValue | undefined, { key, kind }: Question): InputResponse | null {
  const response = isObject(responses) && Object.hasOwn(responses, key) ? responses[key] : undefined;
  if (!isObject(response)) return null;
  const { action, content } = response;
  if (action === 'decline' || action === 'cancel') return { action: 'refused' };
  if (action !== 'accept') return null;
  if (kind === 'link') return { action: 'opened' };
  const text = isObject(content) ? content.answer : undefined;
  const isValid = typeof text === 'string' && text.trim() !== '' && text.length <= MAX_ANSWER_TEXT;
  return isValid ? { action: 'answered', text } : null;
}
