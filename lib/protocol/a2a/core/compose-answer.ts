import { joinedText, mergeMessage, prefixEnd } from './merge-message';
import type { Artifact, Message, Part } from './model';
import type { AgentEntry } from './task-timeline';

/** A piece of what an agent said in one turn. */
export type AnswerPiece =
  | { kind: 'message'; seq: number; messageId: string; parts: Part[] }
  | { kind: 'artifact'; seq: number; artifactId: string };

type StatusEntry = AgentEntry & { kind: 'status' };

interface AnswerSource {
  entries: readonly AgentEntry[];
  /** The artifacts of the task, in their newest form. */
  artifacts: ReadonlyMap<string, Artifact>;
  /** The task has ended: a remark that nothing followed was the answer. */
  ended: boolean;
}

/** A text this long that an artifact continues is a piece of it, even if it stops inside a word. */
const MIN_UNAMBIGUOUS_LENGTH = 20;

/**
 * What an agent said in a turn, in the order in which it began to. Status updates with one `messageId` are one growing
 * message; a text that stands in an artifact or in two messages is told once. Remarks in passing and what Parley wrote
 * itself are no part of it, nor are messages and artifacts without content.
 */
export function composeAnswer({ entries, artifacts, ended }: AnswerSource): AnswerPiece[] {
  const own = entries.filter((entry) => entry.kind === 'artifact' || entry.reason === null);
  const growing = streamingMessageIds(own);
  const withoutProgress = own.filter((entry) => entry.kind === 'artifact' || !isProgressUpdate(entry, growing));
  const pieces = toPieces(withoutProgress, artifacts);
  if (pieces.length > 0 || !ended) return pieces;
  return toPieces(own, artifacts);
}

/** True for what an agent says in passing while it works: one short line that does not grow. */
export function isProgressUpdate({ status: { state, message } }: StatusEntry, growing: ReadonlySet<string>): boolean {
  if (state !== 'working' && state !== 'submitted') return false;
  if (!message || message.parts.length === 0 || growing.has(message.messageId)) return false;
  const text = joinedText(message.parts).trim();
  return message.parts.every(({ kind }) => kind === 'text') && text.length <= maxProgressLength && !text.includes('\n');
}

const maxProgressLength = 200;

/** The ids that more than one status update of the turn bears, with texts that differ. */
export function streamingMessageIds(entries: readonly AgentEntry[]): ReadonlySet<string> {
  const texts = new Map<string, string>();
  const growing = new Set<string>();
  for (const entry of entries) {
    const message = entry.kind === 'status' && entry.reason === null ? entry.status.message : undefined;
    if (!message?.messageId) continue;
    const text = joinedText(message.parts);
    const known = texts.get(message.messageId);
    if (known !== undefined && known !== text) growing.add(message.messageId);
    else texts.set(message.messageId, text);
  }
  return growing;
}

function toPieces(entries: readonly AgentEntry[], artifacts: ReadonlyMap<string, Artifact>): AnswerPiece[] {
  const messages = collectMessages(entries);
  const texts = entries.flatMap((entry) => {
    const parts = entry.kind === 'artifact' ? artifacts.get(entry.artifactId)?.parts : undefined;
    return parts?.some(isContent) ? joinedText(parts) : [];
  });
  const known = texts.length > 1 ? [...texts, texts.join('')] : texts;
  return entries.flatMap((entry): AnswerPiece[] => {
    if (entry.kind === 'artifact') return artifacts.get(entry.artifactId)?.parts.some(isContent) ? [entry] : [];
    const message = messages.get(entry.seq);
    if (!message) return [];
    const parts = withoutDuplicateText(message.parts, known);
    return parts.some(isContent) ? [{ kind: 'message', seq: entry.seq, messageId: message.messageId, parts }] : [];
  });
}

/** The messages of a turn by the entry that they began with; updates of one message and repetitions are merged. */
function collectMessages(entries: readonly AgentEntry[]): Map<number, Message> {
  const messages = new Map<number, Message>();
  const seqOfId = new Map<string, number>();
  let last: number | undefined;
  for (const entry of entries) {
    const message = entry.kind === 'status' ? entry.status.message : undefined;
    if (!message || message.parts.length === 0) continue;
    const before = last === undefined ? undefined : messages.get(last);
    const seq: number =
      seqOfId.get(message.messageId) ?? (before && isRepetition(before, message) ? last : undefined) ?? entry.seq;
    const known = messages.get(seq);
    messages.set(seq, known ? mergeCached(known, message) : message);
    if (message.messageId !== '') seqOfId.set(message.messageId, seq);
    last = seq;
  }
  return messages;
}

const mergeCache = new WeakMap<Message, { known: Message; merged: Message }>();

/** As `mergeMessage`; the outcome is remembered, because the whole turn is read again with every update. */
function mergeCached(known: Message, next: Message): Message {
  const before = mergeCache.get(next);
  if (before?.known === known) return before.merged;
  const after = mergeMessage(known, next);
  mergeCache.set(next, { known, merged: after });
  return after;
}

/** One text that came in two messages, the second time perhaps with more after it. */
function isRepetition(known: Message, next: Message): boolean {
  const before = joinedText(known.parts);
  return before.trim() !== '' && isContinuation(before, joinedText(next.parts));
}

/** The parts without the text that an artifact already tells; they keep their places, by which offers are found. */
function withoutDuplicateText(parts: Part[], texts: string[]): Part[] {
  const text = joinedText(parts);
  if (text.trim() === '') return parts;
  if (texts.some((candidate) => isContinuation(text, candidate))) return dropText(parts, text.length);
  const prefixes = texts.filter((one) => one.trim() !== '' && isContinuation(one, text));
  return dropText(parts, Math.max(0, ...prefixes.map((one) => prefixEnd(one, text) ?? 0)));
}

/** True when `text` is `beginning`, or goes on after it, white space aside. */
function isContinuation(beginning: string, text: string): boolean {
  const end = prefixEnd(beginning, text);
  if (end === null) return false;
  if (beginning.trim().length >= MIN_UNAMBIGUOUS_LENGTH) return true;
  return !(/[\p{L}\p{N}]$/u.test(text.slice(0, end)) && /^[\p{L}\p{N}]/u.test(text.slice(end)));
}

/** The parts without the first `length` characters of their text. */
function dropText(parts: Part[], length: number): Part[] {
  let left = length;
  return parts.map((part) => {
    if (part.kind !== 'text') return part;
    const cut = Math.min(left, part.text.length);
    left -= cut;
    return cut === 0 ? part : { ...part, text: part.text.slice(cut).trimStart() };
  });
}

function isContent(part: Part): boolean {
  return part.kind !== 'text' || part.text.trim() !== '';
}
