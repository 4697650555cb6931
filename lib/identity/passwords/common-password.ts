import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { processSingleton } from '../../platform/singleton';

/** Fewer guesses than this find a common password: the two lowest of zxcvbn's five scores. */
const MIN_GUESSES = 1_000_000;
/** The estimate takes time by the square of the length; 50 ms for this many characters. */
const MAX_CHECKED_CHARACTERS = 40;

/** True for a password on the lists of leaked ones, or one that such a list or a keyboard row leads to at once. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const estimator = await processSingleton('password-estimator', loadEstimator);
  return estimator.check(password.slice(0, MAX_CHECKED_CHARACTERS)).guesses < MIN_GUESSES;
}

/** Loaded at the first use: the lists take 2 MB and 100 ms. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
