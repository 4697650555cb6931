import { isObject, type JsonObject } from '../../../json';
import type { Part } from '../../core/model';
import type { Variant } from './variants';

/** A part as this variation writes it; what it has no part for becomes text that says the same. */
export function writePart({ parts }: Variant, part: Part): JsonObject {
  if (parts === 'text-only') return writeAsText(part);
  const { metadata } = part;
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text, metadata };
    case 'data': {
      const data = isObject(part.data) || parts === 'any-data' ? part.data : { value: part.data };
      return { type: 'data', data, metadata };
    }
    case 'bytes': {
      const name = part.filename ?? (parts === 'inline-files' ? 'file' : undefined);
      const mimeType = part.mediaType ?? (parts === 'inline-files' ? 'application/octet-stream' : undefined);
      return { type: 'file', file: { name, mimeType, bytes: part.bytes }, metadata };
    }
    case 'uri':
      if (parts === 'inline-files') return { type: 'text', text: linkOf(part, part.uri), metadata };
      return { type: 'file', file: { name: part.filename, mimeType: part.mediaType, uri: part.uri }, metadata };
  }
}

/** The text of a part for readers of text alone. A file's bytes travel as a `data:` link (RFC 2397). */
export function textOfPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return JSON.stringify(part.data);
    case 'uri':
      return linkOf(part, part.uri);
    case 'bytes': {
      const base64 = part.bytes.replaceAll('-', '+').replaceAll('_', '/');
      return linkOf(part, `data:${part.mediaType ?? 'application/octet-stream'};base64,${base64}`);
    }
  }
}

function writeAsText(part: Part): JsonObject {
  return { type: 'text', text: textOfPart(part), data: part.kind === 'data' ? part.data : undefined };
}

function linkOf({ filename, mediaType }: Part, link: string): string {
  return `[file ${filename ?? 'without a name'}${mediaType ? ` (${mediaType})` : ''}] ${link}`;
}
