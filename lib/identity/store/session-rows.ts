import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { afterCommit, type Tx } from '../../platform/db/tx';
import type { OfferedLocale } from '../../texts/languages';

const sessionRow = row({
  id: text(),
  userId: text(),
  signedInAt: timestamptz(),
  expires: timestamptz(),
  lastSeenAt: timestamptz(),
});
const listedRow = row({ ...sessionRow.columns, address: text(), userAgent: text() });

/** A session without the hash of its cookie. */
export type Session = RowOf<typeof sessionRow>;

/** The client that started a session, and the language that it requests; null if it requests none. */
export type ClientInfo = Pick<ListedSession, 'address' | 'userAgent'> & { locale: OfferedLocale | null };

export type NewSession = ListedSession & { tokenHash: string };

export type ListedSession = RowOf<typeof listedRow>;

const columns = 'id, user_id AS "userId", signed_in_at AS "signedInAt", expires, last_seen_at AS "lastSeenAt"';

export async function selectSessionByHash(tokenHash: string): Promise<Session | null> {
  return sessionRow.queryFirst('session-by-hash', `SELECT ${columns} FROM session WHERE session_token = $1`, [
    tokenHash,
  ]);
}

export async function selectSession(id: string): Promise<Session | null> {
  return sessionRow.queryFirst('session-by-id', `SELECT ${columns} FROM session WHERE id = $1`, [id]);
}

/** Selects the sessions of a user within their absolute lifetime, most recently used first. */
export function selectSessionsOf(userId: string, now: Date): Promise<ListedSession[]> {
  return listedRow.query(
    'sessions-of',
    `SELECT ${columns}, address, user_agent AS "userAgent" FROM session
     WHERE user_id = $1 AND expires > $2 ORDER BY last_seen_at DESC`,
    [userId, now],
  );
}

/**
 * Inserts a session and deletes all expired ones, so that no addresses of idle accounts are retained. Returns false if
 * the user does not exist, or if `expectedPasswordHash` is given and is no longer the user's.
 */
export async function insertSession(
  session: NewSession,
  { expectedPasswordHash, audit }: { expectedPasswordHash: string | null; audit: AuditEntry },
): Promise<boolean> {
  const { id, tokenHash, userId, signedInAt, expires, lastSeenAt, userAgent, address } = session;
  await execute('session-delete', 'DELETE FROM session WHERE expires < $1', [lastSeenAt]);
  // FOR SHARE serializes this with a password change: the session either ends with the old password or is never
  // inserted.
  const count = await execute(
    'session-start',
    `WITH person AS (
       SELECT id FROM "user" WHERE id = $3 AND ($10::text IS NULL OR password_hash = $10) FOR SHARE),
     started AS (
       INSERT INTO session (id, session_token, user_id, expires, signed_in_at, last_seen_at, user_agent, address)
       SELECT $1, $2, id, $4::timestamptz, $5::timestamptz, $6::timestamptz, $7, $8 FROM person RETURNING id)
     SELECT audit_append($9::jsonb) FROM started`,
    [
      id,
      tokenHash,
      userId,
      expires,
      signedInAt,
      lastSeenAt,
      userAgent,
      address,
      auditJson(audit),
      expectedPasswordHash,
    ],
  );
  return count === 1;
}

/** Records the use of a session, unless another node recorded one after `before`. */
export async function touchSession(id: string, now: Date, before: Date): Promise<void> {
  await execute('session-touch', 'UPDATE session SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3', [
    id,
    now,
    before,
  ]);
}

/** Deletes one session of a user; returns true if it existed. */
export async function deleteSession(userId: string, id: string, audit: AuditEntry): Promise<boolean> {
  return (await deleteWhere('one', 'user_id = $3 AND id = $4', { values: [userId, id], audit })) === 1;
}

/** Deletes all sessions of a user except one; returns their number. */
export function deleteOtherSessions(userId: string, currentId: string, audit: AuditEntry): Promise<number> {
  return deleteWhere('others', 'user_id = $3 AND id <> $4', { values: [userId, currentId], audit });
}

/** Deletes all sessions of a user; returns their number. */
export function deleteAllSessions(userId: string, audit: AuditEntry): Promise<number> {
  return deleteWhere('all', 'user_id = $3', { values: [userId], audit });
}

const endedRow = row({ id: text(), hash: text() });

// Deletes and notifies in one statement, so that a crash cannot separate the two. Session ids and cookie hashes are
// both cache keys, so both are notified. Sorted, so that all rows are locked before the audit log.
async function deleteWhere(
  name: string,
  condition: string,
  { values, audit }: { values: string[]; audit: AuditEntry },
): Promise<number> {
  const ended = await endedRow.query(
    `session-end-${name}`,
    `WITH ended AS (DELETE FROM session WHERE ${condition} RETURNING id, session_token AS hash)
     SELECT id, hash, pg_notify('parley', $1 || id) AS _id, pg_notify('parley', $1 || hash) AS _hash,
            audit_append($2::jsonb || jsonb_build_object('object', id)) AS _audit
     FROM (SELECT id, hash FROM ended ORDER BY id) AS all_ended`,
    [notifyPayload('credential', ''), auditJson(audit), ...values],
  );
  for (const { id, hash } of ended) {
    publishLocally('credential', id);
    publishLocally('credential', hash);
  }
  return ended.length;
}

/**
 * Deletes the sessions of a user except one, in a transaction that restores their sign-in method. The user's row must
 * be locked, so that no other session can start.
 */
export async function deleteSessionsIn(
  tx: Tx,
  { userId, exceptId }: { userId: string; exceptId: string | null },
  audit: AuditEntry,
): Promise<void> {
  const payload = notifyPayload('credential', '');
  const ended = await endedRow.queryIn(
    tx,
    Prisma.sql`WITH ended AS (
        DELETE FROM session WHERE user_id = ${userId} AND id IS DISTINCT FROM ${exceptId}
        RETURNING id, session_token AS hash)
      SELECT id, hash, pg_notify('parley', ${payload} || id)::text AS _id, pg_notify('parley', ${payload} || hash)::text AS _hash,
        audit_append(${auditJson(audit)}::jsonb || jsonb_build_object('object', id)) AS _audit
      FROM (SELECT id, hash FROM ended ORDER BY id) AS all_ended`,
  );
  afterCommit(tx, () => {
    for (const { id, hash } of ended) {
      publishLocally('credential', id);
      publishLocally('credential', hash);
    }
  });
}
