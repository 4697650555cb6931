import { createHash, randomBytes } from 'node:crypto';

/** A code verifier and its challenge by S256 (RFC 7636 §4.2). */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
