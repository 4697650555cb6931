import { readSessionItem, setSessionItem } from '../ui/session-storage';
import type { Attachment } from './attachments';
import type { NewMessage } from './thread-state';

// Unsent text, stored per tab: drafts, messages that were not sent, and the message to send after sign-in.
const prefix = 'parley.chat.';

/** Storage key of a conversation; before it exists, of its agent. */
export function draftKey(conversationId: string | null, agentSlug: string): string {
  return conversationId ?? `new.${agentSlug}`;
}

/** Of a conversation that was just created: what is still written under the agent's key belongs to it. */
let movedDraft: { from: string; to: string } | null = null;

/** Moves a draft, and what is written there until the next page loads, to the new key. */
export function moveDraft(from: string, to: string): void {
  write(`draft.${to}`, read(`draft.${from}`));
  write(`draft.${from}`, null);
  saveAttachments(to, readAttachments(from));
  saveAttachments(from, []);
  movedDraft = { from, to };
}

export function readDraft(key: string): string {
  if (movedDraft?.from === key) movedDraft = null;
  return read(`draft.${key}`) ?? '';
}

export function saveDraft(key: string, text: string): void {
  const targetKey = movedDraft?.from === key ? movedDraft.to : key;
  write(`draft.${targetKey}`, text === '' ? null : text);
}

/** Attached files of unsent messages; too large to be stored beyond the page. */
const attachmentsByKey = new Map<string, Attachment[]>();

export function readAttachments(key: string): Attachment[] {
  return attachmentsByKey.get(key) ?? [];
}

export function saveAttachments(key: string, files: Attachment[]): void {
  const targetKey = movedDraft?.from === key ? movedDraft.to : key;
  if (files.length === 0) attachmentsByKey.delete(targetKey);
  else attachmentsByKey.set(targetKey, files);
}

/**
 * The field's text if `early` was typed before the draft was restored; a browser may have restored the draft itself.
 */
export function mergeWithDraft(key: string, early: string): string {
  const draft = readDraft(key);
  return draft === '' || draft === early ? early : `${draft}\n${early}`;
}

/** Messages that are not known to be sent. */
export function readUnsent(key: string): NewMessage[] {
  return parse<NewMessage[]>(read(`unsent.${key}`)) ?? [];
}

export function saveUnsent(key: string, messages: NewMessage[]): void {
  write(`unsent.${key}`, messages.length === 0 ? null : JSON.stringify(messages));
}

/** Stores the one message that is sent automatically after sign-in. */
export function savePendingMessage(agentSlug: string, message: NewMessage): void {
  write(`sign-in.${agentSlug}`, JSON.stringify(message));
}

/** Removes and returns that message: it is returned once, so that a reload or a second read sends nothing. */
export function takePendingMessage(agentSlug: string): NewMessage | null {
  const pending = parse<NewMessage>(read(`sign-in.${agentSlug}`));
  write(`sign-in.${agentSlug}`, null);
  return pending;
}

function read(name: string): string | null {
  return readSessionItem(prefix + name);
}

function write(name: string, value: string | null): void {
  setSessionItem(prefix + name, value);
}

/** Only this page writes there, so anything that parses has the stored shape. */
function parse<Value>(text: string | null): Value | null {
  try {
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}
