import { isListening, onConnectionGap, subscribe, type Topic } from '../../platform/bus';
import { ExpiringCache } from '../../platform/cache';
import { env } from '../../platform/runtime/env';
import { once } from '../../platform/runtime/once';
import { sha256 } from '../../platform/secrets/crypto';
import { MAX_JWT_LENGTH } from '../../protocol/limits';
import { type AgentTokenClaims, type GenericTokenClaims, readUserToken } from '../../protocol/oauth/jwt-access-tokens';
import { refuse } from '../errors';
import { verifySignature } from '../keys/keys';
import { MICRO_CACHE_MS, MICRO_CACHE_SIZE, VERIFIED_TOKEN_CACHE_SIZE } from '../limits';
import { audienceOf, credentialOf, isWithinLifetime } from './agent-token-format';

/** The topics on which the validity of a token depends, in addition to time. */
const TOPICS: Topic[] = ['revoked', 'credential', 'user', 'agent', 'app', 'grant', 'keys'];

interface CacheEntry<Value> {
  value: Value;
  epoch: number;
  from: number;
  until: number;
}

/** Counts changes on any node on which the validity of a token depends. An entry from an earlier epoch is stale. */
const tokenEpoch = once((): { epoch: number } => {
  const state = { epoch: 0 };
  const invalidate = (): void => {
    state.epoch += 1;
  };
  for (const topic of TOPICS) subscribe(topic, '*', invalidate);
  onConnectionGap(invalidate);
  return state;
});

/**
 * A one-second cache for values derived from tokens. Any relevant change invalidates the whole cache. It saves a dozen
 * cache lookups per repeated request.
 */
export class MicroCache<Value> {
  private readonly entries = new ExpiringCache<CacheEntry<Value>>(MICRO_CACHE_SIZE, ({ until }) => until);

  /** Returns the value of `key` if it is still valid at `now`. */
  get(key: string, now: Date): Value | undefined {
    const at = now.getTime();
    const entry = this.entries.get(key, at);
    return entry && entry.epoch === tokenEpoch().epoch && at >= entry.from ? entry.value : undefined;
  }

  /**
   * Loads a value and stores it until `endsAt` (milliseconds since 1970) at the latest, unless a change occurs in the
   * meantime.
   */
  async getOrLoad(key: string, now: Date, load: () => Promise<{ value: Value; endsAt: number }>): Promise<Value> {
    const { epoch } = tokenEpoch();
    const { value, endsAt } = await load();
    const from = now.getTime();
    const until = Math.min(from + MICRO_CACHE_MS, endsAt);
    if (isListening()) this.entries.set(key, { value, epoch, from, until }, from);
    return value;
  }
}

/** The immutable facts of a token: a valid signature, its claims, and the credential from which it was issued. */
interface VerifiedToken {
  claims: AgentTokenClaims | GenericTokenClaims;
  credentialId: string;
}

interface TokenCache {
  tokens: ExpiringCache<VerifiedToken>;
  /** Incremented when the cache is cleared, so that a verification with the old keys is not stored afterwards. */
  epoch: number;
  /** Tokens whose verification is in progress, so that each is verified only once. */
  loading: Map<string, Promise<VerifiedToken | null>>;
}

const tokenCache = once((): TokenCache => {
  const cache: TokenCache = {
    tokens: new ExpiringCache(VERIFIED_TOKEN_CACHE_SIZE, ({ claims }) => claims.exp * 1_000),
    epoch: 0,
    loading: new Map(),
  };
  const clear = (): void => {
    cache.tokens.clear();
    cache.epoch++;
  };
  // Removing a signing key invalidates its tokens immediately.
  subscribe('keys', '*', clear);
  onConnectionGap(clear);
  return cache;
});

/**
 * Parses an agent token or generic token and verifies its format, time, issuer, audience and, last, its signature; null
 * if invalid. Cached by the token's hash. At every use, the caller must check the conditions that can change: time,
 * revocation, user, agent.
 * @throws {ParleyError} `unavailable` if too many signatures wait to be verified
 */
export async function findVerifiedToken(token: string, now: Date): Promise<VerifiedToken | null> {
  if (token.length > MAX_JWT_LENGTH) return refuse('too_long');
  const cache = tokenCache();
  const key = sha256(token);
  return cache.tokens.get(key, now.getTime()) ?? cache.loading.get(key) ?? load(cache, key, { token, now });
}

/**
 * Returns the current epoch of the cache of tokens, which {@link rememberIssuedToken} requires. Must be called before a
 * token is signed.
 */
export function verifiedTokenEpoch(): number {
  return tokenCache().epoch;
}

/** Stores a token that this node signed, so that its first use requires no signature check. */
export function rememberIssuedToken(token: string, verified: VerifiedToken, epoch: number): void {
  const cache = tokenCache();
  if (cache.epoch === epoch) cache.tokens.set(sha256(token), verified, verified.claims.iat * 1_000);
}

async function load(
  cache: TokenCache,
  key: string,
  { token, now }: { token: string; now: Date },
): Promise<VerifiedToken | null> {
  const { epoch } = cache;
  const loading = verify(token, now);
  cache.loading.set(key, loading);
  try {
    const verified = await loading;
    if (verified && cache.epoch === epoch) cache.tokens.set(key, verified, now.getTime());
    return verified;
  } finally {
    cache.loading.delete(key);
  }
}

/** Verifies a token. Cheap checks come first, so that most forged tokens fail before their signature is verified. */
async function verify(token: string, now: Date): Promise<VerifiedToken | null> {
  const read = readUserToken(token);
  if (!read) return refuse('malformed');
  const { claims } = read;
  if (claims.iss !== env().APP_URL) return refuse('issuer');
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return refuse('lifetime');
  if (claims.token_use !== 'generic' && claims.aud !== audienceOf(claims.agent_slug)) return refuse('audience');
  const source = credentialOf(claims.jti);
  if (source === null) return refuse('token_id');
  if (!(await verifySignature(read.signed, { ...read, source, now }))) return refuse('signature');
  return { claims, credentialId: source };
}
