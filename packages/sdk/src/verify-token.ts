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

/** Reads the claims of a token that is signed, in time and made for this agent; null for every other text. */
export type VerifyToken = (token: string) => Promise<AgentTokenClaims | null>;

export interface VerifyOptions {
  issuer: string;
  audience: string;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** How far this clock and Parley's may differ, seconds. */
const CLOCK_SKEW = 30;
/** No token of Parley lives longer, seconds. */
const LONGEST_LIFE = 900;
/** As long as Parley says that its key set may be kept. */
const KEYS_KEPT_MS = 300_000;
/** Tokens with made-up key ids make us ask no more often than this. */
const KEYS_COOLDOWN_MS = 10_000;
const KEYS_TIMEOUT_MS = 5_000;
const LONGEST_TOKEN = 16_384;

/**
 * Verifies tokens with Parley's public keys: RS256 alone, type, issuer, audience, times and every claim that the
 * caller is read from (RFC 8725, sections 3.1, 3.8 to 3.12). Keys are fetched once for all requests that wait.
 * @throws {ParleyError} `unreachable` from the returned function while there are no keys to verify with
 */
export function createVerifier({ issuer, audience, fetch, now }: VerifyOptions): VerifyToken {
  const keysUrl = `${issuer}/.well-known/jwks.json`;
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    [customFetch]: fetch,
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: KEYS_TIMEOUT_MS,
  });
  const findKey: JWTVerifyGetKey = async (header, token) => {
    // A set has keys for cards and carts too; its key ids tell what a key is for.
    if (!isHeaderOfOurs(header)) throw new errors.JWTInvalid('no header of an agent token');
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error;
      throw unreachable(keysUrl, error);
    }
  };
  return async function verifyToken(token) {
    if (token.length > LONGEST_TOKEN || !isCompact(token)) return null;
    const currentDate = new Date(now());
    const expected = {
      issuer,
      audience,
      typ: 'at+jwt',
      algorithms: ['RS256'],
      clockTolerance: CLOCK_SKEW,
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

/** Base64url leaves room to write the same signature in several ways; only one of them is a token. */
function isCompact(token: string): boolean {
  const signature = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token)?.[1];
  return signature !== undefined && base64url.encode(base64url.decode(signature)) === signature;
}

/** Parley writes three members; `jku`, `crit`, `b64`, `zip` and all others make it no token of Parley. */
function isHeaderOfOurs(header: object): boolean {
  const { kid, typ, ...others } = header as { kid?: unknown; typ?: unknown };
  return typeof kid === 'string' && kid.startsWith('tok-') && typ === 'at+jwt' && Object.keys(others).join() === 'alg';
}

/** What jose leaves open: one audience, whole seconds, no longer life than Parley gives, and no claim missing. */
function readClaims(payload: JWTPayload, now: number): AgentTokenClaims | null {
  const { iss, sub, aud, iat, exp, jti, client_id, agent_id, agent_slug, scope, email, act, cnf } = payload;
  const texts = [iss, sub, aud, jti, client_id, agent_id, agent_slug];
  if (texts.some((text) => typeof text !== 'string' || text === '') || typeof scope !== 'string') return null;
  if (!isSecond(iat) || !isSecond(exp)) return null;
  if (iat > now + CLOCK_SKEW || exp > now + LONGEST_LIFE + CLOCK_SKEW) return null;
  if (email !== undefined && typeof email !== 'string') return null;
  // A token that is bound to a key is for Parley, which sees the proof (RFC 9449) and hands on a token without one.
  if (cnf !== undefined) return null;
  if (act !== undefined && (typeof act !== 'object' || act === null)) return null;
  return payload as AgentTokenClaims;
}

function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
