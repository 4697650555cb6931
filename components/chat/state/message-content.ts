import type { Message, Part } from '../../../lib/protocol/a2a/core/model';
import type { TimelineEntry } from '../../../lib/protocol/a2a/core/task-timeline';
import { isObject, type JsonObject } from '../../../lib/protocol/json';
import type { Attachment } from './attachments';
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
    !parts.some(({ metadata }) => metadata?.['parley.view']) &&
    parts.every(
      (part) => part.kind === 'data' || (part.kind === 'text' && part.metadata?.['parley.outcome'] !== undefined),
    )
  );
}

/** Returns true for the answer to a form. */
export function isFormAnswer(part: Part): part is Part & { kind: 'data'; data: JsonObject } {
  return part.kind === 'data' && part.metadata?.['parley.view'] === 'form-answer' && isObject(part.data);
}

type MessageContent = Pick<NewMessage, 'text' | 'files' | 'data' | 'action'>;

/** Converts a message to parts in the form in which the server reports them. */
export function toParts({ text, files, data, action }: MessageContent): Part[] {
  const textParts: Part[] = text.trim() === '' ? [] : [{ kind: 'text', text }];
  const dataParts: Part[] = data ? [{ kind: 'data', data, metadata: { 'parley.view': 'form-answer' } }] : [];
  if (action) {
    const metadata = { 'parley.view': 'action', 'parley.label': action.label };
    dataParts.push({ kind: 'data', data: action.message, metadata });
  }
  return [
    ...textParts,
    ...dataParts,
    ...files.map(
      (file): Part => ({ kind: 'bytes', bytes: file.bytes, mediaType: file.mediaType, filename: file.name }),
    ),
  ];
}

/** Converts parts to the content of a message, for sending it again. Omits parts that the composer cannot produce. */
export function toMessageContent(parts: Part[]): MessageContent {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const files = parts.flatMap((part) =>
    part.kind === 'bytes'
      ? [{ name: part.filename ?? 'file', mediaType: part.mediaType ?? 'application/octet-stream', bytes: part.bytes }]
      : [],
  );
  const data = parts.find(isFormAnswer)?.data;
  return { text: texts.join('\n'), files, ...(data && { data }), ...actionIn(parts) };
}

/** Returns the action on a surface in a message. */
function actionIn(parts: Part[]): Pick<NewMessage, 'action'> {
  const part = parts.find((part) => part.kind === 'data' && part.metadata?.['parley.view'] === 'action');
  if (part?.kind !== 'data') return {};
  const [message] = [part.data].flat();
  return { action: { label: `${part.metadata?.['parley.label']}`, message: message as JsonObject } };
}

/** The answer to a form: its values, the files that they name, and the same in words for agents without data. */
export interface FormReply {
  data: JsonObject;
  files: Attachment[];
  text: string;
}

/** The answer of a card: words, the values of a form, or an action on a surface. */
export type CardReply = string | FormReply | MessageContent;

/** Returns the parts of the last message in a turn of the agent. */
export function askedBy(entries: readonly TimelineEntry[] = []): Part[] {
  const last = entries.findLast((entry) => entry.kind === 'status' && entry.status.message !== undefined);
  return last?.kind === 'status' ? (last.status.message?.parts ?? []) : [];
}

/** Returns all text of a message; null if it has none. */
export function textOfMessage(message: Message | undefined): string | null {
  const text = (message?.parts ?? []).flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' ? null : text;
}
