import type { JsonObject, JsonValue } from '@parley/agent/ap2';
import type { CheckView } from './offer';

interface ClaimTrust {
  issuer: string;
  subject: string | null;
  audience: string;
  now: Date;
}

/** Seconds that the merchant's clock may be ahead. */
const CLOCK_SKEW_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 3_600;

/** C7 and C8: whose signature it is, for whom, and for how long; up to the first that fails. */
export function checkClaims(
  claims: JsonObject,
  { trust, required }: { trust: ClaimTrust; required: string[] },
): CheckView[] {
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
    return { code, ok: false, text: 'The cart was signed for another listing.' };
  }
  return { code, ok: true, text: 'The signature is that of this merchant.' };
}

function checkAudience({ aud }: JsonObject, { audience }: ClaimTrust): CheckView {
  const code = 'wrong_audience';
  const ok = aud === undefined || aud === audience || (Array.isArray(aud) && aud.includes(audience));
  return { code, ok, text: ok ? 'The cart is for us.' : 'The cart was signed for another marketplace.' };
}

function checkPresence(claims: JsonObject, required: string[]): CheckView {
  const code = 'missing_claim';
  const names = ['iss', 'sub', 'aud', 'jti', ...required];
  const missing = [...names.filter((name) => !isPresent(claims[name])), ...missingTimes(claims)];
  if (missing.length > 0) return { code, ok: false, text: `The signature does not say ${missing.join(', ')}.` };
  return { code, ok: true, text: 'The signature says all that it must.' };
}

function isPresent(value: JsonValue | undefined): boolean {
  return (typeof value === 'string' && value !== '') || (Array.isArray(value) && value.length > 0);
}

function missingTimes(claims: JsonObject): string[] {
  return ['iat', 'exp'].filter((name) => !Number.isSafeInteger(claims[name]));
}

function checkExpiry({ exp }: JsonObject, now: Date): CheckView {
  const ok = Number(exp) * 1000 > now.getTime();
  const text = ok ? 'The signature has not expired.' : 'The signature has expired. Ask the agent for a new cart.';
  return { code: 'signature_expired', ok, text };
}

function checkLifetime({ iat, exp, nbf }: JsonObject, now: Date): CheckView {
  const code = 'signature_lifetime';
  const latest = now.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  if (Number(iat) > latest || (nbf !== undefined && !(Number(nbf) <= latest))) {
    return { code, ok: false, text: 'The signature is dated in the future.' };
  }
  const ok = Number(exp) - Number(iat) <= MAX_LIFETIME_SECONDS;
  return { code, ok, text: ok ? 'The signature is of short life.' : 'The signature lives longer than an hour.' };
}
