import { ParleyError } from '../../platform/errors';
import type { Part } from '../../protocol/a2a/core/model';
import type { ContentPart } from '../schema-openai';
import { takeMarkers } from './marker';
import type { TranscriptMessage } from './transcript';

const audioTypes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** The content of a message, and its location in the request. */
interface SpokenContent {
  role: TranscriptMessage['role'];
  content: string | ContentPart[] | null | undefined;
  /** A JSON pointer. */
  pointer: string;
}

/**
 * Reads content as A2A parts: text without markers, files from data URLs, and links. Only answers have a token; a
 * marker in another message was pasted.
 * @throws {ParleyError} `invalid_request` for a URL that is not an https or base64 data URL
 */
export function readContent({ role, content, pointer }: SpokenContent): TranscriptMessage {
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
