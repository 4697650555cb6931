import { LRUCache } from 'lru-cache';
import { env } from '../../platform/runtime/env';
import { sha256 } from '../../platform/secrets/crypto';
import { CARD_SIGNATURE_CACHE_SIZE } from '../limits';
import { findKeySignature, saveKeySignature } from '../store/signing-keys';
import { findSigner, type Signer } from './keys';

/** A detached JWS (RFC 7515 appendix F) as in an agent card (A2A 1.0 §8.4.2). */
export interface DetachedSignature {
  protected: string;
  signature: string;
}

/**
 * Signs a card's canonical JSON with the card key. ECDSA is randomized, so signatures are stored: the same card has the
 * same bytes on every node and after a restart. `once` (a card for one caller) skips that. `since`: when the key
 * started.
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
