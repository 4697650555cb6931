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

function textOf(
  { kind, amount, currency, unit: name, per }: PriceSummary,
  { t, formatMoney, unitClass }: Texts,
): ReactNode {
  if ((kind !== 'from' && kind !== 'plan') || amount === null || currency === null)
    return t(kind === 'from' || kind === 'plan' ? 'unstated' : kind);
  const sum = formatMoney({ currency, minor: amount }, 'short');
  const unit = (chunks: ReactNode): ReactNode => <span className={unitClass}>{chunks}</span>;
  if (kind === 'from') return t.rich('from', { sum, unit });
  if (name === 'task' || name === 'message') return t.rich(`plan.${name}`, { sum, unit });
  return t.rich('plan.unit', { sum, unit, name: name ?? '', per: per ?? 1 });
}
