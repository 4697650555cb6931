import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { inTransaction } from '../../platform/tx';

/** A user's new password, and which session stays active. */
export interface NewPassword {
  userId: string;
  passwordHash: string;
  /** The session that stays active; null for none. */
  currentSessionId: string | null;
  /** When a magic link verified the address; null when none did. */
  verifiedAt: Date | null;
}

/**
 * Sets a password and, in the same transaction, deletes the user's other sessions and magic links and notifies every
 * node. Neither a crash nor a concurrent sign-in can leave a session that the old password opened.
 */
export async function replacePasswordHash(
  { userId, passwordHash, currentSessionId, verifiedAt }: NewPassword,
  audit: { changed: AuditEntry; ended: AuditEntry },
): Promise<void> {
  const rows = await inTransaction(async (tx) => {
    // A statement sees a snapshot of its start, so lock the user first; the next statement then sees all sessions.
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId} FOR UPDATE`;
    return tx.$queryRawUnsafe<{ id: string | null; hash: string | null }[]>(
      `WITH changed AS (
         UPDATE "user" SET password_hash = $2, email_verified = coalesce(email_verified, $4::timestamptz)
         WHERE id = $1 RETURNING id),
       links AS (DELETE FROM magic_link WHERE user_id = $1),
       ended AS (
         DELETE FROM session WHERE user_id = $1 AND id IS DISTINCT FROM $3 RETURNING id, session_token AS hash)
       SELECT id, hash, pg_notify('parley', $5 || id)::text, pg_notify('parley', $5 || hash)::text, audit_append(entry)
       FROM (
         SELECT NULL AS id, NULL AS hash, $6::jsonb AS entry FROM changed
         UNION ALL
         (SELECT id, hash, $7::jsonb || jsonb_build_object('object', id) FROM ended ORDER BY id)) AS told`,
      userId,
      passwordHash,
      currentSessionId,
      verifiedAt?.toISOString() ?? null,
      notifyPayload('credential', ''),
      auditJson(audit.changed),
      auditJson(audit.ended),
    );
  });
  for (const { id, hash } of rows) {
    if (id) publishLocally('credential', id);
    if (hash) publishLocally('credential', hash);
  }
}
