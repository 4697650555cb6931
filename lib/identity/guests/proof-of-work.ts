import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { ParleyError } from '../../platform/errors';
import { hmac, sha256 } from '../../platform/secrets/crypto';
import { PROOF_COUNTER_MAX, PROOF_COUNTER_MIN, PROOF_KEY_ITERATIONS, PROOF_LIFETIME_MS } from '../limits';
import type { GuestProof } from '../schema-views';

/** The error that asks a browser for a proof of work: `data.challenge` is an ALTCHA challenge (version 2). */
export async function proofRequired(now: Date): Promise<ParleyError> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: PROOF_KEY_ITERATIONS,
    counter: randomInt(PROOF_COUNTER_MIN, PROOF_COUNTER_MAX),
    deriveKey,
    expiresAt: new Date(now.getTime() + PROOF_LIFETIME_MS),
    ...secrets(),
  });
  const text = 'Many visitors without an account came from your network. Send a proof of work as "proof", or sign in.';
  return new ParleyError('proof_required', text, { data: { challenge } });
}

/**
 * Identifies a valid proof of work, so that it can be accepted once; null for a proof that is wrong, expired or not for a
 * challenge of ours.
 */
export async function identifyProof(proof: GuestProof): Promise<string | null> {
  try {
    const { verified } = await verifySolution({ ...proof, deriveKey, ...secrets() });
    return verified ? sha256(proof.challenge.signature) : null;
  } catch {
    return null;
  }
}

function secrets(): { hmacSignatureSecret: string; hmacKeySignatureSecret: string } {
  return {
    hmacSignatureSecret: hmac('guest-proof', 'challenge'),
    hmacKeySignatureSecret: hmac('guest-proof', 'key'),
  };
}
