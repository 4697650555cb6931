import { auditJson, keyChanged } from '../../observability';
import { notifyAllPayload } from '../../platform/bus';
import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { SigningJwk } from '../../protocol/oauth/jwt';
import type { KeyPurpose } from '../key-purposes';

export interface SigningKeyRecord {
  kid: string;
  publicJwk: SigningJwk;
  privateSealed: string;
  signsFrom: Date;
  retiresAt: Date | null;
}

/** Advisory lock id, unique in this database: serializes nodes that create keys at the same time. */
const KEY_LOCK = 72_707_371;

/** Keys of one purpose, oldest first. */
export async function listKeys(purpose: KeyPurpose): Promise<SigningKeyRecord[]> {
  return query<SigningKeyRecord>(
    'tokens-signing-keys',
    `SELECT kid, public_jwk AS "publicJwk", private_sealed AS "privateSealed", signs_from AS "signsFrom",
            retires_at AS "retiresAt"
     FROM signing_key WHERE purpose = $1 ORDER BY signs_from, kid`,
    [purpose],
  );
}

/** Locks key changes to one node until the transaction ends. */
export async function lockKeys(tx: Db): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(${KEY_LOCK})`;
}

interface NewKey {
  purpose: KeyPurpose;
  key: SigningKeyRecord;
  othersRetireAt: Date;
}

/** Inserts a key, sets when its predecessors retire, and notifies every node. */
export async function insertKey(tx: Db, { purpose, key, othersRetireAt }: NewKey): Promise<void> {
  await tx.signingKey.updateMany({
    where: { purpose, retiresAt: null, signsFrom: { lt: key.signsFrom } },
    data: { retiresAt: othersRetireAt },
  });
  const { alg } = key.publicJwk;
  await tx.signingKey.create({ data: { ...key, publicJwk: { ...key.publicJwk }, purpose, alg } });
  await tx.$queryRaw`SELECT pg_notify('parley', ${notifyAllPayload('keys', purpose)})::text`;
}

/** Changes when a key starts to sign and retires. */
export async function updateKeyTimes(
  tx: Db,
  { kid, ...times }: Pick<SigningKeyRecord, 'kid' | 'signsFrom' | 'retiresAt'>,
): Promise<void> {
  await tx.signingKey.update({ where: { kid }, data: times });
}

/** Deletes a key with its stored signatures, and notifies every node. */
export async function deleteKey(tx: Db, { kid, purpose }: { kid: string; purpose: KeyPurpose }): Promise<void> {
  await tx.signingKey.delete({ where: { kid } });
  await tx.$queryRaw`SELECT pg_notify('parley', ${notifyAllPayload('keys', purpose)})::text`;
}

export async function deleteRetiredKeys(now: Date): Promise<void> {
  await query(
    'tokens-delete-retired-keys',
    `WITH gone AS (DELETE FROM signing_key WHERE retires_at <= $1 RETURNING kid, purpose)
     SELECT audit_append($2::jsonb || jsonb_build_object('object', kid, 'detail', purpose))
     FROM (SELECT kid, purpose FROM gone ORDER BY kid) AS all_gone`,
    [now, auditJson(keyChanged({ kid: '', purpose: '', change: 'removed', now }))],
  );
}

/** The stored signature of a key for this text, or null. */
export async function findKeySignature(kid: string, digest: string): Promise<string | null> {
  const text = 'SELECT signature FROM key_signature WHERE kid = $1 AND digest = $2';
  const rows = await query<{ signature: string }>('tokens-key-signature', text, [kid, digest]);
  return rows[0]?.signature ?? null;
}

/** Stores a signature, unless another node already did. */
export async function saveKeySignature(kid: string, digest: string, signature: string): Promise<void> {
  const text = 'INSERT INTO key_signature (kid, digest, signature) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  await query('tokens-save-key-signature', text, [kid, digest, signature]);
}
