import type { PasskeyEvidence } from '../../identity';
import { type Db, db } from '../../platform/db/db';
import { int4, nullable, type RowOf, row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import type { Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { IDEMPOTENCY_ABANDONED_SECONDS, IDEMPOTENCY_KEY_HOURS } from '../limits';
import type { ApprovalMethod } from '../schema';

/** A text presented to the user for approval. */
interface Approval {
  id: string;
  orderId: string;
  /** Canonical JSON (RFC 8785). */
  text: string;
  expiresAt: Date;
}

/** Stores an approval text and deletes the order's expired unused ones. */
export async function saveApproval(
  tx: Db,
  approval: Approval,
  { credentialId, at }: { credentialId: string; at: Date },
): Promise<void> {
  const { orderId } = approval;
  await tx.paymentApproval.deleteMany({ where: { orderId, usedAt: null, expiresAt: { lte: at } } });
  await tx.paymentApproval.create({ data: { ...approval, method: 'session', credentialId, createdAt: at } });
}

/** The order's approval text while it can be approved, else null. */
export async function findOpenApproval(
  id: string,
  { orderId, at }: { orderId: string; at: Date },
): Promise<Approval | null> {
  return db().paymentApproval.findFirst({ where: { id, orderId, usedAt: null, expiresAt: { gt: at } } });
}

/** The user's authentication of the approval. */
export interface ApprovalProof {
  /** `standing`: by a standing approval, without a question to the user. */
  method: 'passkey' | 'session' | 'standing';
  credentialId: string;
  assertion: PasskeyEvidence | null;
}

/** The method of an order's approval, for its buyer. */
export function approvalMethodOf({
  method,
  credentialId,
}: Pick<ApprovalProof, 'method' | 'credentialId'>): ApprovalMethod {
  return method === 'session' && credentialId.startsWith('pat_') ? 'token' : method;
}

/** Marks the text as approved, with the evidence. False when it is already used or expired. */
export async function consumeApproval(
  tx: Db,
  approval: Approval,
  { proof, at }: { proof: ApprovalProof; at: Date },
): Promise<boolean> {
  const { method, credentialId, assertion } = proof;
  const { count } = await tx.paymentApproval.updateMany({
    where: { id: approval.id, orderId: approval.orderId, usedAt: null, expiresAt: { gt: at } },
    data: { usedAt: at, method, credentialId, ...(assertion && { assertion: { ...assertion } }) },
  });
  return count === 1;
}

/** Stores a text that a standing approval approved. */
export async function saveUsedApproval(
  tx: Db,
  approval: Approval,
  { credentialId, at }: { credentialId: string; at: Date },
): Promise<void> {
  await tx.paymentApproval.create({
    data: { ...approval, method: 'standing', credentialId, createdAt: at, usedAt: at },
  });
}

/** The approved text of an order. */
interface UsedApproval extends ApprovalProof {
  id: string;
  text: string;
  usedAt: Date;
}

/** The approval of an order; null before it. */
export async function findUsedApproval(orderId: string): Promise<UsedApproval | null> {
  const row = await db().paymentApproval.findFirst({ where: { orderId, usedAt: { not: null } } });
  if (!row?.usedAt) return null;
  const { id, text, usedAt, credentialId } = row;
  const assertion = row.assertion as UsedApproval['assertion'];
  return { id, text, usedAt, credentialId, assertion, method: row.method as UsedApproval['method'] };
}

/** The amount above which the user requires a passkey, minor units of any currency; null for never. */
export async function findPasskeyLimit(userId: string, tx: Db = db()): Promise<number | null> {
  const row = await tx.paymentSetting.findUnique({ where: { userId } });
  return row?.passkeyAbove === null || row === null ? null : Number(row.passkeyAbove);
}

/** Sets the amount above which the user requires a passkey. */
export async function savePasskeyLimit(tx: Tx, userId: string, passkeyAbove: number | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, passkeyAbove }, update: { passkeyAbove } });
}

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
 * @throws {ParleyError} `idempotency_mismatch` for another body under the key, `idempotency_in_flight` while the first
 * request is in progress; what `work` throws
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

/** Claims the key for this request; null on success, else its stored response. */
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

/** Deletes keys that are past their retention. */
export async function pruneIdempotencyKeys(now: Date): Promise<void> {
  await execute(
    'payments-prune-idempotency-keys',
    `DELETE FROM payment_idempotency_key WHERE created_at <= $1::timestamptz - ${retentionSql}`,
    [now],
  );
}
