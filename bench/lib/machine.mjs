import { generateKeyPairSync, sign } from 'node:crypto';
import { quantileOf } from './compare.mjs';

/** What one RS256 signature took when the goals in time were set, µs. */
const referenceMicros = 242;
const signatures = 300;

/**
 * How much slower this machine is now than the one for which the goals in time were set: the time of an RS256 signature.
 * Goals that have no peer are multiplied by it.
 *
 * @returns {number} 1 for the same speed, 2 for half of it
 */
export function machineFactor() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const text = Buffer.alloc(500);
  const micros = Array.from({ length: signatures }, () => {
    const startedAt = performance.now();
    sign('RSA-SHA256', text, privateKey);
    return (performance.now() - startedAt) * 1_000;
  });
  return quantileOf(micros, 0.5) / referenceMicros;
}

/**
 * A goal in time for this machine, rounded to three digits.
 *
 * @param {number} goal on the reference machine, in any unit of time
 * @returns {number}
 */
export function goalHere(goal) {
  return Number((goal * machineFactor()).toPrecision(3));
}
