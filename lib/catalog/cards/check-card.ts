import { calculateJwkThumbprint, flattenedVerify, importJWK, type JWK } from 'jose';
import { ParleyError } from '../../platform/errors';
import { checkExternalUrl } from '../../platform/http-client/external-urls';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { newUuid } from '../../platform/ids';
import { isObject, parseJson, parseUnambiguousJson } from '../../platform/json';
import {
  type CardSignature,
  cardPayloads,
  readSignatures,
  type SignatureReason,
} from '../../protocol/a2a/cards/card-signatures';
import { type CardReading, readCard } from '../../protocol/a2a/cards/read-card';
import type { JsonObject } from '../../protocol/json';
import {
  ENDPOINT_PROBE_TIMEOUT_MS,
  JWKS_TIMEOUT_MS,
  MAX_ENDPOINT_PROBE_BYTES,
  MAX_JWKS_BYTES,
  MAX_JWKS_KEYS,
  MAX_JWKS_URLS,
} from '../limits';
import type { SignatureVerdict } from '../schema-cards';
import type { FetchedCard } from './fetch-card';

/** A fetched card with its validation result and signature verdict. */
export type CheckedCard = FetchedCard & { reading: CardReading; signature: SignatureVerdict };

/**
 * Validates a fetched card and its signatures. A card without a URL is valid if the agent responds to JSON-RPC at the
 * endpoint that Web42 assumes.
 * @throws only if `signal` aborts; errors of the card are in `reading`
 */
export async function checkCard(
  fetched: FetchedCard,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<CheckedCard> {
  const { bytes, cardUrl, assumedEndpoint } = fetched;
  const reading = readCard(bytes, { cardUrl, assumedEndpoint, refusalOf });
  if (!reading.ok) return { ...fetched, reading, signature: { state: 'unsigned' } };
  if (reading.diagnosticIfSilent && !(await answersJsonRpc(reading.endpoints[0].url, signal))) {
    const silent: CardReading = { ok: false, faults: [reading.diagnosticIfSilent], warnings: reading.warnings };
    return { ...fetched, reading: silent, signature: { state: 'unsigned' } };
  }
  return { ...fetched, reading, signature: await verifySignatures({ card: toJson(bytes), cardUrl }, { signal, now }) };
}

/** Returns true if the URL responds to a JSON-RPC request about an unknown task, or requires a credential. */
async function answersJsonRpc(url: string, signal: AbortSignal): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: newUuid() } });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const response = await fetchExternalBody({
      url,
      method: 'POST',
      headers,
      body,
      signal,
      maxBytes: MAX_ENDPOINT_PROBE_BYTES,
      totalMs: ENDPOINT_PROBE_TIMEOUT_MS,
    });
    if (response.status === 401 || response.status === 403) return true;
    const value = parseJson(response.bytes.toString('utf8'));
    return isObject(value) && value.jsonrpc === '2.0';
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}

/** Returns the card as JSON, which `readCard` has accepted as an object. */
function toJson(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as JsonObject;
}

/** Returns why a URL must not be called, or null. */
export function refusalOf(url: string): string | null {
  try {
    checkExternalUrl(url);
    return null;
  } catch (error) {
    return error instanceof ParleyError ? error.message : 'This URL cannot be used.';
  }
}

/** Returns the origins of the card's endpoints except its own and `allowedOrigins`; null if there are none. */
export function otherOriginOf(
  { cardUrl, reading }: CheckedCard,
  allowedOrigins: string[] = [],
): { found: string; expected: string } | null {
  if (!reading.ok) return null;
  const { origin: expected, hostname } = new URL(cardUrl);
  // gRPC has a port of its own, so that only another host counts.
  const endpoints = reading.endpoints
    .map(({ url, binding }) => ({ binding, url: new URL(url) }))
    .filter(({ binding, url }) => binding !== 'GRPC' || url.hostname !== hostname);
  const origins = new Set(endpoints.map(({ url }) => url.origin));
  for (const known of [expected, ...allowedOrigins]) origins.delete(known);
  return origins.size === 0 ? null : { found: [...origins].join(', '), expected };
}

/** Minimum length of an RSA key, bits (NIST SP 800-131A). */
const minRsaBits = 2_048;

/** A card whose signatures are to be verified. */
interface SignedCard {
  card: JsonObject;
  /** The card's URL. Its keys must have the same origin. */
  cardUrl: string;
}

/** The keys of one JWKS URL, or the reason why there are none. */
type KeySet = JWK[] | { refused: SignatureReason };

/**
 * Verifies the signatures of a card (A2A 1.0 §8.4.3); one valid signature is sufficient. Keys are fetched only from the
 * card's own origin, from `jku` or `/.well-known/jwks.json`.
 * @throws only if `signal` aborts
 */
export async function verifySignatures(
  { card, cardUrl }: SignedCard,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<SignatureVerdict> {
  const signatures = readSignatures(card);
  if (!signatures) return { state: 'unsigned' };
  const keySets = new Map<string, Promise<KeySet>>();
  const keysAt = async (url: string): Promise<KeySet> => {
    if (!keySets.has(url) && keySets.size >= MAX_JWKS_URLS) return { refused: 'too_many' };
    const keys = keySets.get(url) ?? fetchKeys(url, signal);
    keySets.set(url, keys);
    return keys;
  };
  const payloads = cardPayloads(card);
  let reason: SignatureReason | null = null;
  for (const signature of signatures) {
    const result = 'refused' in signature ? signature : await verify(signature, { payloads, cardUrl, keysAt, now });
    if (!('refused' in result)) return { state: 'verified', ...result };
    reason ??= result.refused;
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
    const limits = { maxBytes: MAX_JWKS_BYTES, totalMs: JWKS_TIMEOUT_MS };
    const response = await fetchExternalBody({ url, method: 'GET', headers, signal, ...limits });
    if (response.status !== 200) return { refused: 'keys_unreachable' };
    const value = parseUnambiguousJson(response.bytes.toString('utf8'));
    const keys = isObject(value) ? value.keys : undefined;
    if (!Array.isArray(keys) || keys.length > MAX_JWKS_KEYS) return { refused: 'keys_invalid' };
    return keys.filter((key) => isObject(key) && typeof key.kty === 'string') as JWK[];
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { refused: error.code === 'parse_error' ? 'keys_invalid' : 'keys_unreachable' };
  }
}

/** Returns true for a public signing key that is valid for the algorithm, not revoked and not expired. */
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
    const { protected: header, signature: bytes, alg } = signature;
    const jws = { protected: header, signature: bytes, payload: Buffer.from(payload).toString('base64url') };
    await flattenedVerify(jws, await importJWK(key, alg), { algorithms: [alg] });
    return true;
  } catch {
    // The key or signature is invalid.
    return false;
  }
}
