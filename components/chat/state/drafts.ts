import { readSessionItem, setSessionItem, shareItem, takeSharedItem } from '../../ui/controls/session-storage';
import type { Attachment } from './attachments';
import type { MessageQueue } from './message-queue';
import type { NewMessage } from './thread-state';

// Unsent text, stored per tab: drafts, queued messages, messages that were not sent, and the message to send after
// sign-in.
const prefix = 'parley.chat.';

/** Returns the storage key of a conversation or, before it exists, of its agent. */
export function draftKey(conversationId: string | null, agentSlug: string): string {
  return conversationId ?? `new.${agentSlug}`;
}

/** Returns the storage key of the queue of one branch. */
export function queueKey(conversationId: string | null, branch: string | null, agentSlug: string): string {
  return conversationId === null ? draftKey(null, agentSlug) : `${conversationId}.${branch}`;
}

interface MovedDraft {
  from: string;
  to: string;
  /** Storage key of the queue. */
  queue: string;
}

/**
 * The draft keys of a conversation that was just created, to which text that is still written under the agent's key
 * belongs.
 */
let movedDraft: MovedDraft | null = null;

/** Moves a draft and a queue to the new keys, including text that is written there until the next page loads. */
export function moveDraft(moved: MovedDraft): void {
  const { from, to } = moved;
  write(`draft.${to}`, read(`draft.${from}`));
  write(`draft.${from}`, null);
  write(`queue.${moved.queue}`, read(`queue.${from}`));
  write(`queue.${from}`, null);
  saveAttachments(to, readAttachments(from));
  saveAttachments(from, []);
  movedDraft = moved;
}

export function readDraft(key: string): string {
  if (movedDraft?.from === key) movedDraft = null;
  return read(`draft.${key}`) ?? '';
}

export function saveDraft(key: string, text: string): void {
  const targetKey = movedDraft?.from === key ? movedDraft.to : key;
  write(`draft.${targetKey}`, text === '' ? null : text);
}

/** Attached files of unsent messages, which are too large to be stored beyond the page. */
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
 * Returns the field's text if `early` was typed before the draft was restored. A browser may have restored the draft
 * itself.
 */
export function mergeWithDraft(key: string, early: string): string {
  const draft = readDraft(key);
  return draft === '' || draft === early ? early : `${draft}\n${early}`;
}

/** Returns the messages that wait for the agent; null if there are none. */
export function readQueue(key: string): MessageQueue | null {
  return parse<MessageQueue>(read(`queue.${key}`));
}

/** Stores the queue. Returns false if storage is full or disabled. */
export function saveQueue(key: string, queue: MessageQueue): boolean {
  const name = `queue.${movedDraft?.from === key ? movedDraft.queue : key}`;
  const text = queue.items.length === 0 ? null : JSON.stringify(queue);
  write(name, text);
  return read(name) === text;
}

/** Messages without a confirmation from the server. */
export function readUnsent(key: string): NewMessage[] {
  return parse<NewMessage[]>(read(`unsent.${key}`)) ?? [];
}

export function saveUnsent(key: string, messages: NewMessage[]): void {
  write(`unsent.${key}`, messages.length === 0 ? null : JSON.stringify(messages));
}

/** Lifetime of a pending message: equal to that of the link that activates an account. */
const PENDING_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Stores the one message that is sent automatically after sign-in, also in the tab that a link in an email opens. */
export function savePendingMessage(agentSlug: string, message: NewMessage): void {
  const name = `sign-in.${agentSlug}`;
  write(name, JSON.stringify(message));
  shareItem(prefix + name, JSON.stringify(message), PENDING_LIFETIME_MS);
}

/**
 * Removes and returns that message, so that a reload or a second read sends nothing. A message that another tab stored
 * is returned only if the user `returns` from sign-in.
 */
export function takePendingMessage(agentSlug: string, { returns }: { returns: boolean }): NewMessage | null {
  const name = `sign-in.${agentSlug}`;
  const own = read(name);
  if (own === null && !returns) return null;
  write(name, null);
  const shared = takeSharedItem(prefix + name);
  return parse<NewMessage>(own ?? shared);
}

function read(name: string): string | null {
  return readSessionItem(prefix + name);
}

function write(name: string, value: string | null): void {
  setSessionItem(prefix + name, value);
}

/** Parses stored text. Only this page writes it, so all text that parses has the stored shape. */
function parse<Value>(text: string | null): Value | null {
  try {
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}
