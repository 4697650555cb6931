import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { appendAudit, keyChanged } from '../../observability';
import { createCache } from '../../platform/cache';
import { isDatabaseUnavailable } from '../../platform/db/database-errors';
import { inTransaction } from '../../platform/db/tx';
import { seal, unseal } from '../../platform/secrets/crypto';
import { type SigningJwk, writeJwt } from '../../protocol/oauth/jwt';
import {
  deleteKey,
  deleteRetiredKeys,
  insertKey,
  type KeyPurpose,
  listKeys,
  lockKeys,
  type SigningKeyRecord,
  updateKeyTimes,
} from '../store/signing-keys';
import {
  isPublished,
  KEY_PURPOSES,
  keySpecs,
  needsNewKey,
  pickSigner,
  planAfterRemoval,
  purposeOf,
  scheduleKey,
} from './key-rules';
import { checkInTurn } from './signature-checks';

/** The keys of each purpose, invalidated on every node when a key is added or removed. */
const keyCache = createCache<SigningKeyRecord[]>({
  topic: 'keys',
  max: KEY_PURPOSES.length,
  load: (purpose) => listKeys(purpose as KeyPurpose),
});

/**
 * Ensures that each purpose has a key that can sign at `now`, and replaces keys that are 30 days old. Idempotent. Safe
 * to run concurrently on several nodes, because it acquires a lock. Must be called at startup and every hour.
 */
export async function ensureSigningKeys(now: Date): Promise<void> {
  await deleteRetiredKeys(now);
  for (const purpose of KEY_PURPOSES) await ensureKey(purpose, now);
}

async function ensureKey(purpose: KeyPurpose, now: Date): Promise<void> {
  if (needsNewKey(await listKeys(purpose), now)) await addKey(purpose, now, (keys) => needsNewKey(keys, now));
}

/** Adds a key that starts to sign in ten minutes; the current key stays published for its retention period. */
export async function rotateKeys({ now, purpose }: { now: Date; purpose: KeyPurpose }): Promise<void> {
  await addKey(purpose, now, () => true);
}

async function addKey(
  purpose: KeyPurpose,
  now: Date,
  isStillNeeded: (keys: SigningKeyRecord[]) => boolean,
): Promise<void> {
  const { retentionMs, make } = keySpecs[purpose];
  const { publicJwk, privateKey } = await make();
  const privateSealed = seal('signing-key', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  await inTransaction(async (tx) => {
    await lockKeys(tx);
    const keys = await listKeys(purpose);
    if (!isStillNeeded(keys)) return;
    const { signsFrom, othersRetireAt } = scheduleKey(keys, now, retentionMs);
    const key = { kid: publicJwk.kid, publicJwk, privateSealed, signsFrom, retiresAt: null };
    await insertKey(tx, { purpose, key, othersRetireAt });
    await appendAudit(tx, keyChanged({ kid: key.kid, purpose, change: 'added', now }));
  });
}

/**
 * Removes a key in an emergency. Its signatures become invalid on this node immediately and on other nodes within a
 * second. The scheduled successor signs from then on; without one, a new key is created.
 * @throws if there is no such key
 */
export async function removeSigningKey({ kid, now }: { kid: string; now: Date }): Promise<void> {
  const purpose = purposeOf(kid);
  if (!purpose || !(await removeKey(purpose, kid, now))) throw new Error(`Signing key ${kid} not found.`);
  await ensureSigningKeys(now);
}

function removeKey(purpose: KeyPurpose, kid: string, now: Date): Promise<boolean> {
  return inTransaction(async (tx) => {
    await lockKeys(tx);
    const keys = await listKeys(purpose);
    const remaining = keys.filter((key) => key.kid !== kid);
    if (remaining.length === keys.length) return false;
    const change = planAfterRemoval(remaining, now);
    if (change) await updateKeyTimes(tx, change);
    await deleteKey(tx, { kid, purpose });
    await appendAudit(tx, keyChanged({ kid, purpose, change: 'removed', now }));
    return true;
  });
}

/** Lists the state of every key for the operator, without private keys. */
export async function listSigningKeys(now: Date): Promise<{ kid: string; state: string }[]> {
  const keys = await Promise.all(KEY_PURPOSES.map((purpose) => listKeys(purpose)));
  return keys.flatMap((ofPurpose) => {
    const signer = pickSigner(ofPurpose, now);
    return ofPurpose.map(({ kid, signsFrom, retiresAt }) => {
      if (kid === signer?.kid) return { kid, state: 'signs' };
      if (signsFrom > now) return { kid, state: `signs from ${signsFrom.toISOString()}` };
      return { kid, state: `published until ${retiresAt?.toISOString()}` };
    });
  });
}

/** Returns the public keys that verifiers must accept at `now`. */
export async function listPublishedKeys(now: Date): Promise<SigningJwk[]> {
  const keys = await Promise.all(KEY_PURPOSES.map((purpose) => keyCache.get(purpose)));
  return keys
    .flat()
    .filter((key) => isPublished(key, now))
    .map((key) => key.publicJwk);
}

/** A key that signs for one purpose, with the algorithm of that purpose. */
export interface Signer {
  kid: string;
  publicJwk: SigningJwk;
  signsFrom: Date;
  sign: (text: string) => Buffer;
}

/** Returns the key that signs at `now`. Creates the first key if there is none. */
export async function findSigner(purpose: KeyPurpose, now: Date): Promise<Signer> {
  const signer = pickSigner(await keyCache.get(purpose), now) ?? (await makeSigner(purpose, now));
  const key = keyObject(`private ${signer.kid}`, () => openPrivateKey(signer));
  const { kid, publicJwk, signsFrom } = signer;
  // Both algorithms use SHA-256; JWS needs ECDSA signatures as r || s (RFC 7518 §3.4), an option that RSA ignores.
  const sign = (text: string): Buffer => signBytes('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return { kid, publicJwk, signsFrom, sign };
}

async function makeSigner(purpose: KeyPurpose, now: Date): Promise<SigningKeyRecord> {
  await ensureKey(purpose, now);
  const signer = pickSigner(await keyCache.get(purpose), now);
  if (!signer) throw new Error(`no signing key for ${purpose} although one was just created`);
  return signer;
}

/** Signs a JWT with the token key. Each use has its own `typ` (RFC 8725 §3.11). */
export async function signJwt(typ: string, claims: object, now: Date): Promise<string> {
  const signer = await findSigner('token', now);
  const text = writeJwt({ alg: 'RS256', typ, kid: signer.kid }, claims);
  return `${text}.${signer.sign(text).toString('base64url')}`;
}

/**
 * Verifies an RS256 signature with a token key that is published at `now`; false for any other `kid`. `source` is the
 * credential from which the token claims to be issued.
 * @throws {ParleyError} `unavailable` if too many signatures wait to be verified
 */
export async function verifySignature(
  signed: string,
  { kid, signature, source, now }: { kid: string; signature: Buffer; source: string; now: Date },
): Promise<boolean> {
  const keys = await keyCache.get('token');
  const key = keys.find((candidate) => candidate.kid === kid);
  if (!key || !isPublished(key, now)) return false;
  const publicKey = keyObject(`public ${key.kid}`, () => createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' }));
  return checkInTurn(source, () => verifyBytes('sha256', Buffer.from(signed), publicKey, signature));
}

const keyObjects = new Map<string, KeyObject>();

/** Returns the parsed key, cached. The rows determine which keys are valid. */
function keyObject(name: string, make: () => KeyObject): KeyObject {
  const key = keyObjects.get(name) ?? make();
  keyObjects.set(name, key);
  return key;
}

function openPrivateKey(key: SigningKeyRecord): KeyObject {
  try {
    return createPrivateKey(unseal('signing-key', key.privateSealed));
  } catch (cause) {
    throw new Error(
      `The signing key ${key.kid} cannot be decrypted: KEY_ENCRYPTION_KEY is not the value it was encrypted with. Restore that value.`,
      { cause },
    );
  }
}

/** Returns the startup error if KEY_ENCRYPTION_KEY does not decrypt every stored signing key; otherwise null. */
export async function findSealedKeyError(): Promise<string | null> {
  const keys = (await Promise.all(KEY_PURPOSES.map((purpose) => listKeys(purpose)))).flat();
  const unreadable = keys.filter(({ privateSealed }) => !canUnseal(privateSealed));
  if (unreadable.length === 0) return null;
  return (
    `KEY_ENCRYPTION_KEY: found a value that cannot decrypt ${unreadable.length} of ${keys.length} signing keys in the database; ` +
    'expected the value that they were encrypted with (in DATA_DIR/secrets.env if Parley generated it)'
  );
}

function canUnseal(sealed: string): boolean {
  try {
    unseal('signing-key', sealed);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the error that prevents signing or verifying tokens at `now`; null if there is none. Throws while the
 * database is unavailable.
 */
export async function findKeyError(now: Date): Promise<string | null> {
  if ((await listPublishedKeys(now)).length === 0) return 'found no published signing key; expected one';
  try {
    await findSigner('token', now);
    return null;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return 'the signing key cannot be decrypted; expected the KEY_ENCRYPTION_KEY that it was encrypted with';
  }
}
