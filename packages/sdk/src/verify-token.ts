import {
  base64url,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { AgentTokenClaims } from './caller.js';
import { ParleyError } from './errors.js';
import { type Fetch, unreachable } from './request.js';

/** Returns the claims of a token that is signed, current and issued for this agent; null for any other text. */
export type VerifyToken = (token: string) => Promise<AgentTokenClaims | null>;

export interface VerifyOptions {
  issuer: string;
  audience: string;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Maximum difference between this clock and Parley's, in seconds. */
const CLOCK_SKEW_SECONDS = 30;
/** Maximum lifetime of Parley's agent tokens, in seconds. */
const MAX_LIFETIME_SECONDS = 900;
/** Cache lifetime of the key set, as in Parley's `Cache-Control`. */
const KEY_CACHE_MS = 300_000;
/** Minimum interval between key fetches caused by unknown key ids. */
const KEYS_COOLDOWN_MS = 10_000;
const KEYS_TIMEOUT_MS = 5_000;
const MAX_TOKEN_LENGTH = 16_384;

/**
 * Verifies tokens with Parley's public keys: RS256 only, type, issuer, audience, times and every claim from which the
 * caller is derived (RFC 8725, sections 3.1, 3.8 to 3.12). Concurrent requests share one key fetch.
 * @throws {ParleyError} `unreachable` from the returned function while no keys are available
 */
export function createVerifier({ issuer, audience, fetch, now }: VerifyOptions): VerifyToken {
  const keysUrl = `${issuer}/.well-known/jwks.json`;
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    [customFetch]: fetch,
    cacheMaxAge: KEY_CACHE_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: KEYS_TIMEOUT_MS,
  });
  const findKey: JWTVerifyGetKey = async (header, token) => {
    // The key set also contains keys for cards and carts; the key id states the purpose.
    if (!isHeaderOfOurs(header)) throw new errors.JWTInvalid('expected the header of an agent token');
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error;
      throw unreachable(keysUrl, error);
    }
  };
  return async function verifyToken(token) {
    if (token.length > MAX_TOKEN_LENGTH || !isCompact(token)) return null;
    const currentDate = new Date(now());
    const expected = {
      issuer,
      audience,
      typ: 'at+jwt',
      algorithms: ['RS256'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate,
    };
    try {
      const { payload } = await jwtVerify(token, findKey, expected);
      return readClaims(payload, now() / 1000);
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      return null;
    }
  };
}

/**
 * Returns true for the canonical encoding: base64url allows several encodings of the same signature, and only one is
 * accepted.
 */
function isCompact(token: string): boolean {
  const signature = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token)?.[1];
  return signature !== undefined && base64url.encode(base64url.decode(signature)) === signature;
}

/**
 * Checks the header of a token from Parley. It has three members; `jku`, `crit`, `b64`, `zip` and all others are
 * rejected.
 */
function isHeaderOfOurs(header: object): boolean {
  const { kid, typ, ...others } = header as { kid?: unknown; typ?: unknown };
  return typeof kid === 'string' && kid.startsWith('tok-') && typ === 'at+jwt' && Object.keys(others).join() === 'alg';
}

/**
 * Performs the checks that jose does not make: one audience, whole seconds, lifetime at most Parley's, no claim
 * missing.
 */
function readClaims(payload: JWTPayload, now: number): AgentTokenClaims | null {
  const { iss, sub, aud, iat, exp, jti, client_id, agent_id, agent_slug, scope, email, act, cnf } = payload;
  const texts = [iss, sub, aud, jti, client_id, agent_id, agent_slug];
  if (texts.some((text) => typeof text !== 'string' || text === '') || typeof scope !== 'string') return null;
  if (!isSecond(iat) || !isSecond(exp)) return null;
  if (iat > now + CLOCK_SKEW_SECONDS || exp > now + MAX_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS) return null;
  if (email !== undefined && typeof email !== 'string') return null;
  // A key-bound token is for Parley, which verifies the proof (RFC 9449) and forwards a token without one.
  if (cnf !== undefined) return null;
  if (act !== undefined && (typeof act !== 'object' || act === null)) return null;
  return payload as AgentTokenClaims;
}

function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
