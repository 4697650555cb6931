import { z } from 'zod';
import { tokenTypeSchema } from './authorization-server';
import type { ActorClaim } from './jwt-access-tokens';

const seconds = z.int().describe('Unix time in seconds');

/** Agents that act for the user, the latest outermost. */
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

/** The response to a user's own app for their generic token. */
export type ActiveGenericToken = z.infer<typeof activeGenericTokenSchema>;

const activeTokenSchema = activeGenericTokenSchema.extend({
  agent_id: z.string(),
  agent_slug: z.string(),
  scope: z.string(),
  /** The user's email address, if granted to this agent. */
  email: z.string().optional(),
  name: z.string().optional(),
  act: actorClaimSchema.optional(),
  /** For a bound token: the recipient must verify a proof by this key (RFC 9449 §6.2). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

/** The response to an agent's own app for an active token (RFC 7662 §2.2). */
export type ActiveToken = z.infer<typeof activeTokenSchema>;

/** The response for any inactive token, without a reason (RFC 7662 §2.2). */
const inactiveTokenSchema = z.object({ active: z.literal(false) });

export const introspectionSchema = z.union([activeTokenSchema, activeGenericTokenSchema, inactiveTokenSchema]);
export type Introspection = z.infer<typeof introspectionSchema>;
