import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { env } from './env';
import { processSingleton } from './singleton';

/** SHA-256 of text or bytes, hex. */
export function sha256(value: string | Uint8Array): string {
  return hash('sha256', value);
}

/** Compares two texts in time that depends only on their lengths. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A secret of 256 random bits with a prefix that secret scanners recognize, such as `parley_cs_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** A 256-bit key for one purpose, derived from KEY_ENCRYPTION_KEY by HKDF (RFC 5869). */
export function deriveKey(purpose: string): Buffer {
  return processSingleton(`key:${purpose}`, () =>
    Buffer.from(hkdfSync('sha256', env().KEY_ENCRYPTION_KEY, 'parley', purpose, 32)),
  );
}

/** HMAC-SHA-256 of text under the key of `purpose`, base64url. */
export function hmac(purpose: string, value: string): string {
  return createHmac('sha256', deriveKey(purpose)).update(value).digest('base64url');
}

/** Encrypts and authenticates text with AES-256-GCM under the key of `purpose`. */
export function seal(purpose: string, plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(purpose), iv);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/**
 * Reverses {@link seal}.
 * @throws when the text was altered or sealed with another key
 */
export function unseal(purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(purpose), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
