import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sha256 } from '../../platform/secrets/crypto';
import { CLOCK_SKEW_SECONDS } from '../../protocol/limits';
import type { SigningJwk } from '../../protocol/oauth/jwt';
import {
  AGENT_TOKEN_TTL_SECONDS,
  CARD_KEY_RETENTION_MS,
  KEY_CLOCK_SKEW_MS,
  KEY_PUBLISH_LEAD_MS,
  KEY_ROTATION_MS,
  PAYMENT_KEY_RETENTION_MS,
} from '../limits';
import type { KeyPurpose } from '../store/signing-keys';

const generate = promisify(generateKeyPair);

export const KEY_PURPOSES: readonly KeyPurpose[] = ['token', 'card', 'ap2'];

interface KeySpec {
  /** Prefix of the `kid`. */
  prefix: string;
  alg: SigningJwk['alg'];
  /**
   * Time for which a replaced key stays published, milliseconds. It is the maximum time for which its signatures are
   * verified.
   */
  retentionMs: number;
  make: () => Promise<{ publicJwk: SigningJwk; privateKey: KeyObject }>;
}

/** The algorithm and retention of each purpose. */
export const keySpecs: Record<KeyPurpose, KeySpec> = {
  // A node whose clock is behind signs with the old key for longer, so that its tokens expire later.
  token: {
    prefix: 'tok',
    alg: 'RS256',
    retentionMs: (AGENT_TOKEN_TTL_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000,
    make: makeTokenKey,
  },
  card: { prefix: 'card', alg: 'ES256', retentionMs: CARD_KEY_RETENTION_MS, make: () => makeEcKey('card') },
  ap2: { prefix: 'ap2', alg: 'ES256', retentionMs: PAYMENT_KEY_RETENTION_MS, make: () => makeEcKey('ap2') },
};

/** Returns the purpose in a `kid`; null if the `kid` is not that of a key of ours. */
export function purposeOf(kid: string): KeyPurpose | null {
  return KEY_PURPOSES.find((purpose) => kid.startsWith(`${keySpecs[purpose].prefix}-`)) ?? null;
}

async function makeTokenKey(): ReturnType<KeySpec['make']> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const kid = kidOf('token', { e, kty: 'RSA', n });
  return { publicJwk: { kty: 'RSA', kid, alg: 'RS256', use: 'sig', n, e }, privateKey };
}

async function makeEcKey(purpose: KeyPurpose): ReturnType<KeySpec['make']> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const kid = kidOf(purpose, { crv: 'P-256', kty: 'EC', x, y });
  return { publicJwk: { kty: 'EC', kid, alg: 'ES256', use: 'sig', crv: 'P-256', x, y }, privateKey };
}

/**
 * Derives a `kid` from the RFC 7638 thumbprint (members in this order). The same key therefore always has the same
 * `kid`.
 */
function kidOf(purpose: KeyPurpose, thumbprintMembers: object): string {
  return `${keySpecs[purpose].prefix}-${sha256(JSON.stringify(thumbprintMembers)).slice(0, 24)}`;
}

/** The times of a signing key on which rotation depends. */
export interface KeyTimes {
  signsFrom: Date;
  retiresAt: Date | null;
}

/** Returns true while verifiers must accept a key, which is as long as the JWKS contains it. */
export function isPublished(key: KeyTimes, now: Date): boolean {
  return key.retiresAt === null || key.retiresAt > now;
}

/** Returns the key that signs at `now`: the newest one whose signing period has started; null if there is none. */
export function pickSigner<Key extends KeyTimes>(keys: Key[], now: Date): Key | null {
  const ready = keys.filter((key) => key.signsFrom <= now && isPublished(key, now));
  return ready.reduce<Key | null>((best, key) => (best && best.signsFrom > key.signsFrom ? best : key), null);
}

/** Returns true if no key can sign now, or if the newest one is 30 days old. */
export function needsNewKey(keys: KeyTimes[], now: Date): boolean {
  if (!pickSigner(keys, now)) return true;
  return keys.every((key) => key.signsFrom.getTime() + KEY_ROTATION_MS <= now.getTime());
}

/**
 * Returns the time at which a new key starts to sign, and the time at which its predecessors retire: `retentionMs`
 * later, so that all their signatures can be verified until they expire.
 */
export function scheduleKey(
  keys: KeyTimes[],
  now: Date,
  retentionMs: number,
): { signsFrom: Date; othersRetireAt: Date } {
  const isFirst = pickSigner(keys, now) === null;
  const signsFrom = new Date(now.getTime() + (isFirst ? -KEY_CLOCK_SKEW_MS : KEY_PUBLISH_LEAD_MS));
  return { signsFrom, othersRetireAt: new Date(signsFrom.getTime() + retentionMs) };
}

/**
 * Returns the change to the remaining keys after a removal; null if none is needed. There is always a signing key,
 * which has no retirement date until its successor is scheduled.
 */
export function planAfterRemoval<Key extends KeyTimes & { kid: string }>(
  remaining: Key[],
  now: Date,
): { kid: string; signsFrom: Date; retiresAt: Date | null } | null {
  const signer = pickSigner(remaining, now);
  const [next] = remaining
    .filter((key) => key.signsFrom > now)
    .sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
  if (!signer) return next ? { kid: next.kid, signsFrom: now, retiresAt: next.retiresAt } : null;
  if (next || signer.retiresAt === null) return null;
  return { kid: signer.kid, signsFrom: signer.signsFrom, retiresAt: null };
}
