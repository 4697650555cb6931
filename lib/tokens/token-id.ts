import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '../platform/crypto';

const ivBytes = 16;
const credential = /^(ses|pat|usr|sec|app|dlg|prb)_[0-9a-z]{20}$/;

/**
 * A new token id: 128 random bits, and behind them the credential that the token came from, encrypted. So introspection
 * finds the parent without a row, and nobody outside can tell which tokens belong together. The token's signature is
 * what keeps the id from being altered.
 */
export function newTokenId(credentialId: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-ctr', deriveKey('jti'), iv);
  return Buffer.concat([iv, cipher.update(credentialId, 'utf8'), cipher.final()]).toString('base64url');
}

/** The credential behind a token id of ours, or null. */
export function credentialOf(jti: string): string | null {
  const bytes = Buffer.from(jti, 'base64url');
  if (bytes.length <= ivBytes) return null;
  const decipher = createDecipheriv('aes-256-ctr', deriveKey('jti'), bytes.subarray(0, ivBytes));
  const id = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]).toString();
  return credential.test(id) ? id : null;
}
