import type { JWK } from 'jose';
import { hashText } from './digest.js';
import { type SdJwtFault, splitSdJwt, verifySdJwt } from './sd-jwt.js';
import { isJsonObject, type JsonObject, type JsonValue } from './strict-json.js';

/** Reason why a mandate of AP2 0.2 is invalid, in the order of the checks. */
export type MandateFault = SdJwtFault | 'wrong_audience' | 'mandate_expired' | 'not_one_mandate' | 'wrong_vct';

/** The `vct` of the two closed mandates. */
export const CHECKOUT_VCT = 'mandate.checkout.1';
export const PAYMENT_VCT = 'mandate.payment.1';

export interface MandateExpectation {
  /** Keys of the mandate's signer. */
  keys: readonly JWK[];
  vct: string;
  /** The required audience; null for third-party mandates, which have none. */
  audience: string | null;
  now: Date;
}

export interface VerifiedMandate {
  mandate: JsonObject;
  /** Unique id of the mandate: the `jti`, or the hash of the JWT if there is none. */
  id: string;
  reference: References;
}

/**
 * References of a receipt to a mandate: the hash of the whole token, as in the specification, or of its JWT, as in
 * AP2's SDK.
 */
export interface References {
  whole: string;
  leaf: string;
}

export type MandateReading = ({ ok: true } & VerifiedMandate) | { ok: false; code: MandateFault };

/** Maximum clock difference, seconds. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * Verifies a closed mandate that was signed directly, not through a chain (AP2 0.2, `docs/ap2/specification.md`). If an
 * audience is required, so are the outer `exp` and `jti`, which Parley sets.
 */
export async function verifyMandate(token: string, expected: MandateExpectation): Promise<MandateReading> {
  const parts = splitSdJwt(token);
  if (!parts || parts.keyBinding !== null) return { ok: false, code: 'malformed_sd_jwt' };
  const read = await verifySdJwt(parts, { keys: expected.keys });
  const claims = read.ok ? read.claims : read.outer;
  if (claims) {
    const fault = checkClaims(claims, expected);
    if (fault) return { ok: false, code: fault };
  }
  if (!read.ok) return { ok: false, code: read.code };
  const mandate = onlyMandateOf(read.claims);
  if (!mandate) return { ok: false, code: 'not_one_mandate' };
  if (!isInTime(mandate, expected.now)) return { ok: false, code: 'mandate_expired' };
  if (mandate.vct !== expected.vct) return { ok: false, code: 'wrong_vct' };
  const reference = await referencesOf(token);
  return { ok: true, mandate, id: typeof claims?.jti === 'string' ? claims.jti : reference.leaf, reference };
}

export async function referencesOf(token: string): Promise<References> {
  const leaf = token.split('~~').at(-1)?.split('~')[0] ?? token;
  return { whole: await hashText(token), leaf: await hashText(leaf) };
}

/** Returns the single object in `delegate_payload`; null for none or several. */
export function onlyMandateOf({ delegate_payload: payload }: JsonObject): JsonObject | null {
  const [mandate] = Array.isArray(payload) && payload.length === 1 ? payload : [];
  return isJsonObject(mandate) ? mandate : null;
}

/** Reads the key of a `cnf` claim (RFC 7800 §3.2); null if there is none. */
export function readConfirmedKey(cnf: JsonValue | undefined): JWK | null {
  const jwk = isJsonObject(cnf) ? cnf.jwk : undefined;
  if (!isJsonObject(jwk)) return null;
  const { kty, crv, x, y } = jwk;
  const isPoint = kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string';
  return isPoint ? { kty, crv, x, y } : null;
}

/** Checks `exp` and `iat` if present; both must be whole seconds. */
export function isInTime({ exp, iat }: JsonObject, now: Date, skew = CLOCK_SKEW_SECONDS): boolean {
  const seconds = now.getTime() / 1000;
  if (exp !== undefined && !(isSecond(exp) && exp > seconds)) return false;
  return iat === undefined || (isSecond(iat) && iat <= seconds + skew);
}

export function isSecond(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}

function checkClaims(claims: JsonObject, { audience, now }: MandateExpectation): MandateFault | null {
  if (audience !== null && claims.aud !== audience) return 'wrong_audience';
  if (!isInTime(claims, now)) return 'mandate_expired';
  if (audience === null) return null;
  return isSecond(claims.exp) && typeof claims.jti === 'string' ? null : 'mandate_expired';
}
