import { z } from 'zod';
import { readAccessJwt } from './access-jwt';
import { writeJwt } from './jwt';

/** Life of an agent token, seconds. */
export const AGENT_TOKEN_TTL_SECONDS = 900;

/** How far the clocks of two nodes may differ, seconds. */
export const CLOCK_SKEW_SECONDS = 60;

/** Who acts for the subject, and who acted before them (RFC 8693 §4.1). */
export interface ActorClaim {
  /** The address of an agent. */
  sub: string;
  act?: ActorClaim;
}

const actorSchema: z.ZodType<ActorClaim> = z.object({
  sub: z.string().min(1),
  act: z.lazy(() => actorSchema).optional(),
});

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
  /** The person's, when they granted it to the agent. */
  email: z.string().optional(),
  name: z.string().optional(),
  act: actorSchema.optional(),
  /** The thumbprint of the key that must sign a proof whenever the token is used (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string().min(1) }).optional(),
});

/** The claims of an agent token (RFC 9068 §2.2), one audience each. */
export type AgentTokenClaims = z.infer<typeof claimsSchema>;

export interface ParsedAgentToken {
  kid: string;
  claims: AgentTokenClaims;
  signed: string;
  signature: Buffer;
}

/** Reads what has the exact shape of an agent token, or answers null. The signature is not verified yet. */
export function readAgentToken(token: string): ParsedAgentToken | null {
  const jwt = readAccessJwt(token);
  if (!jwt) return null;
  const claims = claimsSchema.safeParse(jwt.claims);
  return claims.success ? { ...jwt, claims: claims.data } : null;
}

/** The signing input of an agent token. */
export function writeAgentToken(kid: string, claims: AgentTokenClaims): string {
  return writeJwt({ alg: 'RS256', typ: 'at+jwt', kid }, claims);
}

/** True while the token is in its time and no longer-lived than any of ours (KEY-4). `now` in seconds. */
export function isWithinLifetime(claims: Pick<AgentTokenClaims, 'iat' | 'nbf' | 'exp'>, now: number): boolean {
  if (claims.exp <= now || claims.exp > now + AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) return false;
  if (claims.iat > now + CLOCK_SKEW_SECONDS) return false;
  return claims.nbf === undefined || claims.nbf <= now + CLOCK_SKEW_SECONDS;
}
