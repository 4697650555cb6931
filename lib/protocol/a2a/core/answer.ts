import { endOfPrefix, growMessage, proseOf } from './grow-message';
import type { Artifact, Message, Part } from './model';
import type { AgentEntry } from './story';

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
const SURE_LENGTH = 20;

/**
 * What an agent said in a turn, in the order in which it began to. Status updates with one `messageId` are one growing
 * message; a text that stands in an artifact or in two messages is told once. Remarks in passing and what Parley wrote
 * itself are no part of it, nor are messages and artifacts without content.
 */
export function answerOf({ entries, artifacts, ended }: AnswerSource): AnswerPiece[] {
  const own = entries.filter((entry) => entry.kind === 'artifact' || entry.reason === null);
  const growing = growingIds(own);
  const said = own.filter((entry) => entry.kind === 'artifact' || !isRemark(entry, growing));
  const told = tell(said, artifacts);
  if (told.length > 0 || !ended) return told;
  return tell(own, artifacts);
}

/** True for what an agent says in passing while it works: one short line that does not grow. */
export function isRemark({ status: { state, message } }: StatusEntry, growing: ReadonlySet<string>): boolean {
  if (state !== 'working' && state !== 'submitted') return false;
  if (!message || message.parts.length === 0 || growing.has(message.messageId)) return false;
  const text = proseOf(message.parts).trim();
  return message.parts.every(({ kind }) => kind === 'text') && text.length <= longestRemark && !text.includes('\n');
}

const longestRemark = 200;

/** The ids that more than one status update of the turn bears, with texts that differ. */
export function growingIds(entries: readonly AgentEntry[]): ReadonlySet<string> {
  const texts = new Map<string, string>();
  const growing = new Set<string>();
  for (const entry of entries) {
    const message = entry.kind === 'status' && entry.reason === null ? entry.status.message : undefined;
    if (!message?.messageId) continue;
    const text = proseOf(message.parts);
    const known = texts.get(message.messageId);
    if (known !== undefined && known !== text) growing.add(message.messageId);
    else texts.set(message.messageId, text);
  }
  return growing;
}

function tell(entries: readonly AgentEntry[], artifacts: ReadonlyMap<string, Artifact>): AnswerPiece[] {
  const messages = gatherMessages(entries);
  const texts = entries.flatMap((entry) => {
    const parts = entry.kind === 'artifact' ? artifacts.get(entry.artifactId)?.parts : undefined;
    return parts?.some(isContent) ? proseOf(parts) : [];
  });
  const known = texts.length > 1 ? [...texts, texts.join('')] : texts;
  return entries.flatMap((entry): AnswerPiece[] => {
    if (entry.kind === 'artifact') return artifacts.get(entry.artifactId)?.parts.some(isContent) ? [entry] : [];
    const message = messages.get(entry.seq);
    if (!message) return [];
    const parts = withoutTold(message.parts, known);
    return parts.some(isContent) ? [{ kind: 'message', seq: entry.seq, messageId: message.messageId, parts }] : [];
  });
}

/** The messages of a turn by the entry that they began with; updates of one message and repetitions are merged. */
function gatherMessages(entries: readonly AgentEntry[]): Map<number, Message> {
  const messages = new Map<number, Message>();
  const seqOfId = new Map<string, number>();
  let last: number | undefined;
  for (const entry of entries) {
    const message = entry.kind === 'status' ? entry.status.message : undefined;
    if (!message || message.parts.length === 0) continue;
    const before = last === undefined ? undefined : messages.get(last);
    const seq: number =
      seqOfId.get(message.messageId) ?? (before && repeats(before, message) ? last : undefined) ?? entry.seq;
    const known = messages.get(seq);
    messages.set(seq, known ? grow(known, message) : message);
    if (message.messageId !== '') seqOfId.set(message.messageId, seq);
    last = seq;
  }
  return messages;
}

const grown = new WeakMap<Message, { known: Message; grown: Message }>();

/** As `growMessage`; the outcome is remembered, because the whole turn is read again with every update. */
function grow(known: Message, next: Message): Message {
  const before = grown.get(next);
  if (before?.known === known) return before.grown;
  const after = growMessage(known, next);
  grown.set(next, { known, grown: after });
  return after;
}

/** One text that came in two messages, the second time perhaps with more after it. */
function repeats(known: Message, next: Message): boolean {
  const before = proseOf(known.parts);
  return before.trim() !== '' && continues(before, proseOf(next.parts));
}

/** The parts without the text that an artifact already tells; they keep their places, by which offers are found. */
function withoutTold(parts: Part[], texts: string[]): Part[] {
  const text = proseOf(parts);
  if (text.trim() === '') return parts;
  if (texts.some((told) => continues(text, told))) return dropText(parts, text.length);
  const told = texts.filter((one) => one.trim() !== '' && continues(one, text));
  return dropText(parts, Math.max(0, ...told.map((one) => endOfPrefix(one, text) ?? 0)));
}

/** True when `text` is `beginning`, or goes on after it, white space aside. */
function continues(beginning: string, text: string): boolean {
  const end = endOfPrefix(beginning, text);
  if (end === null) return false;
  if (beginning.trim().length >= SURE_LENGTH) return true;
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
