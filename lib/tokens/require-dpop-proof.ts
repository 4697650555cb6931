import { ParleyError } from '../platform/errors';
import type { PresentedProof } from '../protocol/oauth/dpop';
import { verifyDpopProof } from './verify-dpop-proof';

/**
 * The thumbprint of the key that a request was signed with (RFC 9449).
 * @throws {ParleyError} `invalid_dpop_proof`; `use_dpop_nonce` with the `nonce` that a new proof must carry
 */
export async function requireDpopProof(
  presented: PresentedProof,
  expected: { accessToken?: string; now: Date },
): Promise<string> {
  const verdict = await verifyDpopProof(presented, expected);
  if (verdict.ok) return verdict.jkt;
  const data = verdict.code === 'use_dpop_nonce' ? { nonce: verdict.nonce } : undefined;
  throw new ParleyError(verdict.code, verdict.text, { data });
}
