import type { Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

const day = 86_400_000;

/** A session ends this long after signing in, however much it is used. Milliseconds. */
export const SESSION_LIFETIME_MS = 30 * day;

/** A session ends when it was not used for this long. Milliseconds. */
const SESSION_IDLE_MS = 14 * day;

/** `lastSeenAt` is written at most this often. Milliseconds. */
export const TOUCH_INTERVAL_MS = 5 * 60_000;

/** A link to confirm an address works this long. Milliseconds. */
export const CONFIRMATION_LIFETIME_MS = day;

/** A link in a mail that lets its reader in works this long. Milliseconds. */
export const MAGIC_LINK_LIFETIME_MS = 20 * 60_000;

interface Lifetime {
  expires: Date;
  lastSeenAt: Date;
}

/** When the session ends if it is not used again: 14 days idle, 30 days in all, whichever comes first. */
export function expiryOf({ expires, lastSeenAt }: Lifetime): Date {
  return new Date(Math.min(expires.getTime(), lastSeenAt.getTime() + SESSION_IDLE_MS));
}

export function isExpired(session: Lifetime, now: Date): boolean {
  return expiryOf(session) <= now;
}

export function shouldTouch({ lastSeenAt }: Lifetime, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= TOUCH_INTERVAL_MS;
}

/**
 * The person who calls, by whatever credential.
 * @throws {ParleyError} `unauthenticated`
 */
export function requirePerson(actor: Actor): UserActor {
  if (actor.kind !== 'user')
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  return actor;
}

/**
 * The person behind a signed-in browser; access tokens, apps and strangers may not touch accounts.
 * @throws {ParleyError} `unauthenticated`
 */
export function requireSession(actor: Actor): { userId: string; sessionId: string; email: string } {
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') {
    throw new ParleyError('unauthenticated', 'Sign in to see and change your account.');
  }
  return { userId: actor.userId, sessionId: actor.credential.id, email: actor.email };
}
