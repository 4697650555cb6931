/**
 * The subject of a notification. Its key, without spaces, names an object, or several separated by commas.
 * Notifications only wake readers, which read the state from the database; those of a breaker carry the whole state.
 */
export type Topic =
  | 'task'
  | 'context'
  | 'push'
  | 'credential'
  | 'grant'
  | 'agent'
  | 'app'
  | 'client'
  | 'user'
  | 'keys'
  | 'revoked'
  | 'slots'
  | 'order'
  | 'spending'
  | 'breaker'
  | 'hub'
  | 'hub-cancel'
  | 'hub-worker'
  | 'chain'
  | 'mcp-cancel'
  | 'test';

/**
 * The topics that NATS carries when it is configured: those of every message, whose readers also read the database each
 * second while they wait. All others end rights, change settings or cancel, and stay in the commit of the write.
 */
const HOT_TOPICS: ReadonlySet<Topic> = new Set(['task', 'context', 'push', 'hub', 'order']);

/** True for a topic that NATS may carry. */
export function isHot(topic: Topic): boolean {
  return HOT_TOPICS.has(topic);
}

/** The subject of a key of a hot topic; `'*'` means every key. */
export function subjectOf(prefix: string, topic: Topic, key: string | '*'): string {
  return `${prefix}.${topic}.${key === '*' ? key : tokenOf(key)}`;
}

/** The key that a subject names. */
export function keyOf(subject: string): string {
  const token = subject.slice(subject.lastIndexOf('.') + 1);
  return token.startsWith('~') ? Buffer.from(token.slice(1), 'base64url').toString() : token;
}

/** A subject's token must not contain spaces, dots and wildcards. */
function tokenOf(key: string): string {
  return /^[\w-]+$/.test(key) ? key : `~${Buffer.from(key).toString('base64url')}`;
}
