import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PriceSummary } from '@/lib/catalog/schema-prices';
import { type FormatMoney, useFormatMoney } from '../payments/format-money';

/** An agent's price in a few words. What they mean is in the tooltip. */
export function PriceText({ price, className }: { price: PriceSummary; className?: string }): ReactNode {
  const t = useTranslations('market.priceText');
  const formatMoney = useFormatMoney();
  return (
    <span className={className} title={t(`means.${price.kind}`)}>
      {textOf(price, { t, formatMoney })}
    </span>
  );
}

function textOf(
  { kind, amount, currency }: PriceSummary,
  { t, formatMoney }: { t: ReturnType<typeof useTranslations<'market.priceText'>>; formatMoney: FormatMoney },
): string {
  if (kind !== 'from' || amount === null || currency === null) return t(kind === 'from' ? 'unstated' : kind);
  return t('from', { sum: formatMoney({ currency, minor: amount }, 'short') });
}
