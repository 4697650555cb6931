import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { env } from '../runtime/env';

/** A column whose texts are encrypted with KEY_ENCRYPTION_KEY. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key: its columns and their types, in order. */
  key: Record<string, 'text' | 'uuid' | 'int4'>;
}

/** Every encrypted column, by the purpose of its key. {@link SealPurpose} excludes all others. */
export const SEALED_COLUMNS = {
  'root-secret': { table: 'root_secret', column: 'sealed', key: { id: 'int4' } },
  'signing-key': { table: 'signing_key', column: 'private_sealed', key: { kid: 'text' } },
  'agent-credential': { table: 'agent_credential', column: 'sealed', key: { agent_id: 'text' } },
  'push-config': { table: 'push_config', column: 'secrets', key: { task_id: 'uuid', id: 'text' } },
  'web-push-device': { table: 'web_push_device', column: 'subscription', key: { id: 'text' } },
} as const satisfies Record<string, SealedColumn>;

/** The purposes of texts that are encrypted in the database. */
export type StoredPurpose = keyof typeof SEALED_COLUMNS;

/** The purposes for which text may be encrypted: the columns above, and texts that clients return within minutes. */
type SealPurpose = StoredPurpose | 'mcp-request-state';

/** Returns SHA-256 of text or bytes, hex. */
export function sha256(value: string | Uint8Array): string {
  return hash('sha256', value);
}

/** Compares two texts in time that depends only on their lengths. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns a secret of 256 random bits with a prefix that secret scanners recognize, such as `parley_cs_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

let rootSecret: string | null = null;

/** Sets the secret from which keys are derived. Called at startup by `loadRootSecret` of stored-secrets.ts. */
export function setRootSecret(secret: string): void {
  rootSecret = secret;
}

/** Returns true once keys can be derived. */
export function hasRootSecret(): boolean {
  return rootSecret !== null;
}

const derivedKeys = new Map<string, Buffer>();

/** Returns a 256-bit key for one purpose, derived from the root secret by HKDF (RFC 5869). */
export function deriveKey(purpose: string): Buffer {
  const key = derivedKeys.get(purpose) ?? expand(requireRootSecret(), purpose);
  derivedKeys.set(purpose, key);
  return key;
}

function requireRootSecret(): string {
  if (rootSecret !== null) return rootSecret;
  // The database cannot be used yet, so callers may retry.
  const message = 'the root secret is not loaded, because the database was unavailable';
  throw Object.assign(new Error(message), { code: '57P03' });
}

function expand(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, 32));
}

/** Returns the HMAC-SHA-256 of text under the key of `purpose`, base64url. */
export function hmac(purpose: string, value: string): string {
  return createHmac('sha256', deriveKey(purpose)).update(value).digest('base64url');
}

type SealingKeys = [Buffer, ...Buffer[]];

const sealingKeysByPurpose = new Map<string, SealingKeys>();

/**
 * Returns the keys that decrypt: that of KEY_ENCRYPTION_KEY, which also encrypts, and that of KEY_DECRYPTION_KEY if it
 * is set.
 */
function sealingKeys(purpose: string): SealingKeys {
  const keys = sealingKeysByPurpose.get(purpose) ?? expandSealingKeys(purpose);
  sealingKeysByPurpose.set(purpose, keys);
  return keys;
}

function expandSealingKeys(purpose: string): SealingKeys {
  const { KEY_ENCRYPTION_KEY: current, KEY_DECRYPTION_KEY: other } = env();
  return other === undefined ? [expand(current, purpose)] : [expand(current, purpose), expand(other, purpose)];
}

/** Ids of the keys that decrypt, the one that encrypts first. They reveal nothing about the keys. */
export function sealingKeyIds(): string[] {
  return sealingKeys('key-id').map((key) => key.toString('hex').slice(0, 16));
}

/** Encrypts and authenticates text with AES-256-GCM under the key of `purpose`. */
export function seal(purpose: SealPurpose, plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKeys(purpose)[0], iv);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/**
 * Decrypts text that {@link seal} has encrypted.
 * @throws if the text was altered, or encrypted with a key that is not set
 */
export function unseal(purpose: SealPurpose, sealed: string): string {
  const [current, other] = sealingKeys(purpose);
  try {
    return open(current, sealed);
  } catch (error) {
    if (other === undefined) throw error;
    return open(other, sealed);
  }
}

/** Returns true for text that KEY_ENCRYPTION_KEY decrypts. */
export function isSealedByCurrentKey(purpose: SealPurpose, sealed: string): boolean {
  try {
    open(sealingKeys(purpose)[0], sealed);
    return true;
  } catch {
    return false;
  }
}

function open(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
