import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PriceSummary } from '@/lib/catalog/schema-prices';
import { type FormatMoney, useFormatMoney } from '../../payments/offers/money';

export interface PriceTextProps {
  price: PriceSummary;
  className?: string;
  /** Hides the unit on phones. */
  compact?: boolean;
}

/** An agent's price in a few words. The tooltip explains them. */
export function PriceText({ price, className, compact = false }: PriceTextProps): ReactNode {
  const t = useTranslations('market.priceText');
  const formatMoney = useFormatMoney();
  return (
    <span className={className} title={t(`means.${price.kind}`)}>
      {textOf(price, { t, formatMoney, unitClass: compact ? 'max-sm:hidden' : undefined })}
    </span>
  );
}

interface Texts {
  t: ReturnType<typeof useTranslations<'market.priceText'>>;
  formatMoney: FormatMoney;
  unitClass: string | undefined;
}

function textOf({ kind, amount, currency }: PriceSummary, { t, formatMoney, unitClass }: Texts): ReactNode {
  if (kind !== 'from' || amount === null || currency === null) return t(kind === 'from' ? 'unstated' : kind);
  const sum = formatMoney({ currency, minor: amount }, 'short');
  return t.rich('from', { sum, unit: (chunks) => <span className={unitClass}>{chunks}</span> });
}
