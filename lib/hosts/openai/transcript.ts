import { randomBytes } from 'node:crypto';
import { ParleyError } from '../../platform/errors';
import { sha256 } from '../../platform/secrets/crypto';
import type { Part } from '../../protocol/a2a/core/model';

/** A message of a conversation, as either of OpenAI's APIs sends it. */
export interface TranscriptMessage {
  role: 'instructions' | 'user' | 'assistant' | 'tool';
  /** Without markers. */
  parts: Part[];
  /** The token of the turn that this answer ended; null if the message contains none. */
  token: TurnToken | null;
  /** True if the message only calls tools. */
  isCall?: boolean;
  /** True if the request contains only the id of the answer. */
  isReference?: boolean;
}

/** The messages of a request: those up to the last answer, and those that the agent has not received yet. */
export interface Transcript {
  earlier: TranscriptMessage[];
  next: TranscriptMessage[];
}

/**
 * Splits a conversation after the last answer that precedes the user's last message. Results of tools may follow that
 * message. If all messages are instructions, the last one counts as a message of the user, because some hosts request
 * titles this way. `pointer` is the JSON pointer to the messages of the request.
 * @throws {ParleyError} `invalid_request` if the last message is an answer, or if there is no message from the user
 */
export function readTranscript(messages: TranscriptMessage[], pointer: string): Transcript {
  const last = messages.at(-1);
  if (last && messages.every(isInstruction))
    return { earlier: [], next: [...messages.slice(0, -1), { ...last, role: 'user' }] };
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const answered = messages.slice(0, asked + 1).findLastIndex(({ role }) => role === 'assistant') + 1;
  if (asked === -1 || (last?.role === 'assistant' && !last.isCall)) {
    throw invalidMessages(pointer, 'The last message must be one of the role "user".');
  }
  // Results of the tool calls of that answer.
  const returned = messages.slice(answered).findIndex(({ role }) => role !== 'tool');
  const split = answered + returned;
  return { earlier: messages.slice(0, split), next: messages.slice(split) };
}

/**
 * Returns the parts of the messages that follow the last answer.
 * @throws {ParleyError} `invalid_request` if there are none
 */
export function partsOf(next: TranscriptMessage[], pointer: string): Part[] {
  const parts = next.flatMap((message) => {
    if (isInstruction(message)) return [];
    return message.role === 'user' ? message.parts : [...toTexts([lineOf(message)]), ...filesOf(message)];
  });
  if (parts.length === 0) throw invalidMessages(pointer, 'The last message is empty. Send text or a file.');
  return parts;
}

function invalidMessages(pointer: string, text: string): ParleyError {
  return new ParleyError('invalid_request', text, { data: { faults: [{ pointer, message: text }] } });
}

/** Returns the instructions of a request as the parts of a message. */
export function instructionsOf({ earlier, next }: Transcript): Part[] {
  return toTexts([...earlier, ...next].filter(isInstruction).map(({ parts }) => textOf(parts)));
}

const speakers = { user: 'User', assistant: 'Assistant', tool: 'Tool', instructions: '' } as const;

/** Returns the earlier messages for an agent that has not received them, with their files. */
export function earlierMessagesOf(earlier: TranscriptMessage[]): Part[] {
  const spoken = earlier.filter((message) => !isInstruction(message));
  if (spoken.length === 0) return [];
  const text = `Earlier messages of this conversation:\n\n${spoken.map(lineOf).join('\n\n')}`;
  return [...toTexts([text]), ...spoken.flatMap(filesOf)];
}

function lineOf({ role, parts }: TranscriptMessage): string {
  return `${speakers[role]}: ${textOf(parts)}`;
}

function filesOf({ parts }: Pick<TranscriptMessage, 'parts'>): Part[] {
  return parts.filter(({ kind }) => kind !== 'text');
}

function toTexts(texts: string[]): Part[] {
  return texts.filter((text) => text !== '').map((text) => ({ kind: 'text', text }));
}

/** Identifies the content of messages: texts without white space, which hosts change, and files. */
export function digestOf(messages: Pick<TranscriptMessage, 'role' | 'parts'>[]): string {
  const said = messages.map(({ role, parts }) => [
    role,
    textOf(parts).replace(/\s+/g, ' ').trim(),
    ...filesOf({ parts }).map((file) => sha256(JSON.stringify(file))),
  ]);
  return sha256(JSON.stringify(said));
}

/** Returns the messages before each answer, with the answer; at the end, the messages after the last answer. */
export function exchangesOf<Message extends Pick<TranscriptMessage, 'role' | 'isCall'>>(
  messages: Message[],
): Message[][] {
  const exchanges: Message[][] = [[]];
  for (const message of messages) {
    if (message.role === 'instructions') continue;
    exchanges.at(-1)?.push(message);
    if (message.role === 'assistant' && !message.isCall) exchanges.push([]);
  }
  return exchanges;
}

/** Returns the text of a message; files are omitted. */
function textOf(parts: Part[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

export function isInstruction({ role }: TranscriptMessage): boolean {
  return role === 'instructions';
}

/** Identifies a turn for the client that received its answer: 128 random bits, in hex. */
export type TurnToken = string;

export function newTurnToken(): TurnToken {
  return randomBytes(16).toString('hex');
}

/** Invisible characters, each of which encodes two bits. They have no width, and trim functions do not remove them. */
const symbols = ['\u200b', '\u200c', '\u200d', '\u2060'];
const markers = /\s*(?:\u200b|\u200c|\u200d|\u2060){64,}/g;
const TOKEN_SYMBOLS = 64;

/** White space characters, each of which encodes one bit. JSON permits no other text after its value (RFC 8259 §2). */
const blanks = [' ', '\t'];
const blankMarker = /\n([ \t]{128})\s*$/;

/**
 * Returns the text that is appended to an answer to identify its turn: invisible characters in a separate paragraph, so
 * that Markdown and links are unchanged, or white space after a JSON answer.
 */
export function markerFor(answer: string, token: TurnToken): string {
  if (isJson(answer)) return `\n${encode(token, blanks)}`;
  return (answer === '' ? '' : '\n\n') + encode(token, symbols);
}

/** Removes the markers from a text, and returns the token of the last one; null for none. */
export function takeMarkers(text: string): { text: string; token: TurnToken | null } {
  const found = text.match(markers)?.at(-1);
  if (found !== undefined) {
    return { text: text.replace(markers, ''), token: decode(found.slice(-TOKEN_SYMBOLS), symbols) };
  }
  const [, bits] = blankMarker.exec(text) ?? [];
  if (bits === undefined) return { text, token: null };
  return { text: text.replace(blankMarker, ''), token: decode(bits, blanks) };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes a token in an alphabet of 2 or 4 characters. */
function encode(token: TurnToken, alphabet: string[]): string {
  const digits = BigInt(`0x${token}`).toString(alphabet.length);
  const width = alphabet.length === 4 ? 64 : 128;
  return [...digits.padStart(width, '0')].map((digit) => alphabet[Number(digit)]).join('');
}

function decode(text: string, alphabet: string[]): TurnToken {
  const base = BigInt(alphabet.length);
  const value = [...text].reduce((sum, symbol) => sum * base + BigInt(alphabet.indexOf(symbol)), 0n);
  return value.toString(16).padStart(32, '0');
}
