import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { appendAudit, keyChanged } from '../observability';
import { publishLocally } from '../platform/bus';
import { createCache } from '../platform/cache';
import { seal, unseal } from '../platform/crypto';
import { processSingleton } from '../platform/singleton';
import { inTransaction } from '../platform/tx';
import type { SigningJwk } from '../protocol/oauth/jwk';
import { KEY_PURPOSES, type KeyPurpose, keySpecs } from './key-purposes';
import { isPublished, needsNewKey, pickSigner, scheduleKey } from './policy';
import { deleteRetiredKeys, insertKey, listKeys, lockKeys, type SigningKeyRecord } from './store/signing-keys';

/** The keys of each purpose, forgotten on every node when one is added or removed. */
const keyCache = createCache<SigningKeyRecord[]>({
  name: 'signing-keys',
  topic: 'keys',
  max: KEY_PURPOSES.length,
  load: (purpose) => listKeys(purpose as KeyPurpose),
});

/**
 * Makes sure that for each purpose a key can sign at `now` and that none signs for much longer than 30 days. Safe on
 * several nodes at once and as often as one likes: they agree under a lock. Call it at start and every hour.
 */
export async function ensureSigningKeys(now: Date): Promise<void> {
  await deleteRetiredKeys(now);
  for (const purpose of KEY_PURPOSES) await ensureKey(purpose, now);
}

async function ensureKey(purpose: KeyPurpose, now: Date): Promise<void> {
  if (needsNewKey(await listKeys(purpose), now)) await addKey(purpose, now, (keys) => needsNewKey(keys, now));
}

/** Adds a key that takes over in ten minutes; the present one stays published until what it signed is out of use. */
export async function rotateKeys({ now, purpose }: { now: Date; purpose: KeyPurpose }): Promise<void> {
  await addKey(purpose, now, () => true);
}

async function addKey(
  purpose: KeyPurpose,
  now: Date,
  isStillNeeded: (keys: SigningKeyRecord[]) => boolean,
): Promise<void> {
  const { retentionMs: inUseMs, make } = keySpecs[purpose];
  const { publicJwk, privateKey } = await make();
  const privateSealed = seal('signing-key', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  await inTransaction(async (tx) => {
    await lockKeys(tx);
    const keys = await listKeys(purpose);
    if (!isStillNeeded(keys)) return;
    const { signsFrom, othersRetireAt } = scheduleKey(keys, now, inUseMs);
    const key = { kid: publicJwk.kid, publicJwk, privateSealed, signsFrom, retiresAt: null };
    await insertKey(tx, { purpose, key, othersRetireAt });
    await appendAudit(tx, keyChanged({ kid: key.kid, purpose, change: 'added', now }));
  });
  publishLocally('keys', purpose);
}

/** All keys with their times, for the operator; private parts stay behind. */
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

/** The public keys that verifiers must accept at `now`. */
export async function listPublishedKeys(now: Date): Promise<SigningJwk[]> {
  const keys = await Promise.all(KEY_PURPOSES.map((purpose) => keyCache.get(purpose)));
  return keys
    .flat()
    .filter((key) => isPublished(key, now))
    .map((key) => key.publicJwk);
}

/** A key that signs for one purpose, by the algorithm of its kind. */
export interface Signer {
  kid: string;
  publicJwk: SigningJwk;
  signsFrom: Date;
  sign: (text: string) => Buffer;
}

/** The key that signs at `now`. Makes the first one when there is none. */
export async function findSigner(purpose: KeyPurpose, now: Date): Promise<Signer> {
  const signer = pickSigner(await keyCache.get(purpose), now) ?? (await makeSigner(purpose, now));
  const key = keyObject(`private ${signer.kid}`, () => openPrivateKey(signer));
  const { kid, publicJwk, signsFrom } = signer;
  // Both algorithms are SHA-256; JWS wants the two numbers of ECDSA side by side (RFC 7518 §3.4). RSA ignores that.
  const sign = (text: string): Buffer => signBytes('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return { kid, publicJwk, signsFrom, sign };
}

async function makeSigner(purpose: KeyPurpose, now: Date): Promise<SigningKeyRecord> {
  await ensureKey(purpose, now);
  const signer = pickSigner(await keyCache.get(purpose), now);
  if (!signer) throw new Error(`no signing key for ${purpose} although one was just made`);
  return signer;
}

/** Verifies RS256 by a token key that is published at `now`; false for every other `kid`. */
export async function verifySignature(
  signed: string,
  by: { kid: string; signature: Buffer; now: Date },
): Promise<boolean> {
  const keys = await keyCache.get('token');
  const key = keys.find(({ kid }) => kid === by.kid);
  if (!key || !isPublished(key, by.now)) return false;
  const publicKey = keyObject(`public ${key.kid}`, () => createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' }));
  return verifyBytes('sha256', Buffer.from(signed), publicKey, by.signature);
}

/** Rows decide which keys count; this only spares parsing the same key again. */
function keyObject(name: string, make: () => KeyObject): KeyObject {
  return processSingleton(`signing-key ${name}`, make);
}

function openPrivateKey(key: SigningKeyRecord): KeyObject {
  try {
    return createPrivateKey(unseal('signing-key', key.privateSealed));
  } catch (cause) {
    throw new Error(
      `The signing key ${key.kid} cannot be opened: KEY_ENCRYPTION_KEY is not the one it was stored with. Restore that value.`,
      { cause },
    );
  }
}
