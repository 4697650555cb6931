import { LRUCache } from 'lru-cache';
import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { sha256 } from '../../platform/secrets/crypto';
import { CARD_SIGNATURE_CACHE_SIZE, PUSH_JWT_SECONDS } from '../limits';
import { findKeySignature, saveKeySignature } from '../store/signing-keys';
import { findSigner, type Signer, signJwt } from './keys';

/** A detached JWS (RFC 7515 appendix F) as in an agent card (A2A 1.0 §8.4.2). */
interface DetachedSignature {
  protected: string;
  signature: string;
}

/**
 * Signs a card's canonical JSON with the card key. ECDSA is randomized, so signatures are stored, and the same card has
 * the same bytes on every node and after a restart. With `once`, for a card for one caller, the signature is not
 * stored. `since` is the time at which the key started to sign.
 */
export async function signCard(call: {
  payload: string;
  now: Date;
  once?: boolean;
}): Promise<{ signature: DetachedSignature; since: Date }> {
  const signer = await findSigner('card', call.now);
  const { kid, signsFrom, sign } = signer;
  const header = { alg: 'ES256', kid, typ: 'JOSE', jku: `${env().APP_URL}/.well-known/jwks.json` };
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const text = `${head}.${Buffer.from(call.payload).toString('base64url')}`;
  const signature = call.once ? sign(text).toString('base64url') : await signOnce(signer, text);
  return { signature: { protected: head, signature }, since: signsFrom };
}

const cache = new LRUCache<string, string>({ max: CARD_SIGNATURE_CACHE_SIZE });

async function signOnce({ kid, sign }: Signer, text: string): Promise<string> {
  const digest = sha256(text);
  const key = `${kid} ${digest}`;
  const cached = cache.get(key) ?? (await findKeySignature(kid, digest)) ?? (await signAndStore());
  cache.set(key, cached);
  return cached;

  async function signAndStore(): Promise<string> {
    const created = sign(text).toString('base64url');
    await saveKeySignature(kid, digest, created);
    return (await findKeySignature(kid, digest)) ?? created;
  }
}

interface PushClaims {
  /** Origin of the push URL. */
  audience: string;
  taskId: string;
  /** SHA-256 of the request body, hex. */
  bodyHash: string;
}

/**
 * Signs a JWT that authenticates a push notification and contains our issuer, the receiver as its audience, the task
 * and the body hash. Because of its own `typ`, it is not accepted as an agent token (RFC 8725 §3.11). Receivers verify
 * it with our JWKS.
 */
export async function signPush({ audience, taskId, bodyHash }: PushClaims, now: Date): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: env().APP_URL,
    aud: audience,
    iat,
    exp: iat + PUSH_JWT_SECONDS,
    jti: newUuid(),
    task_id: taskId,
    request_body_sha256: bodyHash,
  };
  return signJwt('push+jwt', claims, now);
}
