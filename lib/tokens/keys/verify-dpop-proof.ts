import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose';
import { ParleyError } from '../../platform/errors';
import { hmac, sha256 } from '../../platform/secrets/crypto';
import { DPOP_ALGORITHMS, type PresentedProof } from '../../protocol/oauth/requests';
import { DPOP_CLOCK_SKEW_SECONDS, DPOP_NONCE_MS, MAX_DPOP_PROOF_ID_LENGTH, MAX_DPOP_PROOF_LENGTH } from '../limits';
import { consumeProof } from '../store/rejected-ids';

/** A valid proof with the thumbprint of its key (RFC 7638), or the error. */
type DpopVerdict =
  | { ok: true; jkt: string }
  | { ok: false; code: 'invalid_dpop_proof'; text: string }
  | { ok: false; code: 'use_dpop_nonce'; text: string; nonce: string };

/**
 * Verifies a DPoP proof and returns the thumbprint of its key (RFC 9449).
 * @throws {ParleyError} `invalid_dpop_proof`; `use_dpop_nonce` with the `nonce` that a new proof must contain
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

/**
 * Returns the nonce that proofs must contain now. It is an HMAC of the time window, and therefore the same on every
 * node.
 */
function nonceOf(now: Date, windowsAgo = 0): string {
  return hmac('dpop-nonce', String(Math.floor(now.getTime() / DPOP_NONCE_MS) - windowsAgo));
}

/**
 * Verifies a proof according to RFC 9449 §4.3: one header field, type, algorithm, public key, signature, method, URL,
 * time, our nonce, and, with `accessToken`, the hash of that token. A proof is accepted once across all nodes.
 */
async function verifyDpopProof(
  presented: PresentedProof,
  { accessToken, now }: { accessToken?: string; now: Date },
): Promise<DpopVerdict> {
  const read = await readProof(presented.proof, now);
  if (!read)
    return invalidProof('Expected one DPoP proof: a JWT of type dpop+jwt, signed just now by the public key in it.');
  const { claims, jkt } = read;
  if (claims.htm !== presented.method)
    return invalidProof(`The DPoP proof is for another method: expected ${presented.method}.`);
  if (normalizeUrl(claims.htu) !== normalizeUrl(presented.url)) {
    return invalidProof(`The DPoP proof is for another URL: expected ${presented.url}.`);
  }
  if (accessToken !== undefined && claims.ath !== hashOf(accessToken)) {
    return invalidProof('The DPoP proof is for another token: expected its SHA-256 as "ath".');
  }
  if (claims.nonce !== nonceOf(now) && claims.nonce !== nonceOf(now, 1)) {
    const text =
      'The DPoP proof has no valid nonce. Create a new proof with the nonce from the DPoP-Nonce header, and try again.';
    return { ok: false, code: 'use_dpop_nonce', text, nonce: nonceOf(now) };
  }
  const expiresAt = new Date(now.getTime() + 2 * DPOP_NONCE_MS);
  if (await consumeProof({ id: sha256(`${jkt} ${claims.jti}`), expiresAt, now })) return { ok: true, jkt };
  return invalidProof('The DPoP proof was already used. Sign a new one for every request.');
}

function invalidProof(text: string): DpopVerdict {
  return { ok: false, code: 'invalid_dpop_proof', text };
}

async function readProof(proof: string, now: Date): Promise<{ claims: JWTPayload; jkt: string } | null> {
  if (proof.length > MAX_DPOP_PROOF_LENGTH) return null;
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: DPOP_ALGORITHMS,
      requiredClaims: ['jti', 'htm', 'htu', 'iat'],
      clockTolerance: DPOP_CLOCK_SKEW_SECONDS,
      maxTokenAge: 1,
      currentDate: now,
    });
    const { jti } = payload;
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_DPOP_PROOF_ID_LENGTH || !protectedHeader.jwk)
      return null;
    return { claims: payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

/** Returns the URL without query and fragment, normalized (RFC 3986 §6.2); null if it is not a URL. */
function normalizeUrl(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function hashOf(token: string): string {
  return Buffer.from(sha256(token), 'hex').toString('base64url');
}
