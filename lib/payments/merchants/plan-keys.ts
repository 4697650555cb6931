import type { MerchantJwk } from './read-merchant-key';

/** A pinned key: it counts until `retiresAt`. */
export interface PinnedKey {
  kid: string;
  jwk: MerchantJwk;
  createdAt: Date;
  retiresAt: Date | null;
}

/**
 * What the pinned keys are once `wanted` takes their place: those that are left out go on counting for `overlapMs`, or until
 * they would have ended anyway. A key that is pinned is never replaced by another under its name while it counts.
 */
export function planKeys(
  pinned: PinnedKey[],
  wanted: MerchantJwk[],
  { now, overlapMs }: { now: Date; overlapMs: number },
): PinnedKey[] {
  const ends = new Date(now.getTime() + overlapMs);
  const remaining = pinned
    .filter(({ retiresAt }) => retiresAt === null || retiresAt > now)
    .map((key) => (wanted.some((jwk) => isSame(jwk, key.jwk)) ? { ...key, retiresAt: null } : retire(key, ends)))
    .filter(({ retiresAt }) => retiresAt === null || retiresAt > now);
  const added = wanted.filter(({ kid }) => !remaining.some((key) => key.kid === kid));
  return [...remaining, ...added.map((jwk) => ({ kid: jwk.kid, jwk, createdAt: now, retiresAt: null }))];
}

/** Those of `wanted` whose name another pinned key has, which still counts. */
export function conflictingKids(planned: PinnedKey[], wanted: MerchantJwk[]): string[] {
  return wanted.filter((jwk) => !planned.some((key) => isSame(jwk, key.jwk))).map(({ kid }) => kid);
}

function retire(key: PinnedKey, ends: Date): PinnedKey {
  return key.retiresAt !== null && key.retiresAt < ends ? key : { ...key, retiresAt: ends };
}

function isSame(a: MerchantJwk, b: MerchantJwk): boolean {
  return a.kid === b.kid && a.x === b.x && a.y === b.y;
}
