import { noticeOf } from '../../platform/bus';
import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { RsaPublicJwk } from '../../protocol/oauth/jwk';

export interface SigningKeyRecord {
  kid: string;
  publicJwk: RsaPublicJwk;
  privateSealed: string;
  signsFrom: Date;
  retiresAt: Date | null;
}

/** Any number that is nobody else's: nodes that make keys at the same time wait for each other under it. */
const keyLock = 72_707_371;

/** Keys that sign agent tokens, oldest first. */
export async function listTokenKeys(): Promise<SigningKeyRecord[]> {
  return query<SigningKeyRecord>(
    'tokens-signing-keys',
    `SELECT kid, public_jwk AS "publicJwk", private_sealed AS "privateSealed", signs_from AS "signsFrom",
            retires_at AS "retiresAt"
     FROM signing_key WHERE purpose = 'token' ORDER BY signs_from, kid`,
  );
}

/** One node at a time until the transaction ends. */
export async function lockKeys(tx: Db): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(${keyLock})`;
}

/** Adds a key, says when those that signed before it leave, and tells every node. */
export async function insertTokenKey(tx: Db, key: SigningKeyRecord, othersRetireAt: Date): Promise<void> {
  await tx.signingKey.updateMany({
    where: { purpose: 'token', retiresAt: null, signsFrom: { lt: key.signsFrom } },
    data: { retiresAt: othersRetireAt },
  });
  await tx.signingKey.create({ data: { ...key, publicJwk: { ...key.publicJwk }, purpose: 'token', alg: 'RS256' } });
  await tx.$queryRaw`SELECT pg_notify('parley', ${noticeOf('keys', 'token')})::text`;
}

export async function deleteRetiredKeys(now: Date): Promise<void> {
  await query('tokens-delete-retired-keys', 'DELETE FROM signing_key WHERE retires_at <= $1', [now]);
}
