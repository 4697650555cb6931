import { type ReactNode, useMemo } from 'react';
import { readPaymentMandate } from '../../../lib/protocol/ap2/read-payment-mandate';
import type { JsonValue } from '../../../lib/protocol/json';
import { ChevronDownIcon } from '../../ui/icons';
import { CardFrame } from './card-frame';
import { FactList } from './fact-list';
import { formatMoney } from './format-money';
import { MarkedText } from './marked-text';

/** A payment that was agreed to, in one line; its tokens are never shown. */
export function PaymentMandateCard({ value }: { value: JsonValue }): ReactNode {
  const facts = useMemo(() => readPaymentMandate(value), [value]);
  if (!facts) {
    return (
      <CardFrame className="px-4 py-2.5" label="Payment mandate">
        Payment mandate in a form that Parley does not read. It is not verified.
      </CardFrame>
    );
  }
  const { amount, payee, orderId, method, timestamp, mandateId, signed } = facts;
  const amountText = amount.ok ? formatMoney(amount) : `${amount.written} ${amount.currency}`;
  return (
    <CardFrame label="Payment mandate">
      <details>
        <summary className="bare-summary flex min-h-11 items-center gap-2 px-4 py-2">
          <ChevronDownIcon className="chevron shrink-0" size={16} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            Payment mandate: <MarkedText text={amountText} /> to <MarkedText text={payee} />
          </span>
        </summary>
        <div className="space-y-3 border-t border-line px-4 py-3">
          <FactList
            facts={[
              { label: 'Order', value: orderId },
              { label: 'Method', value: method },
              { label: 'Time', value: timestamp ?? 'not stated' },
              { label: 'Mandate', value: mandateId },
              { label: 'Signature', value: signed ? 'present, not verified' : 'none' },
            ]}
          />
        </div>
      </details>
    </CardFrame>
  );
}
