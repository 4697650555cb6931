import { noticeOf, publishHere } from '../../platform/bus';
import { db } from '../../platform/db';
import { query } from '../../platform/sql';

/** A session without the hash of its cookie. */
export interface Session {
  id: string;
  userId: string;
  expires: Date;
  lastSeenAt: Date;
}

/** Where a session began. */
export interface Place {
  address: string;
  userAgent: string;
}

export type ListedSession = Session & Place & { signedInAt: Date };

const columns = 'id, user_id AS "userId", expires, last_seen_at AS "lastSeenAt"';

export async function selectSessionByHash(tokenHash: string): Promise<Session | null> {
  const rows = await query<Session>('session-by-hash', `SELECT ${columns} FROM session WHERE session_token = $1`, [
    tokenHash,
  ]);
  return rows[0] ?? null;
}

export async function selectSession(id: string): Promise<Session | null> {
  const rows = await query<Session>('session-by-id', `SELECT ${columns} FROM session WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** Sessions of a person that have not passed their absolute end, the latest used first. */
export function selectSessionsOf(userId: string, now: Date): Promise<ListedSession[]> {
  return db().session.findMany({
    where: { userId, expires: { gt: now } },
    orderBy: { lastSeenAt: 'desc' },
    omit: { sessionToken: true },
  });
}

/** Adds a session and drops, of everybody's, those past their absolute end: an idle account keeps no addresses. */
export async function insertSession(session: Session & Place, tokenHash: string): Promise<void> {
  const signedInAt = session.lastSeenAt;
  await db().session.deleteMany({ where: { expires: { lt: signedInAt } } });
  await db().session.create({ data: { ...session, signedInAt, sessionToken: tokenHash } });
}

/** Notes that a session is in use, unless another node noted it after `before`. */
export async function touchSession(id: string, now: Date, before: Date): Promise<void> {
  await query('session-touch', 'UPDATE session SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3', [
    id,
    now,
    before,
  ]);
}

/** Ends one session of a person; answers whether there was one. */
export async function deleteSession(userId: string, id: string): Promise<boolean> {
  return (await deleteWhere('one', 'user_id = $2 AND id = $3', [userId, id])) === 1;
}

/** Ends all sessions of a person but one; answers how many. */
export function deleteOtherSessions(userId: string, keptId: string): Promise<number> {
  return deleteWhere('others', 'user_id = $2 AND id <> $3', [userId, keptId]);
}

/** Ends all sessions of a person; answers how many. */
export function deleteAllSessions(userId: string): Promise<number> {
  return deleteWhere('all', 'user_id = $2', [userId]);
}

// The statement that ends a session also tells every node, so no crash can come between the two. Caches know a session by
// its id or by the hash of its cookie: both are told.
async function deleteWhere(name: string, condition: string, values: string[]): Promise<number> {
  const ended = await query<{ id: string; hash: string }>(
    `session-end-${name}`,
    `WITH ended AS (DELETE FROM session WHERE ${condition} RETURNING id, session_token AS hash)
     SELECT id, hash, pg_notify('parley', $1 || id), pg_notify('parley', $1 || hash) FROM ended`,
    [noticeOf('credential', ''), ...values],
  );
  for (const { id, hash } of ended) {
    publishHere('credential', id);
    publishHere('credential', hash);
  }
  return ended.length;
}
