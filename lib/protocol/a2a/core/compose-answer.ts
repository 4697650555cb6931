import { MAX_PROGRESS_LENGTH, MIN_UNAMBIGUOUS_LENGTH } from '../../limits';
import { joinedText, mergeMessage, prefixEnd } from './message-parts';
import type { Artifact, Message, Part } from './model';
import type { AgentEntry } from './task-timeline';

/** A piece of the agent's output in one turn. */
export type AnswerPiece =
  | { kind: 'message'; seq: number; messageId: string; parts: Part[] }
  | { kind: 'artifact'; seq: number; artifactId: string };

type StatusEntry = AgentEntry & { kind: 'status' };

interface AnswerSource {
  entries: readonly AgentEntry[];
  /** The latest artifacts of the task. */
  artifacts: ReadonlyMap<string, Artifact>;
  /** True if the task has ended, in which case a final progress update is the answer. */
  ended: boolean;
}

/**
 * Returns the agent's output in a turn, in order of first appearance. Status updates with the same `messageId` form one
 * message. Text that an artifact or another message repeats appears once. Parley's own statuses and empty pieces are
 * omitted, as are progress updates unless a turn has ended without any other output.
 */
export function composeAnswer({ entries, artifacts, ended }: AnswerSource): AnswerPiece[] {
  const own = entries.filter((entry) => entry.kind === 'artifact' || (entry.reason === null && !entry.asksApproval));
  const growing = streamingMessageIds(own);
  const withoutProgress = own.filter((entry) => entry.kind === 'artifact' || !isProgressUpdate(entry, growing));
  const pieces = toPieces(withoutProgress, artifacts);
  if (pieces.length > 0 || !ended) return pieces;
  return toPieces(own, artifacts);
}

/** Returns true for a progress update: one short line in a message that is not streamed. */
export function isProgressUpdate({ status: { state, message } }: StatusEntry, growing: ReadonlySet<string>): boolean {
  if (state !== 'working' && state !== 'submitted') return false;
  if (!message || message.parts.length === 0 || growing.has(message.messageId)) return false;
  const text = joinedText(message.parts).trim();
  return (
    message.parts.every(({ kind }) => kind === 'text') && text.length <= MAX_PROGRESS_LENGTH && !text.includes('\n')
  );
}

/** Returns the message ids that occur in several status updates of the turn with different texts. */
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

/**
 * Returns the messages of a turn, by the entry in which they start. Updates of a message and repetitions are merged.
 */
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

/** Returns a memoized `mergeMessage`, because the whole turn is read again on every update. */
function mergeCached(known: Message, next: Message): Message {
  const before = mergeCache.get(next);
  if (before?.known === known) return before.merged;
  const after = mergeMessage(known, next);
  mergeCache.set(next, { known, merged: after });
  return after;
}

/** Returns true if `next` repeats the text of `known`, possibly with more text after it. */
function isRepetition(known: Message, next: Message): boolean {
  const before = joinedText(known.parts);
  return before.trim() !== '' && isContinuation(before, joinedText(next.parts));
}

/**
 * Removes text from the parts that an artifact already contains. Indexes are unchanged, because offers refer to them.
 */
function withoutDuplicateText(parts: Part[], texts: string[]): Part[] {
  const text = joinedText(parts);
  if (text.trim() === '') return parts;
  if (texts.some((candidate) => isContinuation(text, candidate))) return dropText(parts, text.length);
  const prefixes = texts.filter((candidate) => candidate.trim() !== '' && isContinuation(candidate, text));
  return dropText(parts, Math.max(0, ...prefixes.map((prefix) => prefixEnd(prefix, text) ?? 0)));
}

/** Returns true if `text` starts with `beginning`, ignoring white space, and does not continue its last word. */
function isContinuation(beginning: string, text: string): boolean {
  const end = prefixEnd(beginning, text);
  if (end === null) return false;
  if (beginning.trim().length >= MIN_UNAMBIGUOUS_LENGTH) return true;
  return !(/[\p{L}\p{N}]$/u.test(text.slice(0, end)) && /^[\p{L}\p{N}]/u.test(text.slice(end)));
}

/** Returns the parts without the first `length` characters of their text. */
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
