import type { Part } from '../../lib/protocol/a2a/core/model';
import type { OwnMessage } from './thread-state';

/** What a message of these will look like once the server tells of it. */
export function toParts({ text, files }: Pick<OwnMessage, 'text' | 'files'>): Part[] {
  const said: Part[] = text.trim() === '' ? [] : [{ kind: 'text', text }];
  return [
    ...said,
    ...files.map(
      (file): Part => ({ kind: 'bytes', bytes: file.bytes, mediaType: file.mediaType, filename: file.name }),
    ),
  ];
}

/** The other way round: what was said, for saying it once more. Parts that no composer makes are left out. */
export function toOwnContent(parts: Part[]): Pick<OwnMessage, 'text' | 'files'> {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const files = parts.flatMap((part) =>
    part.kind === 'bytes'
      ? [{ name: part.filename ?? 'file', mediaType: part.mediaType ?? 'application/octet-stream', bytes: part.bytes }]
      : [],
  );
  return { text: texts.join('\n'), files };
}
