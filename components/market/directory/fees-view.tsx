import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type CurrencyFee, type Fees, feeFor } from '@/lib/payments/schema-income';
import { useFeeText } from '../../payments/offers/fee-text';
import { useFormatMoney } from '../../payments/offers/money';
import { routes } from '../../routes';
import { PageHeader } from '../../shell/page-header';
import { LinkButton } from '../../ui/controls/button';
import { DateTime } from '../../ui/display/date-time';
import { Table } from '../../ui/display/table';

/** The amount of the example, minor units: 10.00, or 1,000 in a currency without decimals. */
const EXAMPLE = 1_000;

/** What Parley keeps of each sale, by currency, with the next changes. */
export function FeesView({ fees: { items, others, noticeDays } }: { fees: Fees }): ReactNode {
  const t = useTranslations('market.feesView');
  const feeText = useFeeText();
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader
        actions={<LinkButton href={routes.sellingDocs}>{t('docs')}</LinkButton>}
        lead={t('lead')}
        title={t('title')}
      />
      <Table caption={t('caption')} cards>
        <thead>
          <tr>
            <th scope="col">{t('currency')}</th>
            <th scope="col">{t('fee')}</th>
            <th scope="col">{t('example')}</th>
            <th scope="col">{t('next')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <FeeRow fee={item} key={item.currency} />
          ))}
        </tbody>
      </Table>
      <div className="mt-6 max-w-prose space-y-2 text-muted">
        <p>{t('others', { fee: feeText(others, 'EUR') })}</p>
        <p>{t('notice', { days: noticeDays })}</p>
      </div>
    </div>
  );
}

function FeeRow({ fee: { currency, fee, next } }: { fee: CurrencyFee }): ReactNode {
  const t = useTranslations('market.feesView');
  const feeText = useFeeText();
  const formatMoney = useFormatMoney();
  return (
    <tr>
      <th scope="row">{currency}</th>
      <td data-label={t('fee')}>{feeText(fee, currency)}</td>
      <td data-label={t('example')}>
        <span>
          {t('exampleText', {
            price: formatMoney({ currency, minor: EXAMPLE }),
            rest: formatMoney({ currency, minor: EXAMPLE - feeFor(EXAMPLE, fee) }),
          })}
        </span>
      </td>
      <td data-label={t('next')}>
        <span>
          {next
            ? t.rich('change', { fee: feeText(next, currency), day: () => <DateTime at={next.from} show="day" /> })
            : t('noChange')}
        </span>
      </td>
    </tr>
  );
}
