import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type CurrencyFee, type Fees, type FeeTerms, feeFor } from '@/lib/payments/schema-income';
import { routes } from '../../routes';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { type FormatMoney, useFormatMoney } from './money';

/** Returns a function that writes a fee: "5%", "5% + €0.30", or that there is none. */
export function useFeeText(): (fee: FeeTerms, currency: string) => string {
  const t = useTranslations('payments.feeText');
  const format = useFormat();
  const formatMoney = useFormatMoney();
  return ({ basisPoints, fixed }, currency) => {
    const share = format.number(basisPoints / 10_000, { style: 'percent', maximumFractionDigits: 2 });
    if (fixed === 0) return basisPoints === 0 ? t('none') : share;
    const part = formatMoney({ currency, minor: fixed });
    return basisPoints === 0 ? part : t('both', { share, part });
  };
}

/** The amount of the example, minor units: 10.00, or 1,000 in a currency without decimals. */
const EXAMPLE = 1_000;

/**
 * What Parley keeps of each sale, with an example and the next changes. For sellers, before they set a price.
 */
export function FeeNote({ fees: { items } }: { fees: Fees }): ReactNode {
  const t = useTranslations('payments.feeNote');
  const feeText = useFeeText();
  const formatMoney = useFormatMoney();
  const groups = groupByText(items, feeText);
  return (
    <div className="space-y-1 text-sm text-muted">
      {groups.map((group) => (
        <p key={group[0].currency}>
          {t(groups.length === 1 ? 'fee' : 'feeIn', exampleOf(group, { feeText, formatMoney }))}
        </p>
      ))}
      {items.flatMap(({ currency, next }) =>
        next ? (
          <p key={currency}>
            {t.rich('next', {
              fee: feeText(next, currency),
              currency,
              day: () => <DateTime at={next.from} show="day" />,
            })}
          </p>
        ) : (
          []
        ),
      )}
      <p>
        <Link className="text-accent underline" href={routes.fees} prefetch={false}>
          {t('all')}
        </Link>
      </p>
    </div>
  );
}

type Group = [CurrencyFee, ...CurrencyFee[]];
type FeeText = ReturnType<typeof useFeeText>;

/** Groups the currencies whose fee reads the same. */
function groupByText(items: CurrencyFee[], feeText: FeeText): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const text = feeText(item.fee, item.currency);
    const group = groups.get(text);
    if (group) group.push(item);
    else groups.set(text, [item]);
  }
  return [...groups.values()];
}

function exampleOf(
  group: Group,
  { feeText, formatMoney }: { feeText: FeeText; formatMoney: FormatMoney },
): { fee: string; currencies: string; price: string; rest: string } {
  const [{ fee, currency }] = group;
  return {
    fee: feeText(fee, currency),
    currencies: group.map((item) => item.currency).join(', '),
    price: formatMoney({ currency, minor: EXAMPLE }),
    rest: formatMoney({ currency, minor: EXAMPLE - feeFor(EXAMPLE, fee) }),
  };
}
