import { keepInTab, readKept } from '../ui/kept-in-tab';
import type { Attachment } from './attachments';
import type { OwnMessage } from './thread-state';

// What the person wrote and nobody has yet, kept in the tab: drafts, messages that were not sent, and the message that waits
// for its writer to sign in.
const prefix = 'parley.chat.';

/** The name under which things of a conversation are kept; before it exists, of its agent. */
export function placeOf(conversationId: string | null, agentSlug: string): string {
  return conversationId ?? `new.${agentSlug}`;
}

/** Of a conversation that has just begun: what is still written where it was about to begin is its own. */
let followed: { from: string; to: string } | null = null;

/** Moves a draft, and what is written there until the next page, to where it belongs from now on. */
export function followDraft(from: string, to: string): void {
  write(`draft.${to}`, read(`draft.${from}`));
  write(`draft.${from}`, null);
  keepAttached(to, readAttached(from));
  keepAttached(from, []);
  followed = { from, to };
}

export function readDraft(place: string): string {
  if (followed?.from === place) followed = null;
  return read(`draft.${place}`) ?? '';
}

export function keepDraft(place: string, text: string): void {
  const at = followed?.from === place ? followed.to : place;
  write(`draft.${at}`, text === '' ? null : text);
}

/** Files that wait for their message; they are too large to be kept beyond the page. */
const attached = new Map<string, Attachment[]>();

export function readAttached(place: string): Attachment[] {
  return attached.get(place) ?? [];
}

export function keepAttached(place: string, files: Attachment[]): void {
  const at = followed?.from === place ? followed.to : place;
  if (files.length === 0) attached.delete(at);
  else attached.set(at, files);
}

/** What stands in a field into which `early` was written before the draft was there; a browser may have written just that. */
export function draftAnd(place: string, early: string): string {
  const draft = readDraft(place);
  return draft === '' || draft === early ? early : `${draft}\n${early}`;
}

/** Messages whose sending is not known to have worked. */
export function readUnsent(place: string): OwnMessage[] {
  return parse<OwnMessage[]>(read(`unsent.${place}`)) ?? [];
}

export function keepUnsent(place: string, messages: OwnMessage[]): void {
  write(`unsent.${place}`, messages.length === 0 ? null : JSON.stringify(messages));
}

/** Keeps the one message that is to be sent by itself after its writer has signed in. */
export function keepForSignIn(agentSlug: string, message: OwnMessage): void {
  write(`sign-in.${agentSlug}`, JSON.stringify(message));
}

/** Takes that message out: it is answered once, so that a reload or a second look sends nothing. */
export function takeAfterSignIn(agentSlug: string): OwnMessage | null {
  const kept = parse<OwnMessage>(read(`sign-in.${agentSlug}`));
  write(`sign-in.${agentSlug}`, null);
  return kept;
}

function read(name: string): string | null {
  return readKept(prefix + name);
}

function write(name: string, value: string | null): void {
  keepInTab(prefix + name, value);
}

/** Only this page writes there, so what parses has the shape that was written. */
function parse<Value>(text: string | null): Value | null {
  try {
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}
