import { ParleyError } from '../../platform/errors';
import type { Part } from '../../protocol/a2a/core/model';
import type { ChatMessage, ContentPart, NamedCall } from '../schema-openai';
import type { InputContent, InputItem, ResponseRequest } from '../schema-responses';
import { type TranscriptMessage, type TurnToken, takeMarkers } from './transcript';

/**
 * Returns the input of a response as messages. Tool calls of other models become text; other tool items are ignored.
 * @throws {ParleyError} `invalid_request` for a file that cannot be read
 */
export function readInput({
  input,
  instructions,
}: Pick<ResponseRequest, 'input' | 'instructions'>): TranscriptMessage[] {
  const items: InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const messages = items.flatMap((item, index) => readItem(item, `/input/${index}`));
  if (!instructions) return messages;
  return [readContent({ role: 'instructions', content: instructions, pointer: '/instructions' }), ...messages];
}

function readItem(item: InputItem, pointer: string): TranscriptMessage[] {
  switch (item.type) {
    case undefined:
    case 'message': {
      const role = item.role === 'system' || item.role === 'developer' ? 'instructions' : item.role;
      const read = readContent({ role, content: toParts(item.content), pointer: `${pointer}/content` });
      return [role === 'assistant' ? { ...read, token: tokenOfId(item.id ?? '') ?? read.token } : read];
    }
    case 'item_reference': {
      const token = tokenOfId(item.id);
      return token === null ? [] : [{ role: 'assistant', parts: [], token, isReference: true }];
    }
    case 'function_call':
    case 'custom_tool_call':
      return [{ role: 'assistant', parts: [callText(item)], token: null, isCall: true }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [readContent({ role: 'tool', content: toParts(item.output), pointer: `${pointer}/output` })];
    default:
      return [];
  }
}

function toParts(content: string | InputContent[]): string | ContentPart[] {
  return typeof content === 'string' ? content : content.map(toPart);
}

function toPart(content: InputContent): ContentPart {
  switch (content.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      return { type: 'text', text: content.text };
    case 'input_image':
      return { type: 'image_url', image_url: { url: content.image_url ?? '' } };
    case 'input_file': {
      const { file_data: data, file_url: url, filename } = content;
      return { type: 'file', file: { file_data: data ?? url, filename } };
    }
    case 'refusal':
    case 'input_audio':
      return content;
  }
}

const roles = {
  system: 'instructions',
  developer: 'instructions',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
} as const;

/**
 * Returns the messages of a chat completion. Tool calls of other models become text.
 * @throws {ParleyError} `invalid_request` for a file that cannot be read
 */
export function readMessages(messages: ChatMessage[]): TranscriptMessage[] {
  return messages.map((message, index) => {
    const { role, content } = message;
    const read = readContent({ role: roles[role], content, pointer: `/messages/${index}/content` });
    const calls = callsOf(message);
    if (calls.length === 0) return read;
    return { ...read, parts: [...read.parts, ...calls], isCall: read.parts.length === 0 };
  });
}

function callsOf({ role, tool_calls: calls, function_call: legacy }: ChatMessage): Part[] {
  if (role !== 'assistant') return [];
  return [...(calls ?? []).map((call) => call.function ?? call.custom), legacy].flatMap((call) =>
    call ? [callText(call)] : [],
  );
}

/** Returns a call of a tool, as text. */
function callText({ name, arguments: json, input }: NamedCall): Part {
  return { kind: 'text', text: `Called ${name}(${json ?? input ?? ''})` };
}

const audioTypes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** The content of a message, and its location in the request. */
interface SpokenContent {
  role: TranscriptMessage['role'];
  content: string | ContentPart[] | null | undefined;
  /** A JSON pointer. */
  pointer: string;
}

/**
 * Reads content as A2A parts: text without markers, files from data URLs, and links. Only answers have a token, because
 * a marker in another message was pasted.
 * @throws {ParleyError} `invalid_request` for a URL that is not an https or base64 data URL
 */
function readContent({ role, content, pointer }: SpokenContent): TranscriptMessage {
  const given = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  let token: string | null = null;
  const parts = given.map((part, index): Part => {
    const read = readPart(part, `${pointer}/${index}`);
    if (read.kind !== 'text') return read;
    const { text, token: found } = takeMarkers(read.text);
    token = found ?? token;
    return { kind: 'text', text };
  });
  const filled = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return { role, parts: filled, token: role === 'assistant' ? token : null };
}

function readPart(part: ContentPart, pointer: string): Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'refusal':
      return { kind: 'text', text: part.refusal };
    case 'image_url':
      return readUrl(part.image_url.url, `${pointer}/image_url`);
    case 'file': {
      const file = readUrl(part.file.file_data ?? '', `${pointer}/file`);
      return typeof part.file.filename === 'string' ? { ...file, filename: part.file.filename } : file;
    }
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return { kind: 'bytes', bytes: data, mediaType: audioTypes[format] };
    }
  }
}

function readUrl(url: string, pointer: string): Part {
  const [, mediaType, bytes] = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[\w.+-]+)*;base64,([\w+/=-]*)$/.exec(url) ?? [];
  if (mediaType !== undefined && bytes !== undefined) return { kind: 'bytes', bytes, mediaType };
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { kind: 'uri', uri: url };
  const message = `Found a file at "${url.slice(0, 40)}"; expected a data URL in base64 ("data:image/png;base64,…") or an https URL.`;
  throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer, message }] } });
}

// A task has one turn per answer of the caller, and each turn is a response. The ids of a response and of its message
// end with the token of the turn, so that a returned id identifies the turn.

export function responseIdOf({ taskId, token }: { taskId: string; token: TurnToken }): string {
  return `resp_${taskId}_${token}`;
}

export function messageIdOf({ token }: { token: TurnToken }): string {
  return `msg_${token}`;
}

/** Returns the token in an id of ours; null for any other text. */
export function tokenOfId(id: string): TurnToken | null {
  return /^(?:resp_[\da-f-]{36}_|msg_)([\da-f]{32})$/.exec(id)?.[1] ?? null;
}
