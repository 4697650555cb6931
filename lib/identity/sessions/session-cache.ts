import { publish } from '../../platform/bus';
import { createCache } from '../../platform/cache';
import { errorFields, log } from '../../platform/runtime/log';
import type { OfferedLocale } from '../../texts/languages';
import { SESSION_CACHE_SIZE, SESSION_IDLE_MS, SESSION_TOUCH_INTERVAL_MS, USER_CACHE_SIZE } from '../limits';
import { type Session, selectSession, selectSessionByHash, touchSession } from '../store/session-rows';
import { selectUser, type User, updateLocale } from '../store/users';

const sessionsByHash = createCache({ max: SESSION_CACHE_SIZE, topic: 'credential', load: selectSessionByHash });
const sessionsById = createCache({ max: SESSION_CACHE_SIZE, topic: 'credential', load: selectSession });
const users = createCache({ max: USER_CACHE_SIZE, topic: 'user', load: selectUser });

/** Finds a user by id; null if unknown. Cached; a change (topic `user`) is visible on every node within a second. */
export function findUser(userId: string): Promise<User | null> {
  return users.get(userId);
}

/** Sets the language of a user's emails and notifications, unless it is stored already. */
export async function storeLocale(
  userId: string,
  change: { locale: OfferedLocale; onlyIfUnknown: boolean },
): Promise<void> {
  const known = (await findUser(userId))?.locale;
  if (known === change.locale || (known && change.onlyIfUnknown)) return;
  if (await updateLocale(userId, change)) await publish('user', userId);
}

/**
 * Finds the active session whose cookie has this hash; null if there is none. Records its use at most once every five
 * minutes.
 */
export async function findSessionByHash(hash: string, now: Date): Promise<Session | null> {
  const session = await findUnexpired(sessionsByHash, hash, now);
  if (session && shouldTouch(session, now)) touch(session, now);
  return session;
}

/** Returns the active session with this id; null if there is none. */
export function findSessionById(id: string, now: Date): Promise<Session | null> {
  return findUnexpired(sessionsById, id, now);
}

async function findUnexpired(cache: typeof sessionsById, key: string, now: Date): Promise<Session | null> {
  const known = await cache.get(key);
  if (!known || !isExpired(known, now)) return known;
  // Another node may have recorded a use since this row was cached.
  cache.invalidate(key);
  const read = await cache.get(key);
  return read && !isExpired(read, now) ? read : null;
}

/** Records a use in the background. After a lost write, the session only appears to have been idle for longer. */
function touch(session: Session, now: Date): void {
  session.lastSeenAt = now;
  touchSession(session.id, now, new Date(now.getTime() - SESSION_TOUCH_INTERVAL_MS)).catch((error: unknown) =>
    log.warn('session.touch_failed', errorFields(error)),
  );
}

interface SessionTimes {
  expires: Date;
  lastSeenAt: Date;
}

/**
 * Returns the time at which the session expires if it is not used again: after 14 idle days, or 30 days after its
 * start, whichever is first.
 */
export function expiryOf({ expires, lastSeenAt }: SessionTimes): Date {
  return new Date(Math.min(expires.getTime(), lastSeenAt.getTime() + SESSION_IDLE_MS));
}

export function isExpired(session: SessionTimes, now: Date): boolean {
  return expiryOf(session) <= now;
}

/** Returns true if `lastSeenAt` is old enough to be written again. */
export function shouldTouch({ lastSeenAt }: SessionTimes, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= SESSION_TOUCH_INTERVAL_MS;
}
