import { createPublicKey } from 'node:crypto';
import { ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { isObject, parseUnambiguousJson } from '../../platform/json';
import { JWKS_TIMEOUT_MS, MAX_JWKS_BYTES, MAX_JWKS_LENGTH, MAX_MERCHANT_KEYS } from '../limits';

/** A merchant's public key, always ES256. */
export interface MerchantJwk {
  kty: 'EC';
  crv: 'P-256';
  kid: string;
  x: string;
  y: string;
}

/** A pinned key, valid until `retiresAt`. */
export interface PinnedKey {
  kid: string;
  jwk: MerchantJwk;
  createdAt: Date;
  retiresAt: Date | null;
}

/** Parses a JWK as a merchant's key. `error` is the predicate of a sentence about the key. */
export function readMerchantKey(value: unknown): MerchantJwk | { error: string } {
  if (!isObject(value)) return { error: 'is not a JWK' };
  const { kty, crv, kid, x, y, alg, use } = value;
  if ('d' in value || 'k' in value) {
    return { error: 'contains a private key: publish only the public key, and replace this key' };
  }
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid)) return { error: 'has no usable kid' };
  if (kty !== 'EC' || crv !== 'P-256' || (alg !== undefined && alg !== 'ES256')) {
    return { error: `is not for ES256: expected kty EC and crv P-256` };
  }
  if (use !== undefined && use !== 'sig') return { error: 'is not for signatures' };
  if (typeof x !== 'string' || typeof y !== 'string') return { error: 'has no x or y' };
  const key: MerchantJwk = { kty, crv, kid, x, y };
  return isOnCurve(key) ? key : { error: 'is not a point on P-256' };
}

function isOnCurve(key: MerchantJwk): boolean {
  try {
    const normalized = createPublicKey({ key: { ...key }, format: 'jwk' }).export({ format: 'jwk' });
    return normalized.x === key.x && normalized.y === key.y;
  } catch {
    return false;
  }
}

/**
 * Fetches the ES256 keys at a seller's URL through the SSRF guard. Ignores keys of other algorithms.
 * @throws {ParleyError} `invalid_request` for an invalid key set; the errors of {@link fetchExternalBody}
 */
export async function fetchMerchantKeys(url: string, signal: AbortSignal): Promise<MerchantJwk[]> {
  const headers = { accept: 'application/jwk-set+json, application/json' };
  const limits = { maxBytes: MAX_JWKS_BYTES, totalMs: JWKS_TIMEOUT_MS };
  const response = await fetchExternalBody({ url, method: 'GET', headers, signal, ...limits });
  if (response.status !== 200) throw invalidKeySet(`returned HTTP ${response.status}, expected 200`);
  const value = parseUnambiguousJson(response.bytes.toString('utf8'));
  const listed = isObject(value) ? value.keys : undefined;
  if (!Array.isArray(listed) || listed.length > MAX_JWKS_LENGTH) throw invalidKeySet('is not a JWK Set');
  const keys = listed.map(readMerchantKey).flatMap((key) => ('error' in key ? [] : [key]));
  if (hasDuplicateKids(keys)) throw invalidKeySet('has two keys with the same kid');
  if (keys.length === 0) throw invalidKeySet('has no public key for ES256 (EC, P-256) with a kid');
  if (keys.length > MAX_MERCHANT_KEYS) throw invalidKeySet(`has more than ${MAX_MERCHANT_KEYS} keys for ES256`);
  return keys;
}

function invalidKeySet(what: string): ParleyError {
  const text = `The key URL ${what}.`;
  return new ParleyError('invalid_request', text, { data: { faults: [{ pointer: '/jwksUrl', message: text }] } });
}

/** Returns true if two keys have the same `kid`. */
export function hasDuplicateKids(keys: MerchantJwk[]): boolean {
  return new Set(keys.map(({ kid }) => kid)).size < keys.length;
}

/**
 * Returns the pinned keys after they are replaced by `requested`. Omitted keys stay valid for `overlapMs`, or until
 * they retire earlier. A valid key is never replaced by another with the same `kid`.
 */
export function planKeys(
  pinned: PinnedKey[],
  requested: MerchantJwk[],
  { now, overlapMs }: { now: Date; overlapMs: number },
): PinnedKey[] {
  const retiresAt = new Date(now.getTime() + overlapMs);
  const remaining = pinned
    .filter((key) => isValid(key, now))
    .map((key) =>
      requested.some((jwk) => isSame(jwk, key.jwk)) ? { ...key, retiresAt: null } : retire(key, retiresAt),
    )
    .filter((key) => isValid(key, now));
  const added = requested.filter(({ kid }) => !remaining.some((key) => key.kid === kid));
  return [...remaining, ...added.map((jwk) => ({ kid: jwk.kid, jwk, createdAt: now, retiresAt: null }))];
}

/** Returns the `kid`s of requested keys that a different valid key already has. */
export function conflictingKids(planned: PinnedKey[], requested: MerchantJwk[]): string[] {
  return requested.filter((jwk) => !planned.some((key) => isSame(jwk, key.jwk))).map(({ kid }) => kid);
}

/** Returns true for a key that has not retired. */
export function isValid({ retiresAt }: PinnedKey, now: Date): boolean {
  return retiresAt === null || retiresAt > now;
}

function retire(key: PinnedKey, retiresAt: Date): PinnedKey {
  return key.retiresAt !== null && key.retiresAt < retiresAt ? key : { ...key, retiresAt };
}

function isSame(a: MerchantJwk, b: MerchantJwk): boolean {
  return a.kid === b.kid && a.x === b.x && a.y === b.y;
}
