import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ParleyError } from '../../platform/errors';
import { once } from '../../platform/runtime/once';
import { constantTimeEqual } from '../../platform/secrets/crypto';
import { invalidMember } from '../errors';
import {
  HASH_RETRY_AFTER_SECONDS,
  MAX_CONCURRENT_HASHES,
  MAX_ESTIMATED_PASSWORD_LENGTH,
  MAX_QUEUED_HASHES,
  MIN_PASSWORD_GUESSES,
  PASSWORD_HASH_COST,
  PASSWORD_HASH_MEMORY_BYTES,
} from '../limits';
import { passwordError } from '../schema';

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
 * Compares a password with a stored hash. Without a hash, it does the same work and returns false, so that timing does
 * not reveal whether an account exists.
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

const COMMON_PASSWORD_TEXT = 'This password is easy to guess. Choose a few unrelated words instead.';

/**
 * Rejects a new password that is too short, too long, common, or equal to the email address (NIST SP 800-63B §5.1.1.2).
 * @throws {ParleyError} `invalid_request` at `/password`
 */
export async function requireStrongPassword(password: string, email: string): Promise<void> {
  const error = passwordError(password, email) ?? ((await isCommonPassword(password)) ? COMMON_PASSWORD_TEXT : null);
  if (error !== null) throw invalidMember('password', error);
}

/**
 * Returns true if the password can be guessed in under `MIN_PASSWORD_GUESSES` attempts: leaked passwords and their
 * variants, keyboard rows, dates, sequences and repetitions.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const loaded = await estimator();
  return loaded.check(password.slice(0, MAX_ESTIMATED_PASSWORD_LENGTH)).guesses < MIN_PASSWORD_GUESSES;
}

/** Loaded on first use: the lists take 2 MB and 100 ms. */
const estimator = once(async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
});
