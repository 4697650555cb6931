import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { publishHere } from '../platform/bus';
import { createCache } from '../platform/cache';
import { seal, sha256, unseal } from '../platform/crypto';
import { shared } from '../platform/registry';
import { inTransaction } from '../platform/tx';
import type { RsaPublicJwk } from '../protocol/oauth/jwk';
import { isKeyDue, isPublished, pickSigner, scheduleKey } from './policy';
import {
  deleteRetiredKeys,
  insertTokenKey,
  listTokenKeys,
  lockKeys,
  type SigningKeyRecord,
} from './store/signing-keys';

const purpose = 'token';
const generate = promisify(generateKeyPair);

/** All token keys of the database, emptied on every node when one is added or removed. */
const keyCache = createCache<SigningKeyRecord[]>({ name: 'signing-keys', topic: 'keys', max: 1, load: listTokenKeys });

/**
 * Makes sure that a key can sign at `now` and that none signs for much longer than 30 days. Safe on several nodes at
 * once and as often as one likes: they agree under a lock. Call it at start and every hour.
 */
export async function ensureSigningKeys(now: Date): Promise<void> {
  await deleteRetiredKeys(now);
  if (isKeyDue(await listTokenKeys(), now)) await addKey(now, (keys) => isKeyDue(keys, now));
}

/** Adds a key that takes over in ten minutes; the present one stays published until its last token has expired. */
export async function rotateKeys({ now }: { now: Date }): Promise<void> {
  await addKey(now, () => true);
}

async function addKey(now: Date, stillWanted: (keys: SigningKeyRecord[]) => boolean): Promise<void> {
  const made = await makeKey();
  await inTransaction(async (tx) => {
    await lockKeys(tx);
    const keys = await listTokenKeys();
    if (!stillWanted(keys)) return;
    const { signsFrom, othersRetireAt } = scheduleKey(keys, now);
    await insertTokenKey(tx, { ...made, signsFrom, retiresAt: null }, othersRetireAt);
  });
  publishHere('keys', purpose);
}

async function makeKey(): Promise<{ kid: string; publicJwk: RsaPublicJwk; privateSealed: string }> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  // The thumbprint of RFC 7638: same key, same name.
  const kid = `tok-${sha256(JSON.stringify({ e, kty: 'RSA', n })).slice(0, 24)}`;
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return {
    kid,
    publicJwk: { kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e },
    privateSealed: seal('signing-key', pem),
  };
}

/** The public keys that verifiers must accept at `now`. */
export async function publishedKeys(now: Date): Promise<RsaPublicJwk[]> {
  const keys = await keyCache.get(purpose);
  return keys.filter((key) => isPublished(key, now)).map((key) => key.publicJwk);
}

/** The name of the key that signs at `now`, and RS256 with it. Makes the first key when there is none. */
export async function findSigner(now: Date): Promise<{ kid: string; sign: (text: string) => Buffer }> {
  const signer = pickSigner(await keyCache.get(purpose), now) ?? (await makeSigner(now));
  const key = keyObject(`private ${signer.kid}`, () => openPrivateKey(signer));
  return { kid: signer.kid, sign: (text) => signBytes('sha256', Buffer.from(text), key) };
}

async function makeSigner(now: Date): Promise<SigningKeyRecord> {
  await ensureSigningKeys(now);
  const signer = pickSigner(await keyCache.get(purpose), now);
  if (!signer) throw new Error('no signing key although one was just made');
  return signer;
}

/** Verifies RS256 by a key that is published at `now`; false for every other `kid`. */
export async function verifySignature(
  signed: string,
  by: { kid: string; signature: Buffer; now: Date },
): Promise<boolean> {
  const keys = await keyCache.get(purpose);
  const key = keys.find(({ kid }) => kid === by.kid);
  if (!key || !isPublished(key, by.now)) return false;
  const publicKey = keyObject(`public ${key.kid}`, () => createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' }));
  return verifyBytes('sha256', Buffer.from(signed), publicKey, by.signature);
}

/** Rows decide which keys count; this only spares parsing the same key again. */
function keyObject(name: string, make: () => KeyObject): KeyObject {
  return shared(`signing-key ${name}`, make);
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
