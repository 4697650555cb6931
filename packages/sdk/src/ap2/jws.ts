import { type CryptoKey, flattenedVerify, importJWK, type JWK } from 'jose';
import { readBase64url, readUtf8, toBase64url } from './digest.js';
import { isJsonObject, type JsonObject, readStrictJson } from './strict-json.js';

/** Reason why a signature is invalid. */
export type JwsFault = 'bad_signature' | 'alg_not_allowed' | 'unknown_key';

export type JwsReading = { ok: true; header: JsonObject; payload: JsonObject } | { ok: false; code: JwsFault };

const MAX_TOKEN_LENGTH = 131_072;

/** Keys selected by `kid`, or a single key used regardless of the header. */
export type JwsKeys = { keys: readonly JWK[]; key?: undefined } | { key: JWK; keys?: undefined };

/**
 * Verifies a compact ES256 JWS with the key of its `kid`; no header can refer to another key, and headers that change
 * what is signed are refused (RFC 7515 §4.1.11, RFC 7797, RFC 8725 §3.1). With `detached`, the token must have no
 * payload, and that text is the payload (RFC 7515 appendix F).
 */
export async function verifyJws(token: string, trust: JwsKeys & { detached?: string }): Promise<JwsReading> {
  const { detached } = trust;
  const parts = splitJws(token);
  const header = parts && readSegment(parts.header);
  if (!parts || !header) return { ok: false, code: 'bad_signature' };
  if (header.alg !== 'ES256') return { ok: false, code: 'alg_not_allowed' };
  if (['crit', 'b64', 'zip'].some((name) => name in header)) return { ok: false, code: 'bad_signature' };
  const key = trust.key ?? trust.keys.find(({ kid }) => kid !== undefined && kid === header.kid);
  if (!key || !isEs256(key)) return { ok: false, code: 'unknown_key' };
  if ((detached === undefined) === (parts.payload === '')) return { ok: false, code: 'bad_signature' };
  const payload = detached === undefined ? parts.payload : toBase64url(detached);
  const jws = { protected: parts.header, payload, signature: parts.signature };
  if (!(await isSignedBy(jws, key))) return { ok: false, code: 'bad_signature' };
  const claims = readSegment(payload);
  return claims ? { ok: true, header, payload: claims } : { ok: false, code: 'bad_signature' };
}

/** Returns header and payload of an unverified compact JWS; null for any other text. */
export function readJws(token: string): { header: JsonObject; payload: JsonObject } | null {
  const parts = splitJws(token);
  const header = parts && readSegment(parts.header);
  const payload = parts && readSegment(parts.payload);
  return header && payload ? { header, payload } : null;
}

/** Returns a detached JWS with its payload inserted. */
export function attachPayload(token: string, payload: string): string {
  const [header = '', , signature = ''] = token.split('.');
  return [header, toBase64url(payload), signature].join('.');
}

/** Splits a JWS. Base64url allows several encodings of the same signature; only one of them is accepted. */
function splitJws(token: string): { header: string; payload: string; signature: string } | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const [header, payload, signature, ...rest] = token.split('.');
  if (!header || payload === undefined || signature === undefined || rest.length > 0) return null;
  return readBase64url(signature) ? { header, payload, signature } : null;
}

function readSegment(segment: string): JsonObject | null {
  const bytes = readBase64url(segment);
  const text = bytes && readUtf8(bytes);
  const value = text === null ? undefined : readStrictJson(text);
  return isJsonObject(value) ? value : null;
}

function isEs256({ kty, crv, alg = 'ES256', use = 'sig' }: JWK): boolean {
  return kty === 'EC' && crv === 'P-256' && alg === 'ES256' && use === 'sig';
}

async function isSignedBy(jws: { protected: string; payload: string; signature: string }, key: JWK): Promise<boolean> {
  try {
    await flattenedVerify(jws, await importKey(key), { algorithms: ['ES256'] });
    return true;
  } catch {
    return false;
  }
}

const MAX_KEYS = 1_000;
const imported = new Map<string, Promise<CryptoKey | Uint8Array>>();

/** Imports a key. This costs as much as a verification, so keys are cached by their coordinates. */
function importKey({ kty, crv, x, y }: JWK): Promise<CryptoKey | Uint8Array> {
  const name = `${x}.${y}`;
  const known = imported.get(name);
  if (known) return known;
  const key = importJWK({ kty, crv, x, y }, 'ES256');
  const oldest = imported.keys().next().value;
  if (imported.size >= MAX_KEYS && oldest !== undefined) imported.delete(oldest);
  imported.set(name, key);
  key.catch(() => imported.delete(name));
  return key;
}
