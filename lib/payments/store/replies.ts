import { query } from '../../platform/sql';

/** A reply by its Idempotency-Key. `status` is null while it is being made. */
interface Reply {
  bodyHash: string;
  status: number | null;
  body: string | null;
}

/** Who asked what, under which key. */
export interface ReplyKey {
  userId: string;
  key: string;
  bodyHash: string;
}

/** Replies are kept for a day; one that nobody finished in a minute was begun by a node that is gone. */
const keptSql = `interval '24 hours'`;
const abandonedSql = `interval '60 seconds'`;

/** Takes the key. Null: it is this call's to answer. Else what was answered under it, or is about to be. */
export async function takeReply({ userId, key, bodyHash }: ReplyKey, now: Date): Promise<Reply | null> {
  const taken = await query(
    'payments-take-reply',
    `INSERT INTO payment_reply (user_id, key, body_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id, key) DO UPDATE
     SET body_hash = excluded.body_hash, status = NULL, body = NULL, created_at = excluded.created_at
     WHERE payment_reply.created_at <= $4 - ${keptSql} OR
           (payment_reply.status IS NULL AND payment_reply.created_at <= $4 - ${abandonedSql})
     RETURNING key`,
    [userId, key, bodyHash, now],
  );
  if (taken.length > 0) return null;
  const [known] = await query<Reply>(
    'payments-find-reply',
    'SELECT body_hash AS "bodyHash", status, body FROM payment_reply WHERE user_id = $1 AND key = $2',
    [userId, key],
  );
  return known ?? { bodyHash, status: null, body: null };
}

/** Keeps what was answered. */
export async function keepReply({ userId, key }: ReplyKey, { status, body }: { status: number; body: string }): Promise<void> {
  await query('payments-keep-reply', 'UPDATE payment_reply SET status = $3, body = $4 WHERE user_id = $1 AND key = $2', [
    userId,
    key,
    status,
    body,
  ]);
}

/** Lets the key be used again: nothing came of it. */
export async function dropReply({ userId, key }: ReplyKey): Promise<void> {
  await query('payments-drop-reply', 'DELETE FROM payment_reply WHERE user_id = $1 AND key = $2 AND status IS NULL', [
    userId,
    key,
  ]);
}

/** Forgets replies of more than a day ago. */
export async function dropOldReplies(now: Date): Promise<void> {
  await query('payments-drop-replies', `DELETE FROM payment_reply WHERE created_at <= $1::timestamptz - ${keptSql}`, [now]);
}
