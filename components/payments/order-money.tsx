import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { DateTime } from '../ui/display/date-time';
import { Fact, FactList, Literal } from '../ui/display/fact-list';
import { useFormatMoney } from './format-money';

const approvedTexts = {
  passkey: 'approvedPasskey',
  session: 'approvedSession',
  token: 'approvedToken',
  standing: 'approvedStanding',
} as const;

/** Amounts, payment method and date, with the ids to quote. */
export function OrderMoney({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.orderMoney');
  const formatMoney = useFormatMoney();
  const { payment, approval, offer, merchantOrderId } = order;
  const currency = offer?.total.currency ?? '';
  return (
    <FactList>
      <Fact name={t('order')}>
        <Literal>{order.id}</Literal>
      </Fact>
      {merchantOrderId ? (
        <Fact name={t('atMerchant')}>
          <Literal>{merchantOrderId}</Literal>
        </Fact>
      ) : null}
      {payment ? (
        <>
          <Fact name={t('paidBy')}>
            {payment.test ? t('withTestCredits', { method: t(payment.method) }) : t(payment.method)}
          </Fact>
          <Fact name={t('held')}>{formatMoney({ currency, minor: payment.authorized })}</Fact>
          <Fact name={t('paid')}>{formatMoney({ currency, minor: payment.captured })}</Fact>
          {payment.refunded > 0 ? (
            <Fact name={t('refunded')}>{formatMoney({ currency, minor: payment.refunded })}</Fact>
          ) : null}
        </>
      ) : null}
      {approval ? (
        <Fact name={t('approved')}>
          {t.rich(approvedTexts[approval.method], {
            moment: () => <DateTime at={approval.at} />,
          })}
        </Fact>
      ) : null}
      {offer && offer.address.length > 0 ? <Fact name={t('goesTo')}>{offer.address.join(', ')}</Fact> : null}
      <Fact name={t('begun')}>
        <DateTime at={order.createdAt} />
      </Fact>
    </FactList>
  );
}
