import { type Challenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/**
 * Solves a challenge of the server. Loaded on demand, because few visitors need it.
 * @throws {Error} if the browser does not find the solution within 90 seconds
 */
export async function proveWork(challenge: unknown): Promise<{ challenge: Challenge; solution: Solution }> {
  const asked = challenge as Challenge;
  const solution = await solveChallenge({ challenge: asked, deriveKey });
  if (!solution) throw new Error('the proof of work took too long');
  return { challenge: asked, solution };
}
