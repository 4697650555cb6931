import { ParleyError } from '../platform/errors';
import type { ShownProof } from '../protocol/oauth/dpop';
import { verifyProof } from './verify-proof';

/**
 * The thumbprint of the key that a request was signed with (RFC 9449).
 * @throws {ParleyError} `invalid_dpop_proof`; `use_dpop_nonce` with the `nonce` that a new proof must carry
 */
export async function requireProof(shown: ShownProof, known: { accessToken?: string; now: Date }): Promise<string> {
  const verdict = await verifyProof(shown, known);
  if (verdict.ok) return verdict.jkt;
  const data = verdict.code === 'use_dpop_nonce' ? { nonce: verdict.nonce } : undefined;
  throw new ParleyError(verdict.code, verdict.text, { data });
}
