import { KEY_CLOCK_SKEW_MS, KEY_PUBLISH_LEAD_MS, KEY_ROTATION_MS } from '../limits';

/** The times of a signing key that rotation depends on. */
export interface KeyTimes {
  signsFrom: Date;
  retiresAt: Date | null;
}

/** True while verifiers must accept a key, which is the time during which the JWKS contains it. */
export function isPublished(key: KeyTimes, now: Date): boolean {
  return key.retiresAt === null || key.retiresAt > now;
}

/** The key that signs at `now`: the newest one that has started to sign. */
export function pickSigner<Key extends KeyTimes>(keys: Key[], now: Date): Key | null {
  const ready = keys.filter((key) => key.signsFrom <= now && isPublished(key, now));
  return ready.reduce<Key | null>((best, key) => (best && best.signsFrom > key.signsFrom ? best : key), null);
}

/** True when no key signs now, or the newest one is 30 days old. */
export function needsNewKey(keys: KeyTimes[], now: Date): boolean {
  if (!pickSigner(keys, now)) return true;
  return keys.every((key) => key.signsFrom.getTime() + KEY_ROTATION_MS <= now.getTime());
}

/**
 * The times at which a new key starts to sign and at which its predecessors retire. They retire `retentionMs` later, so
 * that all their signatures can be verified until expiry.
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
 * The change to the remaining keys after a removal; null when none is needed. There is always a signing key, which has
 * no retirement date until its successor is scheduled.
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
