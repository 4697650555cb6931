'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { RefundDecision as Decision, RefundView, SaleView } from '@/lib/payments/schema';
import { toDecimalText } from '../../lib/protocol/ap2/money';
import { callApi } from '../account/call-api';
import { formatMoney, parseMoney } from '../payments/format-money';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

const states: Record<RefundView['state'], string> = {
  requested: 'Asked for',
  approved: 'On its way',
  refused: 'Refused',
  paid: 'Paid back',
  failed: 'Failed',
};

/** What became of a refund, and what the seller can still decide: give money back, or refuse what was asked for. */
export function RefundDecision({ sale }: { sale: SaleView }): ReactNode {
  const { refund, currency } = sale;
  const left = sale.gross - sale.refunded;
  const canGive = (sale.state === 'captured' || sale.state === 'partially_refunded') && left > 0;
  return (
    <div className="space-y-2">
      {refund ? (
        <p className="[overflow-wrap:anywhere]">
          {states[refund.state]}: {formatMoney({ currency, minor: refund.amount })}
          <span className="block text-muted">“{refund.reason}”</span>
        </p>
      ) : null}
      {canGive && refund?.state !== 'approved' ? <DecideDialog left={left} sale={sale} /> : null}
      {!refund && !canGive ? <span className="text-muted">none</span> : null}
    </div>
  );
}

function DecideDialog({ sale, left }: { sale: SaleView; left: number }): ReactNode {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState<'give' | 'refuse' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { currency, refund } = sale;
  const asked = refund?.state === 'requested';
  const [amount, setAmount] = useState(toDecimalText({ currency, minor: asked ? refund.amount : left }));
  const minor = parseMoney(amount, currency);
  const isValid = minor !== null && minor > 0 && minor <= left;

  async function decide(decision: Decision): Promise<void> {
    setBusy(decision.give ? 'give' : 'refuse');
    setProblem(null);
    const answer = await callApi('POST', `/api/sales/${encodeURIComponent(sale.id)}/refund`, decision);
    setBusy(null);
    if (!answer.ok) return setProblem(answer.problem.title);
    setOpen(false);
    toast({ tone: 'good', text: decision.give ? 'The refund is on its way.' : 'The refund is refused.' });
    router.refresh();
  }

  return (
    <Dialog
      description={
        asked
          ? 'The buyer asked for their money back. They see what you decide.'
          : 'You give money back of your own accord.'
      }
      footer={
        <>
          {asked ? (
            <Button onClick={() => void decide({ give: false })} pending={busy === 'refuse'}>
              Refuse
            </Button>
          ) : null}
          <Button
            disabled={!isValid}
            onClick={() => void decide({ give: true, amount: minor ?? 0 })}
            pending={busy === 'give'}
            tone="primary"
          >
            Refund {isValid ? formatMoney({ currency, minor }) : null}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title="Refund"
      trigger={<Button size="sm">{asked ? 'Decide' : 'Refund'}</Button>}
    >
      <div className="space-y-4 text-sm">
        {problem ? (
          <Alert live="assertive" tone="danger">
            {problem}
          </Alert>
        ) : null}
        {asked ? <p>They wrote: “{refund.reason}”</p> : null}
        <Field
          error={isValid ? null : `Enter an amount up to ${formatMoney({ currency, minor: left })}.`}
          id={`refund-${sale.id}`}
          label={`Amount in ${currency}`}
          required
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              inputMode="decimal"
              onChange={(event) => setAmount(event.target.value)}
              value={amount}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
