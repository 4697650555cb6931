'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import type { Ap2Object } from '../../../../lib/protocol/ap2/detect-ap2-object';
import { useFormatMoney } from '../../../payments/offers/money';
import { OrderWord, phaseOf } from '../../../payments/offers/order-phase';
import { type PartRef, useOrdersOfTask } from '../../../payments/offers/use-orders';
import { orderPath } from '../../../routes';
import { DateTime } from '../../../ui/display/date-time';
import { ChevronDownIcon } from '../../../ui/display/icons';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { CardFrame } from '../card-frame';
import { JsonCard } from '../json-card';
import { CartCard } from './cart-card';
import { AddressCard, ChallengeCard, IntentCard, MethodDataCard, X402Card } from './payment-data-cards';
import { ReceiptCard } from './receipt-card';

export interface Ap2CardProps extends Ap2Object {
  partRef: PartRef | null;
  agentName: string;
  onReply?: (text: string) => void;
}

/** AP2 objects, each kind on its own card. One chunk, because a cart is soon followed by the other kinds. */
export function Ap2Card({ kind, value, partRef, agentName, onReply }: Ap2CardProps): ReactNode {
  switch (kind) {
    case 'cart':
      if (!partRef) return <JsonCard value={value} />;
      return <CartCard agentName={agentName} onReply={onReply} partRef={partRef} value={value} />;
    case 'payment-mandate':
      return <PaymentMandateCard taskId={partRef?.taskId ?? null} />;
    case 'receipt':
      return <ReceiptCard taskId={partRef?.taskId ?? null} value={value} />;
    case 'intent':
      return <IntentCard value={value} />;
    case 'method-data':
      return <MethodDataCard value={value} />;
    case 'address':
      return <AddressCard value={value} />;
    case 'challenge':
      return <ChallengeCard value={value} />;
    case 'x402':
      return <X402Card value={value} />;
  }
}

/** A payment that was sent to the agent, in one line, derived from its order. Its tokens are never displayed. */
export function PaymentMandateCard({ taskId }: { taskId: string | null }): ReactNode {
  const t = useTranslations('parts.paymentMandateCard');
  const formatMoney = useFormatMoney();
  const order = useOrdersOfTask(taskId)?.find(({ approval }) => approval !== null);
  if (!order) {
    return (
      <CardFrame className="px-4 py-2.5" label={t('label')}>
        {t('noPayment')}
      </CardFrame>
    );
  }
  return (
    <CardFrame label={t('label')}>
      <details>
        <summary className="bare-summary flex min-h-11 items-center gap-2 px-4 py-2">
          <ChevronDownIcon className="chevron shrink-0" size={16} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {order.offer ? t(textKeyOf(order), { amount: formatMoney(order.offer.total) }) : t('sentUnknown')}
          </span>
        </summary>
        <dl className="grid gap-x-4 gap-y-1.5 border-t border-line px-4 py-3 sm:grid-cols-[8rem_1fr]">
          <dt className="text-muted">{t('paidTo')}</dt>
          <dd>
            <UntrustedText text={order.offer?.merchantName ?? order.agent.name} />
          </dd>
          <dt className="text-muted">{t('approved')}</dt>
          <dd>{order.approval ? <DateTime at={order.approval.at} /> : null}</dd>
          <dt className="text-muted">{t('order')}</dt>
          <dd>
            <Link className="text-link" href={orderPath(order.id)} prefetch={false}>
              {order.id}
            </Link>
            , <OrderWord order={order} />
          </dd>
        </dl>
      </details>
    </CardFrame>
  );
}

/** Returns the key of the text. Only a charged order is called paid. */
function textKeyOf(order: OrderView): 'paid' | 'processing' | 'notPaid' {
  const phase = phaseOf(order);
  if (phase === 'paid') return 'paid';
  return phase === 'processing' || phase === 'action' ? 'processing' : 'notPaid';
}
