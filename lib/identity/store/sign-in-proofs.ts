import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { nullable, row, text } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { afterCommit, inTransaction, lockRowAndReferences, type Tx } from '../../platform/db/tx';

/** A user's new password, and the session that stays active. */
interface NewPassword {
  userId: string;
  passwordHash: string;
  /** The session that stays active; null for none. */
  currentSessionId: string | null;
  /** The time at which a magic link verified the address; null if none has. */
  verifiedAt: Date | null;
}

const hashRow = row({ passwordHash: nullable(text()) });
const endedRow = row({ id: nullable(text()), hash: nullable(text()) });

/**
 * Sets a password and, in the same transaction, deletes the user's other sessions and magic links and notifies every
 * node. No session with the old password remains, even after a crash or a concurrent sign-in. Returns the previous
 * hash; null if there was none.
 */
export async function replacePasswordHash(
  tx: Tx,
  { userId, passwordHash, currentSessionId, verifiedAt }: NewPassword,
  audit: { changed: AuditEntry; ended: AuditEntry },
): Promise<string | null> {
  // A statement reads a snapshot taken at its start, so the user is locked first; the next statement then reads all
  // sessions.
  await lockRowAndReferences(tx, 'user', { id: userId });
  const [before] = await hashRow.queryIn(
    tx,
    Prisma.sql`SELECT password_hash AS "passwordHash" FROM "user" WHERE id = ${userId}`,
  );
  const payload = notifyPayload('credential', '');
  const rows = await endedRow.queryIn(
    tx,
    Prisma.sql`WITH changed AS (
       UPDATE "user" SET password_hash = ${passwordHash}, email_verified = coalesce(email_verified, ${verifiedAt?.toISOString() ?? null}::timestamptz)
       WHERE id = ${userId} RETURNING id),
     links AS (DELETE FROM magic_link WHERE user_id = ${userId}),
     ended AS (
       DELETE FROM session WHERE user_id = ${userId} AND id IS DISTINCT FROM ${currentSessionId}
       RETURNING id, session_token AS hash)
     SELECT id, hash, pg_notify('parley', ${payload} || id)::text AS _id,
       pg_notify('parley', ${payload} || hash)::text AS _hash, audit_append(entry) AS _audit
     FROM (
       SELECT NULL AS id, NULL AS hash, ${auditJson(audit.changed)}::jsonb AS entry FROM changed
       UNION ALL
       (SELECT id, hash, ${auditJson(audit.ended)}::jsonb || jsonb_build_object('object', id)
        FROM ended ORDER BY id)) AS told`,
  );
  afterCommit(tx, () => {
    for (const { id, hash } of rows) {
      if (id) publishLocally('credential', id);
      if (hash) publishLocally('credential', hash);
    }
  });
  return before?.passwordHash ?? null;
}

/** Restores an earlier password, or the absence of a password, and deletes magic links. */
export async function restorePasswordHash(tx: Tx, userId: string, passwordHash: string | null): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE "user" SET password_hash = ${passwordHash} WHERE id = ${userId}`);
  await executeIn(tx, Prisma.sql`DELETE FROM magic_link WHERE user_id = ${userId}`);
}

interface PasskeyChallenge {
  /** base64url. */
  challenge: string;
  userId: string;
  /** `enroll`, or the id of the confirmed operation. */
  purpose: string;
  expiresAt: Date;
}

/** Stores a passkey challenge, replaces the previous one with the same purpose, and deletes all expired ones. */
export async function saveChallenge(
  { challenge, userId, purpose, expiresAt }: PasskeyChallenge,
  now: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    await executeIn(
      tx,
      Prisma.sql`DELETE FROM passkey_challenge
        WHERE (user_id = ${userId} AND purpose = ${purpose}) OR expires_at <= ${now}`,
    );
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO passkey_challenge (challenge, user_id, purpose, expires_at)
        VALUES (${challenge}, ${userId}, ${purpose}, ${expiresAt})`,
    );
  });
}

const challengeRow = row({ challenge: text() });

/** Consumes a passkey challenge; null if there is none or it has expired. */
export async function consumeChallenge({
  userId,
  purpose,
  now,
}: {
  userId: string;
  purpose: string;
  now: Date;
}): Promise<string | null> {
  const found = await challengeRow.queryFirst(
    'passkey-challenge-consume',
    `DELETE FROM passkey_challenge WHERE user_id = $1 AND purpose = $2 AND expires_at > $3 RETURNING challenge`,
    [userId, purpose, now],
  );
  return found?.challenge ?? null;
}
