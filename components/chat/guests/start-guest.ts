import type { Challenge, Solution } from 'altcha-lib';
import { callApi } from '../../forms/call-api';

/**
 * Starts a guest session, unless the browser has one. If the network has many guests, the browser first does the work
 * that the server asks for, which takes about a second. `onWait` is called if this takes noticeably long.
 * @returns the reason for the user if there is no session, else null
 */
export async function startGuest(onWait: () => void): Promise<string | null> {
  const first = await callApi('POST', guestPath, {});
  if (first.ok) return null;
  const { challenge, title } = first.problem;
  if (!challenge) return title;
  const timer = setTimeout(onWait, NOTICEABLE_MS);
  const proof = await proveWork(challenge).catch(() => null);
  clearTimeout(timer);
  if (proof === null) return title;
  const second = await callApi('POST', guestPath, { proof });
  return second.ok ? null : second.problem.title;
}

const guestPath = '/api/chat/guest';

/** Time after which a wait is explained, milliseconds. */
const NOTICEABLE_MS = 500;

/**
 * Solves a challenge of the server. The solver is loaded on demand, because few visitors need it.
 * @throws {Error} if the browser does not find the solution within 90 seconds, or the solver cannot be loaded
 */
async function proveWork(challenge: Challenge): Promise<{ challenge: Challenge; solution: Solution }> {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the proof of work took too long');
  return { challenge, solution };
}
