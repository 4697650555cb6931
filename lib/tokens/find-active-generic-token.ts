import { env } from '../platform/env';
import { isWithinLifetime } from '../protocol/oauth/agent-token';
import { type GenericTokenClaims, readGenericToken } from '../protocol/oauth/generic-token';
import { isCredentialActive } from './is-credential-active';
import { verifySignature } from './keys';
import { isRevoked } from './revoked-tokens';
import { credentialOf } from './token-id';

/** A person's token for no agent in particular, and whose it is, while it and its credential are good; else null. */
export async function findActiveGenericToken(
  token: string,
  now: Date,
): Promise<{ claims: GenericTokenClaims; userId: string } | null> {
  const read = readGenericToken(token);
  if (!read || read.claims.iss !== env().APP_URL || !isWithinLifetime(read.claims, Math.floor(now.getTime() / 1000)))
    return null;
  const credentialId = credentialOf(read.claims.jti);
  if (credentialId === null || !(await verifySignature(read.signed, { ...read, now }))) return null;
  if (await isRevoked(read.claims.jti, now)) return null;
  const credential = await isCredentialActive(credentialId, now);
  return credential && { claims: read.claims, userId: credential.principal };
}
