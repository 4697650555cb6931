import { onGap, subscribe } from '../platform/bus';
import { sha256 } from '../platform/crypto';
import { env } from '../platform/env';
import { shared } from '../platform/registry';
import { type AgentTokenClaims, readAgentToken } from '../protocol/oauth/agent-token';
import { audienceOf } from './audience';
import { verifySignature } from './keys';
import { credentialOf } from './token-id';

/** What never changes about a token: that we signed it, what it says, and which credential it came from. */
export interface VerifiedToken {
  claims: AgentTokenClaims;
  credentialId: string;
}

const perGeneration = 5_000;

/** Tokens used of late, and those used before: what is in neither generation has not been used for a while. */
interface Generations {
  young: Map<string, VerifiedToken>;
  old: Map<string, VerifiedToken>;
  /** Grows when all are forgotten: what was being verified with the keys of before is not kept. */
  epoch: number;
}

function generations(): Generations {
  return shared('verified-tokens', () => {
    const kept: Generations = { young: new Map(), old: new Map(), epoch: 0 };
    const clear = (): void => {
      kept.young = new Map();
      kept.old = new Map();
      kept.epoch++;
    };
    // A key that is removed in an emergency takes its tokens with it at once.
    subscribe('keys', '*', clear);
    onGap(clear);
    return kept;
  });
}

/**
 * Reads a token and checks shape, issuer, audience and signature, or answers null. At most 10,000 are kept, by the token's hash;
 * whatever can change (time, revocation, people, agents) is the caller's to check at every use.
 */
export async function findVerifiedToken(token: string, now: Date): Promise<VerifiedToken | null> {
  const kept = generations();
  const key = sha256(token);
  const young = kept.young.get(key);
  if (young) return young;
  const { epoch } = kept;
  const verified = kept.old.get(key) ?? (await verify(token, now));
  if (verified && kept.epoch === epoch) keep(kept, key, verified);
  return verified;
}

async function verify(token: string, now: Date): Promise<VerifiedToken | null> {
  const read = readAgentToken(token);
  if (!read || read.claims.iss !== env().APP_URL || read.claims.aud !== audienceOf(read.claims.agent_slug)) return null;
  const credentialId = credentialOf(read.claims.jti);
  if (credentialId === null || !(await verifySignature(read.signed, { ...read, now }))) return null;
  return { claims: read.claims, credentialId };
}

function keep(kept: Generations, key: string, verified: VerifiedToken): void {
  if (kept.young.size >= perGeneration) {
    kept.old = kept.young;
    kept.young = new Map();
  }
  kept.young.set(key, verified);
}
