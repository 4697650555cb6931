import type { Part } from '../../lib/protocol/a2a/core/model';
import type { NewMessage } from './thread-state';

/** The parts of a message, in the form in which the server reports them. */
export function toParts({ text, files }: Pick<NewMessage, 'text' | 'files'>): Part[] {
  const textParts: Part[] = text.trim() === '' ? [] : [{ kind: 'text', text }];
  return [
    ...textParts,
    ...files.map(
      (file): Part => ({ kind: 'bytes', bytes: file.bytes, mediaType: file.mediaType, filename: file.name }),
    ),
  ];
}

/** The reverse: the content of a message, for sending it again. Parts that the composer cannot produce are omitted. */
export function toMessageContent(parts: Part[]): Pick<NewMessage, 'text' | 'files'> {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const files = parts.flatMap((part) =>
    part.kind === 'bytes'
      ? [{ name: part.filename ?? 'file', mediaType: part.mediaType ?? 'application/octet-stream', bytes: part.bytes }]
      : [],
  );
  return { text: texts.join('\n'), files };
}
