import { sha256 } from '../platform/crypto';

/** Whom a client acts for and which of its conversations continues, as far as it says; both are only compared. */
export interface ClientIdentity {
  /** Hash of everything that names the person; empty when nothing does. */
  endUser: string;
  /** Hash of the person and the host's id for the conversation; null without an id. */
  chat: string | null;
}

/** What names the person in a request: OpenAI's members, and the headers that hosts forward. */
const userHeaders = [
  ...['x-parley-user', 'x-user-id', 'x-openwebui-user-id', 'x-openwebui-user-email'],
  ...['x-librechat-user-id', 'x-litellm-end-user-id', 'x-litellm-customer-id'],
];
const userMetadata = ['user_id', 'end_user_id'];

/** What names the conversation. */
const chatHeaders = [
  ...['x-parley-conversation', 'x-conversation-id', 'x-openwebui-chat-id'],
  ...['x-librechat-conversation-id', 'x-litellm-session-id'],
];
const chatMetadata = ['conversation_id', 'chat_id', 'session_id', 'thread_id'];

/** Before a conversation has an id, hosts send these; a placeholder in braces was not replaced. */
const noId = /^(?:new|null|none|undefined|default|\s*|\{\{.*\}\}|\$\{.*\})$/i;

/** An idempotency key for a person: two may choose the same. */
export function keyFor<Key extends string | undefined>(endUser: string, key: Key): Key | string {
  return endUser === '' || key === undefined ? key : sha256(`${endUser} ${key}`);
}

interface IdentifyingMembers {
  user?: unknown;
  safety_identifier?: unknown;
  metadata?: unknown;
}

/** Reads who and what a request is for. Members and headers of any form are accepted. */
export function readIdentity(body: IdentifyingMembers, header: (name: string) => string | null): ClientIdentity {
  const metadata = new Map(Object.entries(body.metadata ?? {}));
  const valuesOf = (headers: string[], members: string[]): string[] =>
    [...headers.map((name) => [name, header(name)]), ...members.map((name) => [name, metadata.get(name)])].flatMap(
      ([name, value]) => (typeof value === 'string' && !noId.test(value) ? [`${name}=${value}`] : []),
    );
  const people = [
    ...[body.user, body.safety_identifier].map((value) => (value ? JSON.stringify(value) : '')),
    ...valuesOf(userHeaders, userMetadata),
  ];
  const endUser = people.every((value) => value === '') ? '' : sha256(JSON.stringify(people));
  const [id] = valuesOf(chatHeaders, chatMetadata);
  return { endUser, chat: id === undefined ? null : sha256(JSON.stringify([endUser, id])) };
}
