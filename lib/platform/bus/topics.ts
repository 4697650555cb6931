import type { Statement } from '../db/pipelined-statements';

/**
 * The subject of a notification. Its key, without spaces, identifies one object, or several separated by commas.
 * Notifications only cause readers to read the state from the database, except those of a breaker, which contain the
 * whole state.
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
  | 'owner'
  | 'keys'
  | 'revoked'
  | 'slots'
  | 'order'
  | 'payout'
  | 'spending'
  | 'fees'
  | 'breaker'
  | 'hub'
  | 'hub-cancel'
  | 'hub-worker'
  | 'chain'
  | 'mcp-cancel'
  | 'test';

/**
 * The topics that NATS delivers if it is configured: those that occur with every message, and whose readers also poll
 * the database every second while they wait. All other topics revoke access, change settings or cancel, and are
 * published in the commit of the write.
 */
const HOT_TOPICS: ReadonlySet<Topic> = new Set(['task', 'context', 'push', 'hub', 'order']);

/** Returns true for a topic that NATS may deliver. */
export function isHot(topic: Topic): boolean {
  return HOT_TOPICS.has(topic);
}

/** Returns the NATS subject for a key of a hot topic; `'*'` means every key. */
export function subjectOf(prefix: string, topic: Topic, key: string | '*'): string {
  return `${prefix}.${topic}.${key === '*' ? key : tokenOf(key)}`;
}

/** Returns the key in a NATS subject that {@link subjectOf} returned. */
export function keyOf(subject: string): string {
  const token = subject.slice(subject.lastIndexOf('.') + 1);
  return token.startsWith('~') ? Buffer.from(token.slice(1), 'base64url').toString() : token;
}

/** Encodes a key as a token of a subject, which must not contain spaces, dots or wildcards. */
function tokenOf(key: string): string {
  return /^[\w-]+$/.test(key) ? key : `~${Buffer.from(key).toString('base64url')}`;
}

/** Delivers notifications to the other nodes. */
export interface NoticeTransport {
  /** Returns the statements that notify when the write with which they are executed commits. */
  inCommit(topic: Topic, keys: () => string[]): Statement[];
  /** Notifies other nodes of a committed write, unless its commit already did. */
  afterCommit(topic: Topic, key: string): void;
  /** Notifies other nodes independently of a write. */
  publish(topic: Topic, key: string): Promise<void>;
}
