'use client';

import type { ReactNode } from 'react';
import type { OrderView, RefundView } from '@/lib/payments/schema';
import { FormProblem } from '../account/form-problem';
import { type Faults, useForm } from '../account/use-form';
import { Alert, type AlertTone } from '../ui/alert';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { formatMoney } from './format-money';

export interface RefundRequestProps {
  order: OrderView;
  onChange: () => void;
}

const states: Record<RefundView['state'], { tone: AlertTone; title: string }> = {
  requested: { tone: 'info', title: 'You asked for a refund' },
  approved: { tone: 'good', title: 'The refund is on its way' },
  refused: { tone: 'warn', title: 'The merchant refused the refund' },
  paid: { tone: 'good', title: 'The refund is paid' },
  failed: { tone: 'danger', title: 'The refund did not go through' },
};

/** Asks for the money back, and tells what became of it. */
export function RefundRequest({ order, onChange }: RefundRequestProps): ReactNode {
  const { refund, payment, offer, state } = order;
  const left = (payment?.captured ?? 0) - (payment?.refunded ?? 0);
  const isOpen = refund?.state === 'requested' || refund?.state === 'approved';
  const mayAsk = left > 0 && state !== 'refunded' && !isOpen;
  return (
    <section aria-labelledby="refund-title" className="print:hidden">
      <h2 className="text-xl font-semibold" id="refund-title">
        Refund
      </h2>
      <div className="mt-4 max-w-lg space-y-5">
        {refund && offer ? (
          <Alert title={states[refund.state].title} tone={states[refund.state].tone}>
            {formatMoney({ currency: offer.total.currency, minor: refund.amount })}. You wrote: {refund.reason}
          </Alert>
        ) : null}
        {mayAsk ? <RefundForm onChange={onChange} order={order} /> : null}
        {!refund && left === 0 ? <p className="text-sm text-muted">Everything has been refunded.</p> : null}
      </div>
    </section>
  );
}

function RefundForm({ order, onChange }: RefundRequestProps): ReactNode {
  const { form, pending, problem, faults } = useForm({
    path: `/api/orders/${encodeURIComponent(order.id)}/refund`,
    check: ({ reason }): Faults =>
      reason?.trim() ? {} : { reason: 'Tell the merchant why you want your money back.' },
    toBody: ({ reason }) => ({ reason }),
    onDone() {
      onChange();
      toast({ tone: 'good', text: 'The merchant is asked for a refund.' });
      return 'staying';
    },
  });
  return (
    <form {...form} className="space-y-4">
      <FormProblem problem={problem} />
      <Field
        error={faults.reason}
        hint="The merchant reads it and decides. You see the answer here."
        id="refund-reason"
        label="Why you want your money back"
        required
      >
        {(control) => <Input {...control} autoComplete="off" maxLength={500} name="reason" />}
      </Field>
      <Button pending={pending} type="submit">
        Ask for a refund
      </Button>
    </form>
  );
}
