import { z } from 'zod';
import { readAccessJwt } from './access-jwt';

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  /** The platform itself, which takes it nowhere. */
  aud: z.string().min(1),
  client_id: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
  token_use: z.literal('generic'),
});

/** The claims of a person's token that is for no agent in particular. */
export type GenericTokenClaims = z.infer<typeof claimsSchema>;

/** Reads what has the exact shape of a generic token, or answers null. The signature is not verified yet. */
export function readGenericToken(
  token: string,
): { kid: string; claims: GenericTokenClaims; signed: string; signature: Buffer } | null {
  const jwt = readAccessJwt(token);
  const claims = claimsSchema.safeParse(jwt?.claims);
  return jwt && claims.success ? { ...jwt, claims: claims.data } : null;
}
