import { ParleyError } from '../../platform/errors';
import type { Part } from '../../protocol/a2a/core/model';
import type { ChatMessage, ContentPart } from '../schema-openai';

const audioTypes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/**
 * The content of a message as A2A parts: text, files from data URLs, and links.
 * @throws {ParleyError} `invalid_request` for a URL that is neither https nor a base64 data URL
 */
export function readContent(content: ChatMessage['content']): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return (content ?? []).map(readPart);
}

function readPart(part: ContentPart): Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'refusal':
      return { kind: 'text', text: part.refusal };
    case 'image_url':
      return readUrl(part.image_url.url);
    case 'file': {
      const file = readUrl(part.file.file_data);
      return part.file.filename === undefined ? file : { ...file, filename: part.file.filename };
    }
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return { kind: 'bytes', bytes: data, mediaType: audioTypes[format] };
    }
  }
}

function readUrl(url: string): Part {
  const [, mediaType, bytes] = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[\w.+-]+)*;base64,([\w+/=-]*)$/.exec(url) ?? [];
  if (mediaType !== undefined && bytes !== undefined) return { kind: 'bytes', bytes, mediaType };
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { kind: 'uri', uri: url };
  throw new ParleyError(
    'invalid_request',
    `Found a file at "${url.slice(0, 40)}"; expected a data URL in base64 ("data:image/png;base64,…") or an https URL.`,
  );
}

/** The text of a message; files are left out. */
export function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
