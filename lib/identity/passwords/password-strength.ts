import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { once } from '../../platform/runtime/once';
import { invalidMember } from '../errors';
import { MAX_ESTIMATED_PASSWORD_LENGTH, MIN_PASSWORD_GUESSES } from '../limits';
import { passwordError } from '../schema';

const COMMON_PASSWORD_TEXT = 'This password is easy to guess. Choose a few unrelated words instead.';

/**
 * Rejects a new password that is too short, too long, equal to the address, or common (NIST SP 800-63B §5.1.1.2).
 * @throws {ParleyError} `invalid_request` at `/password`
 */
export async function requireStrongPassword(password: string, email: string): Promise<void> {
  const error = passwordError(password, email) ?? ((await isCommonPassword(password)) ? COMMON_PASSWORD_TEXT : null);
  if (error !== null) throw invalidMember('password', error);
}

/** True for a leaked password, or one that is easily derived from those lists or from a keyboard row. */
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
