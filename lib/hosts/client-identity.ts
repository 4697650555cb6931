import { sha256 } from '../platform/secrets/crypto';

/**
 * The end user and the conversation of a request, as far as the client states them. Both are used only for comparisons.
 */
export interface ClientIdentity {
  /** Hash of all identifiers of the end user; empty if there are none. */
  endUser: string;
  /** Hash of the end user and the host's id for the conversation; null if there is no conversation id. */
  chat: string | null;
}

/** Identifiers of the end user in a request: OpenAI's members, and the headers that hosts forward. */
const userHeaders = [
  ...['x-parley-user', 'x-user-id', 'x-openwebui-user-id', 'x-openwebui-user-email'],
  ...['x-librechat-user-id', 'x-litellm-end-user-id', 'x-litellm-customer-id'],
];
const userMetadata = ['user_id', 'end_user_id'];

/** Identifiers of the conversation. */
const chatHeaders = [
  ...['x-parley-conversation', 'x-conversation-id', 'x-openwebui-chat-id'],
  ...['x-librechat-conversation-id', 'x-litellm-session-id'],
];
const chatMetadata = ['conversation_id', 'chat_id', 'session_id', 'thread_id'];

/** Values that hosts send before a conversation has an id, including placeholders in braces that were not replaced. */
const noId = /^(?:new|null|none|undefined|default|\s*|\{\{.*\}\}|\$\{.*\})$/i;

/** Returns an idempotency key within the scope of an end user, because two end users may choose the same key. */
export function keyFor<Key extends string | undefined>(endUser: string, key: Key): Key | string {
  return endUser === '' || key === undefined ? key : sha256(`${endUser} ${key}`);
}

interface IdentifyingMembers {
  user?: unknown;
  safety_identifier?: unknown;
  metadata?: unknown;
}

/** Reads the end user and the conversation of a request. Accepts members and headers in any format. */
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
