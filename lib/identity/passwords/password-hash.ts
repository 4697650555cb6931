import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { ParleyError } from '../../platform/errors';
import { constantTimeEqual } from '../../platform/secrets/crypto';
import {
  HASH_RETRY_AFTER_SECONDS,
  MAX_CONCURRENT_HASHES,
  MAX_QUEUED_HASHES,
  PASSWORD_HASH_COST,
  PASSWORD_HASH_MEMORY_BYTES,
} from '../limits';

const KEY_BYTES = 32;

interface HashQueue {
  running: number;
  waiting: (() => void)[];
}

/** Hashes a password with a new salt, as `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, PASSWORD_HASH_COST);
  const { N, r, p } = PASSWORD_HASH_COST;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * Compares a password with a stored hash. Without one it does the same work and returns false, so that timing does not
 * reveal whether an account exists.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const { salt, hash, ...options } = parseHash(stored ?? dummyHash());
  const actual = await derive(password, salt, options);
  return constantTimeEqual(actual.toString('base64url'), hash) && stored !== null;
}

function dummyHash(): string {
  const bytes = (length: number): string => randomBytes(length).toString('base64url');
  const { N, r, p } = PASSWORD_HASH_COST;
  return ['scrypt', N, r, p, bytes(16), bytes(KEY_BYTES)].join('$');
}

function parseHash(stored: string): { N: number; r: number; p: number; salt: Buffer; hash: string } {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash)
    throw new Error('a stored password hash is not of the form scrypt$N$r$p$salt$hash');
  return { N: Number(N), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url'), hash };
}

/** Normalizes to NFKC: keyboards may produce different code points for the same password (NIST SP 800-63B §5.1.1.2). */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return withHashSlot(
    () =>
      new Promise((resolve, reject) => {
        const settings = { ...options, maxmem: PASSWORD_HASH_MEMORY_BYTES };
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, settings, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}

const queue: HashQueue = { running: 0, waiting: [] };

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (queue.running < MAX_CONCURRENT_HASHES) {
    queue.running++;
  } else {
    if (queue.waiting.length >= MAX_QUEUED_HASHES) {
      throw new ParleyError('unavailable', 'Too many people are signing in right now. Try again in a few seconds.', {
        retryAfter: HASH_RETRY_AFTER_SECONDS,
      });
    }
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running--;
  }
}
