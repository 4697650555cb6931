import type { Message, Part } from '@a2a-js/sdk';

/** Creates a part for people. `mediaType` is `text/plain` or `text/markdown`. */
export function textPart(text: string, mediaType = 'text/plain'): Part {
  return { content: { $case: 'text', value: text }, mediaType, filename: '', metadata: undefined };
}

/** Returns a part for programs. `metadata` may contain a display hint. */
export function dataPart(data: unknown, metadata?: Record<string, unknown>): Part {
  return { content: { $case: 'data', value: data }, mediaType: 'application/json', filename: '', metadata };
}

/** Returns a file to download. */
export function filePart(file: { name: string; mediaType: string; bytes: Buffer }): Part {
  return {
    content: { $case: 'raw', value: file.bytes },
    mediaType: file.mediaType,
    filename: file.name,
    metadata: undefined,
  };
}

/** Creates a part for a file at another URL. */
export function linkPart(file: { name: string; mediaType: string; url: string }): Part {
  return {
    content: { $case: 'url', value: file.url },
    mediaType: file.mediaType,
    filename: file.name,
    metadata: undefined,
  };
}

/** Returns all text of a message, one part per line. */
export function textOf(message: Message): string {
  return message.parts
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join('\n')
    .trim();
}
