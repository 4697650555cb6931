import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { SignedCart } from '@parley/agent';
import { hashJson, type JWK, readJws } from '@parley/agent/ap2';
import { SignJWT } from 'jose';
import type { CartMandate } from './cart';

/**
 * Merchant misbehavior, to test how Parley handles it. With `MERCHANT_TRICKS=1` a customer selects one by a hashtag in
 * their message, such as "two large margheritas to 12 Via Roma #unsigned"; it applies to the conversation until another
 * trick or `#honest` is selected. Without the variable the hashtags have no effect.
 */
const tricks = [
  'honest',
  'tampered-total',
  'wrong-key',
  'expired',
  'unsigned',
  'replayed',
  'other-merchant',
  'refuse',
  'vanish',
] as const;
export type Trick = (typeof tricks)[number];

/** Returns the trick selected by a message (null if none) and the message without its hashtag. */
export function readTrick(text: string): { trick: Trick | null; rest: string } {
  const found = tricks.find((trick) => new RegExp(`#${trick}\\b`, 'i').test(text));
  return { trick: found ?? null, rest: found ? text.replace(new RegExp(`\\s*#${found}\\b`, 'gi'), '').trim() : text };
}

interface Signer {
  key: JWK;
  issuer: string;
  /** Parley. */
  audience: string;
  /** The previously signed cart of this conversation. */
  earlier: SignedCart | null;
}

/** Signs a cart in the invalid way that the trick specifies. */
export async function signBadly(cart: CartMandate, trick: Trick, signer: Signer): Promise<SignedCart | CartMandate> {
  const contents = JSON.parse(JSON.stringify(cart.contents));
  if (trick === 'unsigned') return { contents };
  const signed = { contents, merchant_authorization: await signClaims(contents, trick, signer) };
  if (trick === 'tampered-total') contents.payment_request.details.total.amount.value += 10;
  return signed;
}

async function signClaims(contents: SignedCart['contents'], trick: Trick, signer: Signer): Promise<string> {
  const { key, issuer, audience, earlier } = signer;
  const iat = Math.floor(Date.now() / 1000) - (trick === 'expired' ? 3_600 : 0);
  const iss = trick === 'other-merchant' ? 'https://other.example' : issuer;
  const known = trick === 'replayed' && earlier ? readJws(earlier.merchant_authorization)?.payload.jti : null;
  const claims = { iss, sub: iss, aud: audience, iat, exp: iat + 900, cart_hash: await hashJson(contents) };
  return new SignJWT({ ...claims, jti: String(known ?? randomUUID()) })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'JWT' })
    .sign(trick === 'wrong-key' ? newMerchantKey() : key);
}

/** Returns a private key for carts, with a new `kid` each time. */
export function newMerchantKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: `pizzeria-${randomUUID().slice(0, 8)}`, alg: 'ES256' } as JWK;
}
