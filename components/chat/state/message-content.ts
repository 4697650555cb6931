import type { Part } from '../../../lib/protocol/a2a/core/model';
import type { NewMessage } from './thread-state';

/** Returns a random UUID (RFC 9562 §5.4). `crypto.randomUUID` is missing without https, as on a local Parley server. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Returns true for a message that the composer cannot produce, which Parley sent on behalf of the user, most likely
 * about a payment.
 */
export function mayBeOutcome(parts: readonly Part[]): boolean {
  return (
    parts.length > 0 &&
    parts.every(
      (part) => part.kind === 'data' || (part.kind === 'text' && part.metadata?.['parley.outcome'] !== undefined),
    )
  );
}

/** Converts a message to parts in the form in which the server reports them. */
export function toParts({ text, files }: Pick<NewMessage, 'text' | 'files'>): Part[] {
  const textParts: Part[] = text.trim() === '' ? [] : [{ kind: 'text', text }];
  return [
    ...textParts,
    ...files.map(
      (file): Part => ({ kind: 'bytes', bytes: file.bytes, mediaType: file.mediaType, filename: file.name }),
    ),
  ];
}

/** Converts parts to the content of a message, for sending it again. Omits parts that the composer cannot produce. */
export function toMessageContent(parts: Part[]): Pick<NewMessage, 'text' | 'files'> {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const files = parts.flatMap((part) =>
    part.kind === 'bytes'
      ? [{ name: part.filename ?? 'file', mediaType: part.mediaType ?? 'application/octet-stream', bytes: part.bytes }]
      : [],
  );
  return { text: texts.join('\n'), files };
}
