import type { ReactNode } from 'react';
import type { OrderState, OrderStepView } from '@/lib/payments/schema';
import { numbered } from '../chat/parts/numbered';
import { Moment } from '../ui/moment';

const words: Record<OrderState, string> = {
  rejected: 'The cart did not pass the checks',
  verified: 'The cart passed the checks',
  awaiting_approval: 'You looked at it',
  superseded: 'A newer cart took its place',
  expired: 'The offer expired',
  canceled: 'It was called off',
  approved: 'You approved it',
  payment_pending: 'The payment was begun',
  action_required: 'The payment provider asked for you',
  declined: 'The payment was declined',
  authorized: 'The money was held',
  mandate_delivered: 'The merchant was told',
  merchant_rejected: 'The merchant refused',
  delivery_timeout: 'The merchant did not answer in time',
  merchant_confirmed: 'The merchant confirmed',
  captured: 'The money was collected',
  partially_refunded: 'A part was refunded',
  refunded: 'It was refunded',
};

/** How an order went, step by step. */
export function OrderHistory({ steps }: { steps: OrderStepView[] }): ReactNode {
  return (
    <section aria-labelledby="history-title">
      <h2 className="text-xl font-semibold" id="history-title">
        History
      </h2>
      <ol className="mt-4 space-y-2 text-sm">
        {numbered(steps).map(({ item: { state, at }, at: place }) => (
          <li className="flex flex-wrap justify-between gap-x-6 border-b border-line pb-2" key={place}>
            <span>{words[state]}</span>
            <span className="text-muted tabular-nums">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
