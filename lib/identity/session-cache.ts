import { createCache } from '../platform/cache';
import { errorFields, log } from '../platform/log';
import { isExpired, shouldTouch, TOUCH_INTERVAL_MS } from './policy';
import { type Session, selectSession, selectSessionByHash, touchSession } from './store/sessions';
import { selectUser, type User } from './store/users';

const sessionsByHash = createCache({
  name: 'session-by-hash',
  max: 20_000,
  topic: 'credential',
  load: selectSessionByHash,
});
const sessionsById = createCache({ name: 'session-by-id', max: 20_000, topic: 'credential', load: selectSession });
const users = createCache({ name: 'user', max: 20_000, topic: 'user', load: selectUser });

/** A person by id; known everywhere ≤ 1 s after a change (topic `user`). */
export function findUser(userId: string): Promise<User | null> {
  return users.get(userId);
}

/** The live session whose cookie has this hash; noted as in use, at most once per five minutes. */
export async function findSessionByHash(hash: string, now: Date): Promise<Session | null> {
  const session = await findUnexpired(sessionsByHash, hash, now);
  if (session && shouldTouch(session, now)) touch(session, now);
  return session;
}

/** The live session with this id. */
export function findSessionById(id: string, now: Date): Promise<Session | null> {
  return findUnexpired(sessionsById, id, now);
}

async function findUnexpired(cache: typeof sessionsById, key: string, now: Date): Promise<Session | null> {
  const known = await cache.get(key);
  if (!known || !isExpired(known, now)) return known;
  // Another node may have seen the person since this row was read: only the database knows whether they were idle.
  cache.invalidate(key);
  const read = await cache.get(key);
  return read && !isExpired(read, now) ? read : null;
}

/** Off the hot path: nobody waits for this write, and a lost one only makes the session look idle for longer. */
function touch(session: Session, now: Date): void {
  session.lastSeenAt = now;
  touchSession(session.id, now, new Date(now.getTime() - TOUCH_INTERVAL_MS)).catch((error: unknown) =>
    log.warn('session.touch_failed', errorFields(error)),
  );
}
