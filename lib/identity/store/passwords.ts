import { type AuditEntry, auditJson } from '../../observability';
import { noticeOf, publishHere } from '../../platform/bus';
import { query } from '../../platform/sql';

/** A person's new password, and what ends with the old one. */
export interface NewPassword {
  userId: string;
  passwordHash: string;
  /** The session that goes on; null for none. */
  keptSession: string | null;
  now: Date;
}

/**
 * Sets a password and, in the same statement, ends the person's other sessions and the links that were mailed to them, and
 * tells every node: no crash can leave a session that the old password opened. Whoever set it has proved the address.
 */
export async function replacePasswordHash(
  { userId, passwordHash, keptSession, now }: NewPassword,
  audit: { changed: AuditEntry; ended: AuditEntry },
): Promise<void> {
  const rows = await query<{ id: string | null; hash: string | null }>(
    'password-replace',
    `WITH changed AS (
       UPDATE "user" SET password_hash = $2, email_verified = coalesce(email_verified, $4) WHERE id = $1 RETURNING id),
     links AS (DELETE FROM mail_link WHERE user_id = $1),
     ended AS (
       DELETE FROM session WHERE user_id = $1 AND id IS DISTINCT FROM $3 RETURNING id, session_token AS hash)
     SELECT id, hash, pg_notify('parley', $5 || id), pg_notify('parley', $5 || hash), audit_append(entry)
     FROM (
       SELECT NULL AS id, NULL AS hash, $6::jsonb AS entry FROM changed
       UNION ALL
       (SELECT id, hash, $7::jsonb || jsonb_build_object('object', id) FROM ended ORDER BY id)) AS told`,
    [
      userId,
      passwordHash,
      keptSession,
      now,
      noticeOf('credential', ''),
      auditJson(audit.changed),
      auditJson(audit.ended),
    ],
  );
  for (const { id, hash } of rows) {
    if (id) publishHere('credential', id);
    if (hash) publishHere('credential', hash);
  }
}
