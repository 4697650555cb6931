import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PriceSummary } from '@/lib/catalog/schema-prices';
import { formatMoney } from '../payments/format-money';

/** An agent's price in a few words. What they mean is in the tooltip. */
export function PriceText({ price, className }: { price: PriceSummary; className?: string }): ReactNode {
  const t = useTranslations('market.priceText');
  return (
    <span className={className} title={t(`means.${price.kind}`)}>
      {textOf(price, t)}
    </span>
  );
}

function textOf(
  { kind, amount, currency }: PriceSummary,
  t: ReturnType<typeof useTranslations<'market.priceText'>>,
): string {
  if (kind !== 'from' || amount === null || currency === null) return t(kind === 'from' ? 'unstated' : kind);
  return t('from', { sum: formatMoney({ currency, minor: amount }).replace(/\.0+(?!\d)/, '') });
}
