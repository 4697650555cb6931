import { query } from '../../platform/sql';

/** A reply by its Idempotency-Key. `status` is null while it is being made. */
interface StoredResponse {
  bodyHash: string;
  status: number | null;
  body: string | null;
}

/** Who asked what, under which key. */
export interface IdempotencyKey {
  userId: string;
  key: string;
  bodyHash: string;
}

/** Replies are kept for a day; one that nobody finished in a minute was begun by a node that is gone. */
const retentionSql = `interval '24 hours'`;
const abandonedSql = `interval '60 seconds'`;

/** Takes the key. Null: it is this call's to answer. Else what was answered under it, or is about to be. */
export async function claimKey({ userId, key, bodyHash }: IdempotencyKey, now: Date): Promise<StoredResponse | null> {
  const claimed = await query(
    'payments-take-reply',
    `INSERT INTO payment_reply (user_id, key, body_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id, key) DO UPDATE
     SET body_hash = excluded.body_hash, status = NULL, body = NULL, created_at = excluded.created_at
     WHERE payment_reply.created_at <= $4 - ${retentionSql} OR
           (payment_reply.status IS NULL AND payment_reply.created_at <= $4 - ${abandonedSql})
     RETURNING key`,
    [userId, key, bodyHash, now],
  );
  if (claimed.length > 0) return null;
  const [known] = await query<StoredResponse>(
    'payments-find-reply',
    'SELECT body_hash AS "bodyHash", status, body FROM payment_reply WHERE user_id = $1 AND key = $2',
    [userId, key],
  );
  return known ?? { bodyHash, status: null, body: null };
}

/** Keeps what was answered. */
export async function saveResponse(
  { userId, key }: IdempotencyKey,
  { status, body }: { status: number; body: string },
): Promise<void> {
  await query(
    'payments-keep-reply',
    'UPDATE payment_reply SET status = $3, body = $4 WHERE user_id = $1 AND key = $2',
    [userId, key, status, body],
  );
}

/** Lets the key be used again: nothing came of it. */
export async function releaseKey({ userId, key }: IdempotencyKey): Promise<void> {
  await query('payments-drop-reply', 'DELETE FROM payment_reply WHERE user_id = $1 AND key = $2 AND status IS NULL', [
    userId,
    key,
  ]);
}

/** Forgets replies of more than a day ago. */
export async function pruneIdempotencyKeys(now: Date): Promise<void> {
  await query(
    'payments-drop-replies',
    `DELETE FROM payment_reply WHERE created_at <= $1::timestamptz - ${retentionSql}`,
    [now],
  );
}
