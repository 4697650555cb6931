import type { MerchantView } from '../schema';
import type { Merchant } from '../store/merchants';

export function toMerchantView({ signing, issuer, jwksUrl, keys }: Merchant, now: Date): MerchantView {
  const live = keys.filter(({ retiresAt }) => retiresAt === null || retiresAt > now);
  return {
    signing,
    issuer,
    jwksUrl,
    keys: live.map(({ kid, createdAt, retiresAt }) => ({
      kid,
      createdAt: createdAt.toISOString(),
      retiresAt: retiresAt?.toISOString() ?? null,
    })),
  };
}
