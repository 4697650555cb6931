import { onConnectionGap, subscribe } from '../platform/bus';
import { sha256 } from '../platform/crypto';
import { env } from '../platform/env';
import { processSingleton } from '../platform/singleton';
import { type AgentTokenClaims, readAgentToken } from '../protocol/oauth/agent-token';
import { audienceOf } from './audience';
import { verifySignature } from './keys';
import { credentialOf } from './token-id';

/** What never changes about a token: that we signed it, what it says, and which credential it came from. */
export interface VerifiedToken {
  claims: AgentTokenClaims;
  credentialId: string;
}

const maxPerGeneration = 5_000;

/** Tokens used of late, and those used before: what is in neither generation has not been used for a while. */
interface Generations {
  current: Map<string, VerifiedToken>;
  previous: Map<string, VerifiedToken>;
  /** Grows when all are forgotten: what was being verified with the keys of before is not kept. */
  epoch: number;
}

function tokenCache(): Generations {
  return processSingleton('verified-tokens', () => {
    const cache: Generations = { current: new Map(), previous: new Map(), epoch: 0 };
    const clear = (): void => {
      cache.current = new Map();
      cache.previous = new Map();
      cache.epoch++;
    };
    // A key that is removed in an emergency takes its tokens with it at once.
    subscribe('keys', '*', clear);
    onConnectionGap(clear);
    return cache;
  });
}

/**
 * Reads a token and checks shape, issuer, audience and signature, or answers null. At most 10,000 are kept, by the token's hash;
 * whatever can change (time, revocation, people, agents) is the caller's to check at every use.
 */
export async function findVerifiedToken(token: string, now: Date): Promise<VerifiedToken | null> {
  const cache = tokenCache();
  const key = sha256(token);
  const cached = cache.current.get(key);
  if (cached) return cached;
  const { epoch } = cache;
  const verified = cache.previous.get(key) ?? (await verify(token, now));
  if (verified && cache.epoch === epoch) addToCache(cache, key, verified);
  return verified;
}

async function verify(token: string, now: Date): Promise<VerifiedToken | null> {
  const read = readAgentToken(token);
  if (!read || read.claims.iss !== env().APP_URL || read.claims.aud !== audienceOf(read.claims.agent_slug)) return null;
  const credentialId = credentialOf(read.claims.jti);
  if (credentialId === null || !(await verifySignature(read.signed, { ...read, now }))) return null;
  return { claims: read.claims, credentialId };
}

function addToCache(cache: Generations, key: string, verified: VerifiedToken): void {
  if (cache.current.size >= maxPerGeneration) {
    cache.previous = cache.current;
    cache.current = new Map();
  }
  cache.current.set(key, verified);
}
