import {
  attachPayload,
  canonicalText,
  isJsonObject,
  isSameHash,
  type JsonObject,
  type JsonValue,
  type JWK,
  type JwsFault,
  verifyJws,
} from '@parley/agent/ap2';
import { MAX_CART_SIGNATURE_SECONDS, MERCHANT_CLOCK_SKEW_SECONDS } from '../limits';
import type { CheckView } from './schema-offer';

/** Trusted data about the listing that a cart belongs to. */
export interface CartTrust {
  /** The listing's pinned public keys that are valid at `now`, each with its `kid`. */
  keys: readonly JWK[];
  /** The expected `iss`. */
  issuer: string;
  /** The expected `sub` if the platform signs for the listing; null for a merchant that signs for itself. */
  subject: string | null;
  /** Parley's identifier, which must be one of `aud`. */
  audience: string;
  now: Date;
}

/** The signed content and its signature. */
export type SignedPart =
  /** AP2 0.1: a JWT with the hash of the contents. */
  | { kind: 'hash'; token: string | null; contents: JsonValue }
  /** AP2 0.2: a JWT that contains the checkout; the members outside it must match. */
  | { kind: 'jwt'; token: string | null; claimedHash: string | null; claimedTotal: JsonValue | undefined }
  /** UCP: a detached JWS over the checkout, without claims. */
  | { kind: 'detached'; token: string | null; contents: JsonValue };

/** A valid signature. Signatures of UCP have no claims, so only the pinned key identifies the signer. */
interface Signature {
  issuer: string;
  jti: string | null;
  checkoutJwt: string | null;
}

const texts: Record<JwsFault, string> = {
  alg_not_allowed: 'The cart is signed with an algorithm that is not allowed. Only ES256 is allowed.',
  unknown_key: 'The cart is signed with a key that does not belong to this agent.',
  bad_signature: 'The signature of the cart is invalid.',
};

/** Runs checks C3 to C9 and appends each to `checks`. Returns null after the first failed check. */
export async function checkSignature(
  signed: SignedPart,
  { trust, checks, cartHash }: { trust: CartTrust; checks: CheckView[]; cartHash: string },
): Promise<Signature | null> {
  if (signed.kind === 'detached') return checkDetached(signed, { trust, checks });
  const { token } = signed;
  const present = token !== null;
  checks.push({
    code: 'missing_signature',
    ok: present,
    text: present ? 'Cart signed' : 'Not verified: the cart has no signature by the merchant.',
  });
  if (token === null) return null;
  const read = await verifyJws(token, { keys: trust.keys });
  if (!read.ok) {
    checks.push({ code: read.code, ok: false, text: texts[read.code] });
    return null;
  }
  checks.push(...passedSignature);
  const required = signed.kind === 'hash' ? ['cart_hash'] : [];
  const claims = checkClaims(read.payload, { trust, required });
  checks.push(...claims);
  if (claims.some(({ ok }) => !ok)) return null;
  const sameAsSigned = isSameAsSigned(signed, read.payload, cartHash);
  checks.push({
    code: 'cart_hash_mismatch',
    ok: sameAsSigned,
    text: sameAsSigned ? 'Cart unchanged since signing' : 'The cart was changed after it was signed.',
  });
  if (!sameAsSigned) return null;
  return { issuer: trust.issuer, jti: String(read.payload.jti), checkoutJwt: signed.kind === 'jwt' ? token : null };
}

const passedSignature: readonly CheckView[] = [
  { code: 'alg_not_allowed', ok: true, text: 'Signature algorithm is ES256' },
  { code: 'unknown_key', ok: true, text: 'Key belongs to this agent' },
  { code: 'bad_signature', ok: true, text: 'Signature valid' },
];

/**
 * Checks a signature of UCP: the two codes of its AP2 extension replace C3 and C4 to C6. Without claims, there is
 * nothing else to check.
 */
async function checkDetached(
  { token, contents }: SignedPart & { kind: 'detached' },
  { trust, checks }: { trust: CartTrust; checks: CheckView[] },
): Promise<Signature | null> {
  if (token === null) {
    const text = 'Not verified: the checkout has no signature by the merchant.';
    checks.push({ code: 'merchant_authorization_missing', ok: false, text });
    return null;
  }
  const payload = canonicalText(contents);
  const read = await verifyJws(token, { keys: trust.keys, detached: payload });
  const code = 'merchant_authorization_invalid';
  checks.push({ code: 'merchant_authorization_missing', ok: true, text: 'Checkout signed' });
  checks.push({ code, ok: read.ok, text: read.ok ? 'Signature valid' : texts[read.code] });
  if (!read.ok) return null;
  return { issuer: trust.issuer, jti: null, checkoutJwt: attachPayload(token, payload) };
}

/** Runs check C9: the signed content must be the cart, whose hash is given. */
function isSameAsSigned(signed: SignedPart, claims: JsonObject, cartHash: string): boolean {
  if (signed.kind === 'hash') return isSameHash(String(claims.cart_hash), cartHash);
  if (signed.kind === 'detached') return true;
  const { claimedHash, claimedTotal } = signed;
  if (claimedHash !== null && !isSameHash(claimedHash, cartHash)) return false;
  const totals = Array.isArray(claims.totals) ? claims.totals : [];
  const total = totals.find((entry) => isJsonObject(entry) && entry.type === 'total');
  return claimedTotal === undefined || (isJsonObject(total) && total.amount === claimedTotal);
}

interface ClaimTrust {
  issuer: string;
  subject: string | null;
  audience: string;
  now: Date;
}

/** Runs checks C7 and C8 up to the first failed one: issuer, audience and lifetime of the signature. */
function checkClaims(claims: JsonObject, { trust, required }: { trust: ClaimTrust; required: string[] }): CheckView[] {
  const all = [
    checkIssuer(claims, trust),
    checkAudience(claims, trust),
    checkPresence(claims, required),
    checkExpiry(claims, trust.now),
    checkLifetime(claims, trust.now),
  ];
  const failed = all.findIndex(({ ok }) => !ok);
  return failed < 0 ? all : all.slice(0, failed + 1);
}

function checkIssuer({ iss, sub }: JsonObject, { issuer, subject }: ClaimTrust): CheckView {
  const code = 'wrong_issuer';
  if (iss !== undefined && iss !== issuer) return { code, ok: false, text: 'The cart is signed by another merchant.' };
  if (subject !== null && sub !== undefined && sub !== subject) {
    return { code, ok: false, text: 'The cart was signed for another agent.' };
  }
  return { code, ok: true, text: 'Signed by this merchant' };
}

function checkAudience({ aud }: JsonObject, { audience }: ClaimTrust): CheckView {
  const code = 'wrong_audience';
  const ok = aud === undefined || aud === audience || (Array.isArray(aud) && aud.includes(audience));
  return { code, ok, text: ok ? 'Addressed to Parley' : 'The cart was signed for another marketplace.' };
}

function checkPresence(claims: JsonObject, required: string[]): CheckView {
  const code = 'missing_claim';
  const names = ['iss', 'sub', 'aud', 'jti', ...required];
  const missing = [...names.filter((name) => !isPresent(claims[name])), ...missingTimes(claims)];
  if (missing.length > 0) return { code, ok: false, text: `The signature lacks ${missing.join(', ')}.` };
  return { code, ok: true, text: 'All required claims present' };
}

function isPresent(value: JsonValue | undefined): boolean {
  return (typeof value === 'string' && value !== '') || (Array.isArray(value) && value.length > 0);
}

function missingTimes(claims: JsonObject): string[] {
  return ['iat', 'exp'].filter((name) => !Number.isSafeInteger(claims[name]));
}

function checkExpiry({ exp }: JsonObject, now: Date): CheckView {
  const ok = Number(exp) * 1000 > now.getTime();
  const text = ok ? 'Signature not expired' : 'The signature has expired. Ask the agent for a new cart.';
  return { code: 'signature_expired', ok, text };
}

function checkLifetime({ iat, exp, nbf }: JsonObject, now: Date): CheckView {
  const code = 'signature_lifetime';
  const latest = now.getTime() / 1000 + MERCHANT_CLOCK_SKEW_SECONDS;
  if (Number(iat) > latest || (nbf !== undefined && !(Number(nbf) <= latest))) {
    return { code, ok: false, text: 'The signature is dated in the future.' };
  }
  const ok = Number(exp) - Number(iat) <= MAX_CART_SIGNATURE_SECONDS;
  return { code, ok, text: ok ? 'Signature short-lived' : 'The signature is valid for longer than an hour.' };
}
