import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { env } from '../../platform/runtime/env';
import { deriveKey } from '../../platform/secrets/crypto';
import { CLOCK_SKEW_SECONDS } from '../../protocol/limits';
import type { AgentTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';

const IV_BYTES = 16;
const CREDENTIAL_PATTERN = /^(ses|pat|usr|sec|app|dlg|prb)_[0-9a-z]{20}$/;

/**
 * Creates a token id: 128 random bits, followed by the encrypted id of the credential from which the token was issued.
 * Introspection therefore finds the credential without a row, and tokens cannot be linked to each other. The token's
 * signature protects the id.
 */
export function newTokenId(credentialId: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-ctr', deriveKey('jti'), iv);
  return Buffer.concat([iv, cipher.update(credentialId, 'utf8'), cipher.final()]).toString('base64url');
}

/** Returns the credential in one of our token ids, or null. */
export function credentialOf(jti: string): string | null {
  const bytes = Buffer.from(jti, 'base64url');
  if (bytes.length <= IV_BYTES) return null;
  const decipher = createDecipheriv('aes-256-ctr', deriveKey('jti'), bytes.subarray(0, IV_BYTES));
  const id = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString();
  return CREDENTIAL_PATTERN.test(id) ? id : null;
}

/**
 * Returns true while the token is valid and its lifetime does not exceed the maximum. `now` is in seconds since 1970.
 */
export function isWithinLifetime(claims: Pick<AgentTokenClaims, 'iat' | 'nbf' | 'exp'>, now: number): boolean {
  if (claims.exp <= now || claims.exp > now + AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) return false;
  if (claims.iat > now + CLOCK_SKEW_SECONDS) return false;
  return claims.nbf === undefined || claims.nbf <= now + CLOCK_SKEW_SECONDS;
}

/** Returns the only audience of an agent's tokens, which is also the agent's URL. */
export function audienceOf(slug: string): string {
  return `${env().APP_URL}/agents/${slug}`;
}
