import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { Fact, FactList, Literal } from '../console/fact-list';
import { Moment } from '../ui/moment';
import { formatMoney } from './format-money';

const methods = { wallet: 'Wallet', card: 'Card' } as const;

/** What was paid, how and when, with the numbers to quote. */
export function OrderMoney({ order }: { order: OrderView }): ReactNode {
  const { payment, approval, offer, merchantOrderId } = order;
  const currency = offer?.total.currency ?? '';
  return (
    <FactList>
      <Fact name="Order">
        <Literal>{order.id}</Literal>
      </Fact>
      {merchantOrderId ? (
        <Fact name="At the merchant">
          <Literal>{merchantOrderId}</Literal>
        </Fact>
      ) : null}
      {payment ? (
        <>
          <Fact name="Paid by">
            {methods[payment.method]}
            {payment.test ? ', with test credits: no real money moved' : null}
          </Fact>
          <Fact name="Held">{formatMoney({ currency, minor: payment.authorized })}</Fact>
          <Fact name="Paid">{formatMoney({ currency, minor: payment.captured })}</Fact>
          {payment.refunded > 0 ? (
            <Fact name="Refunded">{formatMoney({ currency, minor: payment.refunded })}</Fact>
          ) : null}
        </>
      ) : null}
      {approval ? (
        <Fact name="Approved">
          <Moment at={approval.at} />, {approval.method === 'passkey' ? 'with a passkey' : 'while signed in'}
        </Fact>
      ) : null}
      {offer && offer.address.length > 0 ? <Fact name="Goes to">{offer.address.join(', ')}</Fact> : null}
      <Fact name="Begun">
        <Moment at={order.createdAt} />
      </Fact>
    </FactList>
  );
}
