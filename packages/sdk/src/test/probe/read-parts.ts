import { isObject, isText, type JsonObject } from '../json-value.js';
import type { Notes } from './notes.js';

type Version = '0.3' | '1.0';

const contents = ['text', 'raw', 'url', 'data'];
const remedy = {
  parts: 'Send at least one part with each artifact and message.',
  content: 'Give each part exactly one content.',
  base64: 'Encode the bytes of a file as base64 with the alphabet of RFC 4648, section 4.',
  mediaType: 'Write a media type as type/subtype, such as text/csv.',
};

/** Notes what is wrong with the parts of an artifact or message (A2A 1.0 section 4.1.6, A2A 0.3 section 6.5). */
export function notePartFaults(
  holder: JsonObject,
  what: string,
  { version, notes }: { version: Version; notes: Notes },
): void {
  const { parts } = holder;
  if (!Array.isArray(parts) || parts.length === 0) {
    const found = parts === undefined ? `${what} without parts` : `${what} with parts: ${JSON.stringify(parts)}`;
    notes.add('messages.parts', { found, expected: 'a non-empty array of parts', remedy: remedy.parts });
    return;
  }
  for (const part of parts) {
    if (!isObject(part)) {
      notes.add('messages.parts', { found: part, expected: 'an object', remedy: remedy.content });
    } else if (version === '1.0') noteV1Part(part, notes);
    else noteV03Part(part, notes);
  }
}

function noteV1Part(part: JsonObject, notes: Notes): void {
  const present = contents.filter((name) => part[name] !== undefined && part[name] !== null);
  const [content] = present;
  const isTyped = content === 'data' || typeof part[content ?? ''] === 'string';
  if (present.length !== 1 || !isTyped) {
    const expected = 'exactly one of text, raw, url and data, the first three as strings';
    notes.add('messages.parts', { found: part, expected, remedy: remedy.content });
  } else if (content === 'raw') noteBase64(part.raw, notes);
  noteMediaType(part.mediaType, notes);
}

function noteV03Part(part: JsonObject, notes: Notes): void {
  const { kind, text, data, file } = part;
  const isFile =
    kind === 'file' && isObject(file) && (typeof file.bytes === 'string') !== (typeof file.uri === 'string');
  const isGood = (kind === 'text' && typeof text === 'string') || (kind === 'data' && isObject(data)) || isFile;
  if (!isGood) {
    const expected = 'kind "text" with text, "data" with an object, or "file" with bytes or uri';
    notes.add('messages.parts', { found: part, expected, remedy: remedy.content });
  } else if (isObject(file)) {
    if (typeof file.bytes === 'string') noteBase64(file.bytes, notes);
    noteMediaType(file.mimeType, notes);
  }
}

function noteBase64(value: unknown, notes: Notes): void {
  const text = String(value);
  if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1) return;
  notes.add('files.bytes', { found: text, expected: 'base64', remedy: remedy.base64 });
}

/** Returns true for `type/subtype` with optional parameters (RFC 9110, section 8.3.1). */
export function isMediaType(value: unknown): value is string {
  return isText(value) && /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(value);
}

function noteMediaType(value: unknown, notes: Notes): void {
  if (value === undefined || value === null || value === '' || isMediaType(value)) return;
  notes.add('files.media-types', { found: value, expected: 'a media type', remedy: remedy.mediaType });
}
