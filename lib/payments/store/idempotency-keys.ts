import { int4, nullable, type RowOf, row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { ParleyError } from '../../platform/errors';
import { IDEMPOTENCY_ABANDONED_SECONDS, IDEMPOTENCY_KEY_HOURS } from '../limits';

/** A user's Idempotency-Key with the hash of the request body. */
interface IdempotencyKey {
  userId: string;
  key: string;
  bodyHash: string;
}

const responseRow = row({ bodyHash: text(), status: nullable(int4()), body: nullable(text()) });

/** The stored response of a key. `status` and `body` are null while the request is in progress. */
type StoredResponse = RowOf<typeof responseRow>;

/** A response, with a flag for the stored response of an earlier request with the same key. */
export interface IdempotentResponse {
  status: number;
  body: string;
  replayed: boolean;
}

const retentionSql = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;
const abandonedSql = `interval '${IDEMPOTENCY_ABANDONED_SECONDS} seconds'`;

/**
 * Runs `work` once per key, as ACP defines Idempotency-Key: a repeated request receives the stored response. If `work`
 * throws, the key is released.
 * @throws {ParleyError} `idempotency_mismatch` for another body with the same key; `idempotency_in_flight` while the
 *   first request is in progress; the errors of `work`
 */
export async function withIdempotencyKey(
  key: IdempotencyKey,
  now: Date,
  work: () => Promise<object>,
): Promise<IdempotentResponse> {
  const known = await claimKey(key, now);
  if (known) return replay(known, key);
  try {
    const body = JSON.stringify(await work());
    await saveResponse(key, { status: 200, body });
    return { status: 200, body, replayed: false };
  } catch (error) {
    await releaseKey(key);
    throw error;
  }
}

function replay(known: StoredResponse, key: IdempotencyKey): IdempotentResponse {
  if (known.bodyHash !== key.bodyHash) {
    const text = 'This Idempotency-Key was already used for another approval. Use a new one for a new approval.';
    throw new ParleyError('idempotency_mismatch', text, { data: { reason: 'idempotency_mismatch' } });
  }
  if (known.status === null || known.body === null) {
    const text = 'The first request with this Idempotency-Key has not finished. Try again in a moment.';
    throw new ParleyError('idempotency_in_flight', text, { retryAfter: 1 });
  }
  return { status: known.status, body: known.body, replayed: true };
}

/** Claims the key for this request. Returns null on success, otherwise its stored response. */
async function claimKey({ userId, key, bodyHash }: IdempotencyKey, now: Date): Promise<StoredResponse | null> {
  const claimed = await execute(
    'payments-claim-idempotency-key',
    `INSERT INTO payment_idempotency_key (user_id, key, body_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id, key) DO UPDATE
     SET body_hash = excluded.body_hash, status = NULL, body = NULL, created_at = excluded.created_at
     WHERE payment_idempotency_key.created_at <= $4 - ${retentionSql} OR
           (payment_idempotency_key.status IS NULL AND payment_idempotency_key.created_at <= $4 - ${abandonedSql})
     RETURNING key`,
    [userId, key, bodyHash, now],
  );
  if (claimed > 0) return null;
  const [known] = await responseRow.query(
    'payments-find-idempotency-key',
    'SELECT body_hash AS "bodyHash", status, body FROM payment_idempotency_key WHERE user_id = $1 AND key = $2',
    [userId, key],
  );
  return known ?? { bodyHash, status: null, body: null };
}

async function saveResponse(
  { userId, key }: IdempotencyKey,
  { status, body }: { status: number; body: string },
): Promise<void> {
  await execute(
    'payments-save-response',
    'UPDATE payment_idempotency_key SET status = $3, body = $4 WHERE user_id = $1 AND key = $2',
    [userId, key, status, body],
  );
}

async function releaseKey({ userId, key }: IdempotencyKey): Promise<void> {
  await execute(
    'payments-release-idempotency-key',
    'DELETE FROM payment_idempotency_key WHERE user_id = $1 AND key = $2 AND status IS NULL',
    [userId, key],
  );
}

/** Deletes keys whose retention has ended. */
export async function pruneIdempotencyKeys(now: Date): Promise<void> {
  await execute(
    'payments-prune-idempotency-keys',
    `DELETE FROM payment_idempotency_key WHERE created_at <= $1::timestamptz - ${retentionSql}`,
    [now],
  );
}
