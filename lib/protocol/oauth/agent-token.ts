import { z } from 'zod';
import { readJwt, writeJwt } from './jwt';

/** Life of an agent token, seconds. */
export const AGENT_TOKEN_SECONDS = 900;

/** How far the clocks of two nodes may differ, seconds. */
export const CLOCK_SKEW_SECONDS = 60;

// Strict: `crit`, `b64`, `zip`, `jku`, `x5u`, `jwk`, `x5c` or any other member makes it no token of ours (KEY-1…3).
const headerSchema = z.strictObject({ alg: z.literal('RS256'), typ: z.literal('at+jwt'), kid: z.string().min(1) });

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.string().min(1),
  client_id: z.string().min(1),
  agent_id: z.string().min(1),
  agent_slug: z.string().min(1),
  scope: z.string(),
  iat: z.int(),
  nbf: z.int().optional(),
  exp: z.int(),
  jti: z.string().min(1),
  /** Marks what the gateway hands to an agent: good for introspection, refused as a credential by Parley itself. */
  token_use: z.literal('upstream').optional(),
});

/** The claims of an agent token (RFC 9068 §2.2), one audience each. */
export type AgentTokenClaims = z.infer<typeof claimsSchema>;

export interface ReadAgentToken {
  kid: string;
  claims: AgentTokenClaims;
  signed: string;
  signature: Buffer;
}

/** Reads what has the exact shape of an agent token, or answers null. The signature is not verified yet. */
export function readAgentToken(token: string): ReadAgentToken | null {
  const jwt = readJwt(token);
  if (!jwt) return null;
  const header = headerSchema.safeParse(jwt.header);
  const claims = claimsSchema.safeParse(jwt.claims);
  if (!header.success || !claims.success) return null;
  return { kid: header.data.kid, claims: claims.data, signed: jwt.signed, signature: jwt.signature };
}

/** The signing input of an agent token. */
export function writeAgentToken(kid: string, claims: AgentTokenClaims): string {
  return writeJwt({ alg: 'RS256', typ: 'at+jwt', kid }, claims);
}

/** True while the token is in its time and no longer-lived than any of ours (KEY-4). `now` in seconds. */
export function isInTime(claims: AgentTokenClaims, now: number): boolean {
  if (claims.exp <= now || claims.exp > now + AGENT_TOKEN_SECONDS + CLOCK_SKEW_SECONDS) return false;
  if (claims.iat > now + CLOCK_SKEW_SECONDS) return false;
  return claims.nbf === undefined || claims.nbf <= now + CLOCK_SKEW_SECONDS;
}
