import { LRUCache } from 'lru-cache';
import { onConnectionGap, subscribe } from '../platform/bus';
import { sha256 } from '../platform/crypto';
import { env } from '../platform/env';
import { processSingleton } from '../platform/singleton';
import { type AgentTokenClaims, readAgentToken } from '../protocol/oauth/jwt-access-tokens';
import { audienceOf } from './audience';
import { verifySignature } from './keys';
import { VERIFIED_TOKEN_CACHE_SIZE } from './limits';
import { credentialOf } from './token-id';

/** The immutable facts of a token: a valid signature, its claims, and the credential it was issued from. */
export interface VerifiedToken {
  claims: AgentTokenClaims;
  credentialId: string;
}

interface TokenCache {
  tokens: LRUCache<string, VerifiedToken>;
  /** Incremented when the cache is cleared, so that a verification with the old keys is not stored afterwards. */
  epoch: number;
}

function tokenCache(): TokenCache {
  return processSingleton('verified-tokens', () => {
    const cache: TokenCache = { tokens: new LRUCache({ max: VERIFIED_TOKEN_CACHE_SIZE }), epoch: 0 };
    const clear = (): void => {
      cache.tokens.clear();
      cache.epoch++;
    };
    // Removing a signing key invalidates its tokens immediately.
    subscribe('keys', '*', clear);
    onConnectionGap(clear);
    return cache;
  });
}

/**
 * Parses a token and verifies format, issuer, audience and signature; null when invalid. Cached by the token's hash.
 * The caller must check at every use what can change: time, revocation, user, agent.
 */
export async function findVerifiedToken(token: string, now: Date): Promise<VerifiedToken | null> {
  const cache = tokenCache();
  const key = sha256(token);
  const cached = cache.tokens.get(key);
  if (cached) return cached;
  const { epoch } = cache;
  const verified = await verify(token, now);
  if (verified && cache.epoch === epoch) cache.tokens.set(key, verified);
  return verified;
}

async function verify(token: string, now: Date): Promise<VerifiedToken | null> {
  const read = readAgentToken(token);
  if (!read || read.claims.iss !== env().APP_URL || read.claims.aud !== audienceOf(read.claims.agent_slug)) return null;
  const credentialId = credentialOf(read.claims.jti);
  if (credentialId === null || !(await verifySignature(read.signed, { ...read, now }))) return null;
  return { claims: read.claims, credentialId };
}
