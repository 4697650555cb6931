import { generateKeyPairSync, sign } from 'node:crypto';
import { quantileOf } from './compare.mjs';

/** Time of one RS256 signature when the time goals were set, in µs. */
const referenceMicros = 242;
const signatures = 300;

/**
 * Returns the factor by which this machine is currently slower than the one for which the time goals were set, by the
 * time of an RS256 signature. Goals without a peer are multiplied by this factor.
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
 * Returns a time goal for this machine, rounded to three digits.
 *
 * @param {number} goal on the reference machine, in any unit of time
 * @returns {number}
 */
export function goalHere(goal) {
  return Number((goal * machineFactor()).toPrecision(3));
}
