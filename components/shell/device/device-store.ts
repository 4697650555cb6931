// What this browser stores for the service worker (public/sw.js, which reads and writes the same database): read-only
// copies of conversations, texts of the offline page, and what other apps share. Loaded lazily.

import { deviceDatabase } from './device-names';

/** A message of a copy. */
export interface CopiedMessage {
  role: 'user' | 'agent';
  text: string;
}

/** A read-only copy of a conversation. */
export interface ConversationCopy {
  id: string;
  title: string;
  /** The agent's name. */
  agent: string;
  messages: CopiedMessage[];
}

/** What another app shared on this device. */
export interface SharedContent {
  text: string;
  files: File[];
  /** True if the files were too many or too large. */
  isTooMuch: boolean;
}

/** Maximum conversations of which this browser keeps a copy. */
const MAX_COPIES = 20;

/** Maximum messages of a copy, the latest ones, and characters of each. */
const MAX_COPIED_MESSAGES = 100;
const MAX_COPIED_LENGTH = 20_000;

/** Time after which shared content is discarded, milliseconds. */
const SHARED_LIFETIME_MS = 600_000;

const storeNames = ['conversations', 'shared', 'meta'] as const;
type StoreName = (typeof storeNames)[number];

/** Keeps a copy of a conversation of the user, in place of the one that was read longest ago. */
export async function copyConversation(userId: string, { messages, ...conversation }: ConversationCopy): Promise<void> {
  const owner = await use<{ value: string } | undefined>('meta', 'readonly', (rows) => rows.get('owner'));
  if (owner?.value !== userId) return;
  const latest = messages.slice(-MAX_COPIED_MESSAGES);
  const copied = latest.map(({ role, text }) => ({ role, text: text.slice(0, MAX_COPIED_LENGTH) }));
  const copy = { ...conversation, messages: copied, readAt: Date.now() };
  await use('conversations', 'readwrite', (rows) => rows.put(copy));
  const all = await use<{ id: string; readAt: number }[]>('conversations', 'readonly', (rows) => rows.getAll());
  const outdated = all.sort((a, b) => b.readAt - a.readAt).slice(MAX_COPIES);
  for (const { id } of outdated) await use('conversations', 'readwrite', (rows) => rows.delete(id));
}

/** Returns and removes what another app shared; null if there is nothing recent. */
export async function takeShared(): Promise<SharedContent | null> {
  const shared = await use<(SharedContent & { at: number }) | undefined>('shared', 'readonly', (rows) =>
    rows.get('share'),
  );
  if (!shared) return null;
  await use('shared', 'readwrite', (rows) => rows.delete('share'));
  return Date.now() - shared.at < SHARED_LIFETIME_MS ? shared : null;
}

/** Runs one operation in a transaction of its own. */
async function use<Result>(
  store: StoreName,
  mode: IDBTransactionMode,
  call: (rows: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const opened = await open();
  try {
    return await resultOf<Result>(call(opened.transaction(store, mode).objectStore(store)));
  } finally {
    opened.close();
  }
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(deviceDatabase, 1);
  opening.onupgradeneeded = () => {
    for (const name of storeNames) opening.result.createObjectStore(name, { keyPath: 'id' });
  };
  return resultOf(opening);
}

function resultOf<Result>(request: IDBRequest): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Result);
    request.onerror = () => reject(request.error);
  });
}
