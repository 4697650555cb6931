import { createPublicKey } from 'node:crypto';
import { isObject } from '../../platform/json';

/** A public key of a merchant: ES256 alone (ap2.md §6). */
export interface MerchantJwk {
  kty: 'EC';
  crv: 'P-256';
  kid: string;
  x: string;
  y: string;
}

/** Keys that a merchant may have at a time. */
export const MAX_KEYS = 10;

/** What a JWK is as a merchant's key, or what is wrong with it in words that end a sentence. */
export function readMerchantKey(value: unknown): MerchantJwk | { fault: string } {
  if (!isObject(value)) return { fault: 'is not a JWK' };
  const { kty, crv, kid, x, y, alg, use } = value;
  if ('d' in value || 'k' in value) {
    return { fault: 'holds a private key: give out the public half alone, and replace this key' };
  }
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid)) return { fault: 'has no kid that can be used' };
  if (kty !== 'EC' || crv !== 'P-256' || (alg !== undefined && alg !== 'ES256')) {
    return { fault: `is not for ES256: expected kty EC and crv P-256` };
  }
  if (use !== undefined && use !== 'sig') return { fault: 'is not for signatures' };
  if (typeof x !== 'string' || typeof y !== 'string') return { fault: 'lacks x or y' };
  const key: MerchantJwk = { kty, crv, kid, x, y };
  return isOnCurve(key) ? key : { fault: 'is not a point of P-256' };
}

function isOnCurve(key: MerchantJwk): boolean {
  try {
    const normalized = createPublicKey({ key: { ...key }, format: 'jwk' }).export({ format: 'jwk' });
    return normalized.x === key.x && normalized.y === key.y;
  } catch {
    return false;
  }
}
