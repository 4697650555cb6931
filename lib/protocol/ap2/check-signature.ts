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
import { checkClaims } from './check-claims';
import type { CheckView } from './offer';

/** What is known of the listing that a cart came from. */
export interface CartTrust {
  /** Public keys that are pinned for this listing and count at `now`, each with its `kid`. */
  keys: readonly JWK[];
  /** What `iss` must say. */
  issuer: string;
  /** What `sub` must say, where the platform signs for the listing; null for a merchant that signs by itself. */
  subject: string | null;
  /** Us: one of the `aud`. */
  audience: string;
  now: Date;
}

/** What a merchant signs, and the signature that stands with it. */
export type SignedPart =
  /** AP2 0.1: a JWT beside the contents, with their hash in it. */
  | { kind: 'hash'; token: string | null; contents: JsonValue }
  /** AP2 0.2: a JWT that is the checkout; what stands beside it must say the same. */
  | { kind: 'jwt'; token: string | null; claimedHash: string | null; claimedTotal: JsonValue | undefined }
  /** UCP: a detached JWS over the checkout, without claims. */
  | { kind: 'detached'; token: string | null; contents: JsonValue };

/** A signature that holds. UCP's have no claims: the pinned key alone says whose it is. */
interface Signature {
  issuer: string;
  jti: string | null;
  checkoutJwt: string | null;
}

const texts: Record<JwsFault, string> = {
  alg_not_allowed: 'The cart is signed by an algorithm that is not allowed; only ES256 is.',
  unknown_key: 'The cart is signed by a key that does not belong to this listing.',
  bad_signature: 'The signature of the cart is wrong.',
};

/** C3 to C9: adds each check to `checks`, and stops at the first that fails, with null. */
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
    text: present ? 'The cart is signed.' : 'Not verified: the cart carries no signature of the merchant.',
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
    text: sameAsSigned ? 'The cart is what was signed.' : 'The cart was changed after it was signed.',
  });
  if (!sameAsSigned) return null;
  return { issuer: trust.issuer, jti: String(read.payload.jti), checkoutJwt: signed.kind === 'jwt' ? token : null };
}

const passedSignature: readonly CheckView[] = [
  { code: 'alg_not_allowed', ok: true, text: 'The algorithm of the signature is ES256.' },
  { code: 'unknown_key', ok: true, text: 'The key belongs to this listing.' },
  { code: 'bad_signature', ok: true, text: 'The signature is right.' },
];

/** UCP's two codes of its AP2 extension stand for C3 and for C4 to C6; the rest has no claims to look at. */
async function checkDetached(
  { token, contents }: SignedPart & { kind: 'detached' },
  { trust, checks }: { trust: CartTrust; checks: CheckView[] },
): Promise<Signature | null> {
  if (token === null) {
    const text = 'Not verified: the checkout carries no signature of the merchant.';
    checks.push({ code: 'merchant_authorization_missing', ok: false, text });
    return null;
  }
  const payload = canonicalText(contents);
  const read = await verifyJws(token, { keys: trust.keys, detached: payload });
  const code = 'merchant_authorization_invalid';
  checks.push({ code: 'merchant_authorization_missing', ok: true, text: 'The checkout is signed.' });
  checks.push({ code, ok: read.ok, text: read.ok ? 'The signature is right.' : texts[read.code] });
  if (!read.ok) return null;
  return { issuer: trust.issuer, jti: null, checkoutJwt: attachPayload(token, payload) };
}

/** C9: what was signed is the cart that stands there, of which that is the hash. */
function isSameAsSigned(signed: SignedPart, claims: JsonObject, cartHash: string): boolean {
  if (signed.kind === 'hash') return isSameHash(String(claims.cart_hash), cartHash);
  if (signed.kind === 'detached') return true;
  const { claimedHash, claimedTotal } = signed;
  if (claimedHash !== null && !isSameHash(claimedHash, cartHash)) return false;
  const totals = Array.isArray(claims.totals) ? claims.totals : [];
  const total = totals.find((entry) => isJsonObject(entry) && entry.type === 'total');
  return claimedTotal === undefined || (isJsonObject(total) && total.amount === claimedTotal);
}
