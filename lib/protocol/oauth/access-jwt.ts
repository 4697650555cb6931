import { z } from 'zod';
import { readJwt } from './jwt';

// Strict: `crit`, `b64`, `zip`, `jku`, `x5u`, `jwk`, `x5c` or any other member makes it no token of ours (KEY-1…3).
const headerSchema = z.strictObject({ alg: z.literal('RS256'), typ: z.literal('at+jwt'), kid: z.string().min(1) });

export interface ParsedAccessJwt {
  kid: string;
  /** Not checked yet. */
  claims: unknown;
  signed: string;
  signature: Buffer;
}

/** Reads what has the shape of an access token in RFC 9068's profile, signed by RS256, or answers null. */
export function readAccessJwt(token: string): ParsedAccessJwt | null {
  const jwt = readJwt(token);
  const header = headerSchema.safeParse(jwt?.header);
  return jwt && header.success
    ? { kid: header.data.kid, claims: jwt.claims, signed: jwt.signed, signature: jwt.signature }
    : null;
}
