import { TurnError } from '../serve/turn.js';
import type { Part } from '../wire.js';
import type { ChatMessage, ContentPart } from './context-memory.js';

/** Maximum UTF-16 code units of one message, including files in base64. */
const MAX_LENGTH = 8_000_000;

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/**
 * Converts the parts of an A2A message to the content of a chat message: text, data as JSON, images as data URLs. A
 * link remains text: the model's server must not fetch URLs from a caller.
 * @throws {TurnError} for a file that a model cannot read, and for a message that is too large
 */
export function readContent(parts: Part[]): ChatMessage['content'] {
  const content = parts.map(readPart);
  const length = JSON.stringify(content).length;
  if (length > MAX_LENGTH) throw new TurnError(`The message is too large: ${length} characters of ${MAX_LENGTH}.`);
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n\n') : content;
}

function readPart({ text, data, raw, url, filename, mediaType = 'application/octet-stream' }: Part): ContentPart {
  if (text !== undefined) return { type: 'text', text };
  if (data !== undefined) return { type: 'text', text: `\`\`\`json\n${JSON.stringify(data)}\n\`\`\`` };
  if (raw === undefined) return { type: 'text', text: [filename, url].filter(Boolean).join(': ') };
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (imageTypes.has(type)) return { type: 'image_url', image_url: { url: `data:${type};base64,${raw}` } };
  if (!isText(type))
    throw new TurnError(`This agent reads text and images. It cannot read ${filename ?? 'a file'} (${type}).`);
  return { type: 'text', text: `${filename ?? 'File'}:\n\`\`\`\n${textOf(raw)}\n\`\`\`` };
}

function isText(type: string): boolean {
  return type.startsWith('text/') || /^application\/(?:json|xml|yaml|x-yaml|[\w.-]+\+(?:json|xml))$/.test(type);
}

function textOf(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
