import { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { nullable, row, text } from '../../platform/rows';
import { executeIn } from '../../platform/sql';
import { afterCommit, lockRowAndReferences, type Tx } from '../../platform/tx';

/** A user's new password, and which session stays active. */
export interface NewPassword {
  userId: string;
  passwordHash: string;
  /** The session that stays active; null for none. */
  currentSessionId: string | null;
  /** When a magic link verified the address; null when none did. */
  verifiedAt: Date | null;
}

const hashRow = row({ passwordHash: nullable(text()) });
const endedRow = row({ id: nullable(text()), hash: nullable(text()) });

/**
 * Sets a password and, in the same transaction, deletes the user's other sessions and magic links and notifies every
 * node. Neither a crash nor a concurrent sign-in can leave a session that the old password opened. Returns the hash
 * before.
 */
export async function replacePasswordHash(
  tx: Tx,
  { userId, passwordHash, currentSessionId, verifiedAt }: NewPassword,
  audit: { changed: AuditEntry; ended: AuditEntry },
): Promise<string | null> {
  // A statement sees a snapshot of its start, so lock the user first; the next statement then sees all sessions.
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

/** Restores an earlier password, or that there was none, and deletes magic links. */
export async function restorePasswordHash(tx: Tx, userId: string, passwordHash: string | null): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE "user" SET password_hash = ${passwordHash} WHERE id = ${userId}`);
  await executeIn(tx, Prisma.sql`DELETE FROM magic_link WHERE user_id = ${userId}`);
}
