import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose';
import { hmac, sha256 } from '../platform/crypto';
import { DPOP_ALGORITHMS, type PresentedProof } from '../protocol/oauth/dpop';
import { consumeProof } from './store/dpop-proofs';

/** A proof that holds, by the thumbprint of its key (RFC 7638); or why it does not. */
export type DpopVerdict =
  | { ok: true; jkt: string }
  | { ok: false; code: 'invalid_dpop_proof'; text: string }
  | { ok: false; code: 'use_dpop_nonce'; text: string; nonce: string };

/** A nonce is given out for so long and accepted for as long again, milliseconds. */
const nonceLifetimeMs = 300_000;
/** How far a proof's clock may be off, seconds; how fresh it is, the nonce tells. */
const clockSkewSeconds = 300;
const maxProofLength = 4_096;
const maxProofIdLength = 256;

/** The nonce that proofs must carry now; the same on every node, and nobody else can make one. */
function nonceOf(now: Date, windowsAgo = 0): string {
  return hmac('dpop-nonce', String(Math.floor(now.getTime() / nonceLifetimeMs) - windowsAgo));
}

/**
 * Checks a proof of possession as RFC 9449 §4.3 asks, each once on all nodes: one header field, type, algorithm, a public
 * key alone, signature, method, address, time, our nonce, and with `accessToken` the hash of that token.
 */
export async function verifyDpopProof(
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
    return invalidProof(`The DPoP proof is for another address: expected ${presented.url}.`);
  }
  if (accessToken !== undefined && claims.ath !== hashOf(accessToken)) {
    return invalidProof('The DPoP proof is for another token: expected its SHA-256 as "ath".');
  }
  if (claims.nonce !== nonceOf(now) && claims.nonce !== nonceOf(now, 1)) {
    const text = 'Put the nonce of the DPoP-Nonce header field into a new proof, and try again.';
    return { ok: false, code: 'use_dpop_nonce', text, nonce: nonceOf(now) };
  }
  const expiresAt = new Date(now.getTime() + 2 * nonceLifetimeMs);
  if (await consumeProof({ id: sha256(`${jkt} ${claims.jti}`), expiresAt, now })) return { ok: true, jkt };
  return invalidProof('The DPoP proof was used before. Sign a new one for every request.');
}

function invalidProof(text: string): DpopVerdict {
  return { ok: false, code: 'invalid_dpop_proof', text };
}

async function readProof(proof: string, now: Date): Promise<{ claims: JWTPayload; jkt: string } | null> {
  if (proof.length > maxProofLength) return null;
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: DPOP_ALGORITHMS,
      requiredClaims: ['jti', 'htm', 'htu', 'iat'],
      clockTolerance: clockSkewSeconds,
      maxTokenAge: 1,
      currentDate: now,
    });
    const { jti } = payload;
    if (typeof jti !== 'string' || jti === '' || jti.length > maxProofIdLength || !protectedHeader.jwk) return null;
    return { claims: payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

/** The address without query and fragment, as every writing of it (RFC 3986 §6.2); null for what is none. */
function normalizeUrl(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function hashOf(token: string): string {
  return Buffer.from(sha256(token), 'hex').toString('base64url');
}
