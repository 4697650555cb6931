import { onGap, subscribe } from '../platform/bus';
import { sha256 } from '../platform/crypto';
import { env } from '../platform/env';
import { shared } from '../platform/registry';
import { type AgentTokenClaims, readAgentToken } from '../protocol/oauth/agent-token';
import { verifySignature } from './keys';
import { credentialOf } from './token-id';

/** What never changes about a token: that we signed it, what it says, and which credential it came from. */
export interface VerifiedToken {
  claims: AgentTokenClaims;
  credentialId: string;
}

const maxKept = 10_000;

function verifiedTokens(): Map<string, VerifiedToken> {
  return shared('verified-tokens', () => {
    const kept = new Map<string, VerifiedToken>();
    // A key that is removed in an emergency takes its tokens with it at once.
    subscribe('keys', '*', () => kept.clear());
    onGap(() => kept.clear());
    return kept;
  });
}

/**
 * Reads a token and checks shape, issuer and signature, or answers null. Kept by the token's hash, least recently used
 * go first; whatever can change (time, revocation, people, agents) is the caller's to check at every use.
 */
export async function findVerifiedToken(token: string, now: Date): Promise<VerifiedToken | null> {
  const kept = verifiedTokens();
  const key = sha256(token);
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const verified = await verify(token, now);
  if (verified) keep(kept, key, verified);
  return verified;
}

async function verify(token: string, now: Date): Promise<VerifiedToken | null> {
  const read = readAgentToken(token);
  if (!read || read.claims.iss !== env().APP_URL) return null;
  const credentialId = credentialOf(read.claims.jti);
  if (credentialId === null || !(await verifySignature(read.signed, { ...read, now }))) return null;
  return { claims: read.claims, credentialId };
}

function keep(kept: Map<string, VerifiedToken>, key: string, verified: VerifiedToken): void {
  kept.set(key, verified);
  if (kept.size <= maxKept) return;
  const oldest = kept.keys().next().value;
  if (oldest !== undefined) kept.delete(oldest);
}
