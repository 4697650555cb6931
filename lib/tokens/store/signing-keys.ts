import { Prisma } from '../../generated/prisma/client';
import { auditJson, keyChanged } from '../../observability';
import type { Db } from '../../platform/db/db';
import { json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { lockName, publishAtCommit } from '../../platform/db/tx';
import type { SigningJwk } from '../../protocol/oauth/jwt';

const keyRow = row({
  kid: text(),
  publicJwk: json<SigningJwk>(),
  privateSealed: text(),
  signsFrom: timestamptz(),
  retiresAt: nullable(timestamptz()),
});

export type SigningKeyRecord = RowOf<typeof keyRow>;

/** Returns keys of one purpose, oldest first. */
export async function listKeys(purpose: KeyPurpose): Promise<SigningKeyRecord[]> {
  return keyRow.query(
    'tokens-signing-keys',
    `SELECT kid, public_jwk AS "publicJwk", private_sealed AS "privateSealed", signs_from AS "signsFrom",
            retires_at AS "retiresAt"
     FROM signing_key WHERE purpose = $1 ORDER BY signs_from, kid`,
    [purpose],
  );
}

/** Locks changes of keys, so that only one node makes them until the transaction ends. */
export async function lockKeys(tx: Db): Promise<void> {
  await lockName(tx, 'signing keys');
}

interface NewKey {
  purpose: KeyPurpose;
  key: SigningKeyRecord;
  othersRetireAt: Date;
}

/** Inserts a key, sets the retirement time of its predecessors, and notifies every node. */
export async function insertKey(tx: Db, { purpose, key, othersRetireAt }: NewKey): Promise<void> {
  const { kid, publicJwk, privateSealed, signsFrom, retiresAt } = key;
  await executeIn(
    tx,
    Prisma.sql`UPDATE signing_key SET retires_at = ${othersRetireAt}
      WHERE purpose = ${purpose} AND retires_at IS NULL AND signs_from < ${signsFrom}`,
  );
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO signing_key (kid, purpose, alg, public_jwk, private_sealed, signs_from, retires_at)
      VALUES (${kid}, ${purpose}, ${publicJwk.alg}, ${JSON.stringify(publicJwk)}::jsonb, ${privateSealed}, ${signsFrom},
        ${retiresAt})`,
  );
  await publishAtCommit(tx, 'keys', purpose);
}

/** Changes the start and the retirement time of a key. */
export async function updateKeyTimes(
  tx: Db,
  { kid, signsFrom, retiresAt }: Pick<SigningKeyRecord, 'kid' | 'signsFrom' | 'retiresAt'>,
): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE signing_key SET signs_from = ${signsFrom}, retires_at = ${retiresAt} WHERE kid = ${kid}`,
  );
}

/** Deletes a key with its stored signatures, and notifies every node. */
export async function deleteKey(tx: Db, { kid, purpose }: { kid: string; purpose: KeyPurpose }): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM signing_key WHERE kid = ${kid}`);
  await publishAtCommit(tx, 'keys', purpose);
}

export async function deleteRetiredKeys(now: Date): Promise<void> {
  await execute(
    'tokens-delete-retired-keys',
    `WITH deleted AS (DELETE FROM signing_key WHERE retires_at <= $1 RETURNING kid, purpose)
     SELECT audit_append($2::jsonb || jsonb_build_object('object', kid, 'detail', purpose))
     FROM (SELECT kid, purpose FROM deleted ORDER BY kid) AS all_deleted`,
    [now, auditJson(keyChanged({ kid: '', purpose: '', change: 'removed', now }))],
  );
}

const signatureRow = row({ signature: text() });

/** Finds the stored signature of a key for this text, or null. */
export async function findKeySignature(kid: string, digest: string): Promise<string | null> {
  const text = 'SELECT signature FROM key_signature WHERE kid = $1 AND digest = $2';
  const rows = await signatureRow.query('tokens-key-signature', text, [kid, digest]);
  return rows[0]?.signature ?? null;
}

/** Stores a signature, unless another node already has. */
export async function saveKeySignature(kid: string, digest: string, signature: string): Promise<void> {
  const text = 'INSERT INTO key_signature (kid, digest, signature) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  await execute('tokens-save-key-signature', text, [kid, digest, signature]);
}

/** The only use of a key, visible in the prefix of its `kid`. */
export type KeyPurpose = 'token' | 'card' | 'ap2';
