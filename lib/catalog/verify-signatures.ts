import { calculateJwkThumbprint, flattenedVerify, importJWK, type JWK } from 'jose';
import { asParleyError } from '../platform/errors';
import { isObject, parseJson } from '../platform/json';
import { fetchExternalBody } from '../platform/safe-fetch';
import { cardPayloads } from '../protocol/a2a/cards/card-payload';
import { type CardSignature, readSignatures, type SignatureReason } from '../protocol/a2a/cards/read-signatures';
import type { JsonObject } from '../protocol/json';
import type { SignatureVerdict } from './schema';

const totalMs = 5_000;
const maxKeysBytes = 65_536;
const maxKeys = 100;
/** Addresses of keys that one card may have asked. */
const maxKeySets = 2;
const minRsaBits = 2_048;

export interface SignedCard {
  card: JsonObject;
  /** Where the card came from: its keys must come from the same origin. */
  cardUrl: string;
}

/** The keys of one address, or why there are none. */
type KeySet = JWK[] | { refused: SignatureReason };

/**
 * Checks the signatures of a card (A2A 1.0 §8.4.3): one good one is enough. Keys come from the card's own origin alone,
 * by the guarded way out, at the address that the signature names or at `/.well-known/jwks.json`.
 * @throws only when `signal` aborts
 */
export async function verifySignatures(
  { card, cardUrl }: SignedCard,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<SignatureVerdict> {
  const signatures = readSignatures(card);
  if (!signatures) return { state: 'unsigned' };
  const keySets = new Map<string, Promise<KeySet>>();
  const keysAt = async (url: string): Promise<KeySet> => {
    if (!keySets.has(url) && keySets.size >= maxKeySets) return { refused: 'too_many' };
    const keys = keySets.get(url) ?? fetchKeys(url, signal);
    keySets.set(url, keys);
    return keys;
  };
  const payloads = cardPayloads(card);
  let reason: SignatureReason | null = null;
  for (const signature of signatures) {
    const found = 'refused' in signature ? signature : await verify(signature, { payloads, cardUrl, keysAt, now });
    if (!('refused' in found)) return { state: 'verified', ...found };
    reason ??= found.refused;
  }
  return { state: 'unverified', reason: reason ?? 'malformed' };
}

type Verified = { alg: string; kid: string; keyThumbprint: string };

async function verify(
  signature: CardSignature,
  context: { payloads: string[]; cardUrl: string; keysAt: (url: string) => Promise<KeySet>; now: Date },
): Promise<Verified | { refused: SignatureReason }> {
  const url = keysUrlOf(signature, context.cardUrl);
  if (!url) return { refused: 'jku_elsewhere' };
  const keys = await context.keysAt(url);
  if ('refused' in keys) return keys;
  const [key, ...others] = keys.filter(({ kid }) => kid === signature.kid);
  if (!key || others.length > 0) return { refused: 'key_unknown' };
  if (!mayVerify(key, signature.alg, context.now)) return { refused: 'key_refused' };
  for (const payload of context.payloads) {
    if (await isValidSignature(signature, payload, key)) {
      const { alg, kid } = signature;
      return { alg, kid, keyThumbprint: await calculateJwkThumbprint(key) };
    }
  }
  return { refused: 'mismatch' };
}

function keysUrlOf({ jku }: CardSignature, cardUrl: string): string | null {
  const { origin } = new URL(cardUrl);
  if (jku === null) return `${origin}/.well-known/jwks.json`;
  return URL.canParse(jku) && new URL(jku).origin === origin ? new URL(jku).href : null;
}

async function fetchKeys(url: string, signal: AbortSignal): Promise<KeySet> {
  try {
    const headers = { accept: 'application/jwk-set+json, application/json' };
    const response = await fetchExternalBody({ url, method: 'GET', headers, signal, maxBytes: maxKeysBytes, totalMs });
    if (response.status !== 200) return { refused: 'keys_unreachable' };
    const value = parseJson(response.bytes.toString('utf8'));
    const keys = isObject(value) ? value.keys : undefined;
    if (!Array.isArray(keys) || keys.length > maxKeys) return { refused: 'keys_invalid' };
    return keys.filter((key) => isObject(key) && typeof key.kty === 'string') as JWK[];
  } catch (error) {
    const known = asParleyError(error);
    if (!known) throw error;
    return { refused: known.code === 'parse_error' ? 'keys_invalid' : 'keys_unreachable' };
  }
}

/** A public signing key, made for this algorithm or for none in particular, neither withdrawn nor out of date. */
function mayVerify(key: JWK, alg: string, now: Date): boolean {
  if (key.alg !== undefined && key.alg !== alg) return false;
  if (key.use !== undefined && key.use !== 'sig') return false;
  if (Array.isArray(key.key_ops) && !key.key_ops.includes('verify')) return false;
  if (key.d !== undefined || key.kty === 'oct' || 'revoked' in key) return false;
  const { exp } = key as { exp?: unknown };
  if (exp !== undefined && !(typeof exp === 'number' && exp * 1000 > now.getTime())) return false;
  return key.kty !== 'RSA' || Buffer.from(key.n ?? '', 'base64url').length * 8 >= minRsaBits;
}

async function isValidSignature(signature: CardSignature, payload: string, key: JWK): Promise<boolean> {
  try {
    const { protected: head, signature: bytes, alg } = signature;
    const jws = { protected: head, signature: bytes, payload: Buffer.from(payload).toString('base64url') };
    await flattenedVerify(jws, await importJWK(key, alg), { algorithms: [alg] });
    return true;
  } catch {
    // Whatever is wrong with key or signature: it does not prove the card.
    return false;
  }
}
