import { sha256 } from '../platform/crypto';
import { env } from '../platform/env';
import { NewestMap } from '../platform/newest-map';
import { shared } from '../platform/registry';
import { findSigner, type Signer } from './keys';
import { findKeySignature, keepKeySignature } from './store/signing-keys';

/** A signature beside what it covers (RFC 7515 appendix F), as A2A 1.0 §8.4.2 puts it into a card. */
export interface DetachedSignature {
  protected: string;
  signature: string;
}

const maxKept = 5_000;

/**
 * Signs a card's canonical text by the key for cards. ECDSA never signs twice alike, so what a key signed is kept: the
 * same card has the same bytes on every node and after every start. A card for `once` is nobody else's and is signed anew
 * each time. `since` is when the key began to sign.
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
  const signature = call.once ? sign(text).toString('base64url') : await signAndKeep(signer, text);
  return { signature: { protected: head, signature }, since: signsFrom };
}

async function signAndKeep({ kid, sign }: Signer, text: string): Promise<string> {
  const kept = shared('card-signatures', () => new NewestMap<string, string>(maxKept));
  const digest = sha256(text);
  const key = `${kid} ${digest}`;
  const known = kept.get(key) ?? (await findKeySignature(kid, digest)) ?? (await signFirst());
  kept.set(key, known);
  return known;

  async function signFirst(): Promise<string> {
    const made = sign(text).toString('base64url');
    await keepKeySignature(kid, digest, made);
    return (await findKeySignature(kid, digest)) ?? made;
  }
}
