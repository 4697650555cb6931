import type { JWK } from 'jose';
import { hashText } from './digest.js';
import { type SdJwtFault, splitSdJwt, verifySdJwt } from './sd-jwt.js';
import { isJsonObject, type JsonObject, type JsonValue } from './strict-json.js';

/** Why one mandate of AP2 0.2 does not count, in the order in which it is looked at. */
export type MandateFault = SdJwtFault | 'wrong_audience' | 'mandate_expired' | 'not_one_mandate' | 'wrong_vct';

/** The two closed mandates, exactly as `vct` names them. */
export const CHECKOUT_VCT = 'mandate.checkout.1';
export const PAYMENT_VCT = 'mandate.payment.1';

export interface MandateExpectation {
  /** Keys of whoever signs mandates. */
  keys: readonly JWK[];
  vct: string;
  /** Whom it must be for; null for mandates of others, which say so nowhere. */
  audience: string | null;
  now: Date;
}

export interface VerifiedMandate {
  mandate: JsonObject;
  /** What makes it single: the `jti`, or the hash of the JWT where there is none. */
  id: string;
  reference: References;
}

/** How a receipt may refer to a mandate: over the whole token as the text says, over its JWT as AP2's SDK does. */
export interface References {
  whole: string;
  leaf: string;
}

export type MandateReading = ({ ok: true } & VerifiedMandate) | { ok: false; code: MandateFault };

/** How far clocks may differ, seconds. */
const SKEW = 60;

/**
 * Verifies a closed mandate that was signed directly, not through a chain (AP2 0.2, `docs/ap2/specification.md`). With an
 * audience the outer `exp` and `jti` must be there as well, as Parley writes them.
 */
export async function verifyMandate(token: string, expected: MandateExpectation): Promise<MandateReading> {
  const parts = splitSdJwt(token);
  if (!parts || parts.keyBinding !== null) return { ok: false, code: 'malformed_sd_jwt' };
  const read = await verifySdJwt(parts, { keys: expected.keys });
  const claims = read.ok ? read.claims : read.outer;
  if (claims) {
    const fault = faultOfClaims(claims, expected);
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

/** The one object in `delegate_payload`; null when there is none or more than one. */
export function onlyMandateOf({ delegate_payload: payload }: JsonObject): JsonObject | null {
  const [mandate] = Array.isArray(payload) && payload.length === 1 ? payload : [];
  return isJsonObject(mandate) ? mandate : null;
}

/** The key that a `cnf` claim names (RFC 7800 §3.2); null when it names none. */
export function readConfirmedKey(cnf: JsonValue | undefined): JWK | null {
  const jwk = isJsonObject(cnf) ? cnf.jwk : undefined;
  if (!isJsonObject(jwk)) return null;
  const { kty, crv, x, y } = jwk;
  const isPoint = kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string';
  return isPoint ? { kty, crv, x, y } : null;
}

/** `exp` ahead and `iat` behind, where they are given; what is given must be whole seconds. */
export function isInTime({ exp, iat }: JsonObject, now: Date, skew = SKEW): boolean {
  const seconds = now.getTime() / 1000;
  if (exp !== undefined && !(isSecond(exp) && exp > seconds)) return false;
  return iat === undefined || (isSecond(iat) && iat <= seconds + skew);
}

export function isSecond(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}

function faultOfClaims(claims: JsonObject, { audience, now }: MandateExpectation): MandateFault | null {
  if (audience !== null && claims.aud !== audience) return 'wrong_audience';
  if (!isInTime(claims, now)) return 'mandate_expired';
  if (audience === null) return null;
  return isSecond(claims.exp) && typeof claims.jti === 'string' ? null : 'mandate_expired';
}
