import { sha256 } from '../../platform/crypto';
import { ParleyError } from '../../platform/errors';
import type { Part } from '../../protocol/a2a/core/model';
import type { ChatMessage } from '../schema-openai';
import { readContent, textOf } from './read-content';

/** The messages of a request: those up to the last answer, and those that the agent has not seen yet. */
export interface Transcript {
  earlier: ChatMessage[];
  next: ChatMessage[];
}

/**
 * Splits a transcript after its last answer. Instructions alone are a message: some hosts ask for a title so.
 * @throws {ParleyError} `invalid_request` when nothing follows the last answer
 */
export function readTranscript(messages: ChatMessage[]): Transcript {
  const answers = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const [earlier, next] = [messages.slice(0, answers), messages.slice(answers)];
  if (next.some(({ role }) => role === 'user')) return { earlier, next };
  const last = messages.at(-1);
  if (last && messages.every(isInstruction))
    return { earlier, next: [...messages.slice(0, -1), { ...last, role: 'user' }] };
  throw invalidMessages('The last message must be one of the role "user".');
}

/** The parts of the messages that follow the last answer. */
export function partsOf(next: ChatMessage[]): Part[] {
  const parts = next.filter(({ role }) => role === 'user').flatMap(({ content }) => readContent(content));
  if (parts.length === 0) throw invalidMessages('The last message is empty. Send text or a file.');
  return parts;
}

function invalidMessages(text: string): ParleyError {
  return new ParleyError('invalid_request', text, { data: { faults: [{ pointer: '/messages', message: text }] } });
}

/**
 * What a new context begins with: the instructions, and the earlier messages, which no agent here has answered. Empty
 * for a request with one message.
 */
export function openingOf({ earlier, next }: Transcript): Part[] {
  const all = [...earlier, ...next];
  const instructions = all.filter(isInstruction).map(({ content }) => textOf(content));
  const spoken = earlier
    .filter((message) => !isInstruction(message))
    .map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${textOf(content)}`);
  const texts = [
    ...instructions,
    ...(spoken.length > 0 ? [`Earlier messages of this conversation:\n\n${spoken.join('\n\n')}`] : []),
  ];
  return texts.filter((text) => text !== '').map((text) => ({ kind: 'text', text }));
}

/**
 * Identifies a transcript that ends with an answer. Without instructions, which hosts change between requests (such as
 * today's date), and without white space around texts, which they trim.
 */
export function transcriptHash(messages: ChatMessage[]): string {
  const spoken = messages
    .filter((message) => !isInstruction(message))
    .map(({ role, content }) => [role, textOf(content).trim()]);
  return sha256(JSON.stringify(spoken));
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}
