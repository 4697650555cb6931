import { z } from 'zod';
import { tokenTypeSchema } from './authorization-server';
import { readJwt, writeJwt } from './jwt';

// Strict: a header with `crit`, `b64`, `zip`, `jku`, `x5u`, `jwk`, `x5c` or any other member is not that of a Parley
// token.
const headerSchema = z.strictObject({ alg: z.literal('RS256'), typ: z.literal('at+jwt'), kid: z.string().min(1) });

interface ParsedAccessJwt<Claims> {
  kid: string;
  claims: Claims;
  signed: string;
  signature: Buffer;
}

/** Parses an access token in the profile of RFC 9068 with RS256 and these claims; null for all other values. */
function readAccessJwtOf<Schema extends z.ZodType>(
  token: string,
  schema: Schema,
): ParsedAccessJwt<z.output<Schema>> | null {
  const jwt = readJwt(token);
  const header = headerSchema.safeParse(jwt?.header);
  if (!jwt || !header.success) return null;
  const claims = schema.safeParse(jwt.claims);
  if (!claims.success) return null;
  return { kid: header.data.kid, claims: claims.data, signed: jwt.signed, signature: jwt.signature };
}

/** The actor for the subject, and previous actors (RFC 8693 §4.1). */
export interface ActorClaim {
  /** The URL of an agent. */
  sub: string;
  act?: ActorClaim;
}

const actorSchema: z.ZodType<ActorClaim> = z.object({
  sub: z.string().min(1),
  act: z.lazy(() => actorSchema).optional(),
});

const agentClaimsSchema = z.object({
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
  /**
   * `upstream` marks tokens that the gateway sends to an agent; they are valid for introspection, and Parley rejects
   * them as a credential. `serve` marks tokens with which an agent's workers connect; only the hub accepts them.
   */
  token_use: z.enum(['upstream', 'serve']).optional(),
  /** The user's email address, if granted to the agent. */
  email: z.string().optional(),
  name: z.string().optional(),
  act: actorSchema.optional(),
  /** Thumbprint of the key that must sign a DPoP proof for every use of the token (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string().min(1) }).optional(),
});

/** The claims of an agent token (RFC 9068 §2.2), with one audience. */
export type AgentTokenClaims = z.infer<typeof agentClaimsSchema>;

type ParsedAgentToken = ParsedAccessJwt<AgentTokenClaims>;

/** Parses an agent token; null for all other values. Does not verify the signature. */
export function readAgentToken(token: string): ParsedAgentToken | null {
  return readAccessJwtOf(token, agentClaimsSchema);
}

/** Returns the signing input of an agent token. */
export function writeAgentToken(kid: string, claims: AgentTokenClaims): string {
  return writeJwt({ alg: 'RS256', typ: 'at+jwt', kid }, claims);
}

const userTokenClaims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.string().min(1),
  client_id: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
});

/** `aud` is Parley itself, which does not accept the token at any endpoint. */
const genericClaimsSchema = userTokenClaims.extend({ token_use: z.literal('generic') });

/** The claims of a user's token without a specific agent. */
export type GenericTokenClaims = z.infer<typeof genericClaimsSchema>;

const userClaimsSchema = z.union([agentClaimsSchema, genericClaimsSchema]);

/** Parses an agent token or a generic one; null for all other values. Does not verify the signature. */
export function readUserToken(token: string): ParsedAccessJwt<AgentTokenClaims | GenericTokenClaims> | null {
  return readAccessJwtOf(token, userClaimsSchema);
}

/** `aud` is the address of the hub. */
const workerClaimsSchema = userTokenClaims.extend({ token_use: z.literal('worker') });

/** The claims of a token with which a user's workers connect, for any agent that the user may serve. */
export type WorkerTokenClaims = z.infer<typeof workerClaimsSchema>;

/** Parses a worker token; null for all other values. Does not verify the signature. */
export function readWorkerToken(token: string): ParsedAccessJwt<WorkerTokenClaims> | null {
  return readAccessJwtOf(token, workerClaimsSchema);
}

const seconds = z.int().describe('Unix time in seconds');

/** Agents that act for the user, the most recent one outermost. */
export const actorClaimSchema: z.ZodType<ActorClaim> = z.object({
  sub: z.string(),
  act: z.lazy(() => actorClaimSchema).optional(),
});

const activeGenericTokenSchema = z.object({
  active: z.literal(true),
  iss: z.string(),
  sub: z.string().describe('The ID of the user for this agent'),
  aud: z.string(),
  client_id: z.string(),
  token_type: tokenTypeSchema,
  exp: seconds,
  iat: seconds,
  jti: z.string(),
});

/** The introspection response to a user's own app for their generic token. */
export type ActiveGenericToken = z.infer<typeof activeGenericTokenSchema>;

const activeTokenSchema = activeGenericTokenSchema.extend({
  agent_id: z.string(),
  agent_slug: z.string(),
  scope: z.string(),
  /** The user's email address, if granted to this agent. */
  email: z.string().optional(),
  name: z.string().optional(),
  act: actorClaimSchema.optional(),
  /** Present for a bound token: the recipient must verify a proof by this key (RFC 9449 §6.2). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

/** The introspection response to an agent's own app for an active token (RFC 7662 §2.2). */
export type ActiveToken = z.infer<typeof activeTokenSchema>;

/** The introspection response for any inactive token, without a reason (RFC 7662 §2.2). */
const inactiveTokenSchema = z.object({ active: z.literal(false) });

export const introspectionSchema = z.union([activeTokenSchema, activeGenericTokenSchema, inactiveTokenSchema]);
export type Introspection = z.infer<typeof introspectionSchema>;
