import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { constantTimeEqual } from '../platform/crypto';
import { ParleyError } from '../platform/errors';
import { processSingleton } from '../platform/singleton';

/** Cost of a new hash: 32 MiB and some 90 ms of one core (RFC 7914). Stored with every hash, so it can be raised later. */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const maxMemory = 128 * 1024 * 1024;
const keyLength = 32;

// Node hashes on its four pool threads, which also resolve names and read files: passwords may have two of them.
const maxConcurrentHashes = 2;
const maxQueuedHashes = 100;

interface HashQueue {
  running: number;
  waiting: (() => void)[];
}

/** Hashes a password with a fresh salt, as `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * Compares a password with a stored hash. Without one it does the same work and answers false, so that nobody can tell by
 * the time whether an account exists.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const { salt, hash, ...options } = parseHash(stored ?? dummyHash());
  const actual = await derive(password, salt, options);
  return constantTimeEqual(actual.toString('base64url'), hash) && stored !== null;
}

function dummyHash(): string {
  const bytes = (length: number): string => randomBytes(length).toString('base64url');
  return ['scrypt', cost.N, cost.r, cost.p, bytes(16), bytes(keyLength)].join('$');
}

function parseHash(stored: string): { N: number; r: number; p: number; salt: Buffer; hash: string } {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash)
    throw new Error('a stored password hash is not of the form scrypt$N$r$p$salt$hash');
  return { N: Number(N), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url'), hash };
}

/** NFKC first: the same password typed on another keyboard may arrive in other code points (NIST SP 800-63B §5.1.1.2). */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return withHashSlot(
    () =>
      new Promise((resolve, reject) => {
        const settings = { ...options, maxmem: maxMemory };
        scrypt(password.normalize('NFKC'), salt, keyLength, settings, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  const queue = processSingleton('password-gate', (): HashQueue => ({ running: 0, waiting: [] }));
  if (queue.running < maxConcurrentHashes) {
    queue.running++;
  } else {
    if (queue.waiting.length >= maxQueuedHashes) {
      throw new ParleyError('unavailable', 'Too many people sign in at this moment. Try again in a few seconds.', {
        retryAfter: 5,
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
