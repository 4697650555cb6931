import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Approve, OrderView, ReviewView } from '@/lib/payments/schema';
import { type ApiProblem, callApi, callApiOnce } from '../account/call-api';
import { signWithPasskey } from './ask-passkey';

export type PayMethod = Approve['method'];

/** Where the payment of an order stands, from the first look to what came of it. */
export type PaymentStep =
  | { kind: 'loading' }
  | { kind: 'failed'; problem: ApiProblem }
  | { kind: 'review'; review: ReviewView; busy: 'passkey' | 'paying' | 'declining' | null; problem: string | null }
  | { kind: 'result'; order: OrderView };

export interface Payment {
  step: PaymentStep;
  /** Reads again what there is to approve. */
  review: () => void;
  /** Approves what was reviewed. Pressing twice is pressing once. */
  approve: (method: PayMethod, how: { withPasskey: boolean }) => void;
  decline: () => void;
}

/**
 * The payment of one order. The approval's id is the idempotency key: whatever is sent for it, it is paid once. `onChange`
 * hears of every new state of the order.
 */
export function usePayment(orderId: string, onChange: (order: OrderView) => void): Payment {
  const t = useTranslations('payments.askPasskey');
  const [step, setStep] = useState<PaymentStep>({ kind: 'loading' });
  const path = `/api/orders/${encodeURIComponent(orderId)}`;
  const atWork = useRef(false);

  const review = useCallback(
    async (problem: string | null = null): Promise<void> => {
      const answer = await callApi('POST', `${path}/review`, {});
      if (!answer.ok) setStep({ kind: 'failed', problem: answer.problem });
      else setStep({ kind: 'review', review: answer.body as ReviewView, busy: null, problem });
    },
    [path],
  );
  useEffect(() => void review(), [review]);

  function finish(order: OrderView): void {
    setStep({ kind: 'result', order });
    onChange(order);
  }

  async function approve(method: PayMethod, { withPasskey }: { withPasskey: boolean }): Promise<void> {
    if (step.kind !== 'review') return;
    const { approval, approvalId, passkey } = step.review;
    const body: Approve = { approvalId, amount: approval.amount, currency: approval.currency, method };
    if (withPasskey && passkey) {
      setStep({ ...step, busy: 'passkey', problem: null });
      const signed = await signWithPasskey(passkey);
      if (!signed.ok) return setStep({ ...step, busy: null, problem: t(signed.reason) });
      body.assertion = { ...signed.made, clientExtensionResults: {} };
    }
    setStep({ ...step, busy: 'paying', problem: null });
    const answer = await callApiOnce(approvalId, `${path}/approve`, body);
    if (answer.ok) return finish(answer.body as OrderView);
    // Nobody knows whether it arrived: the same button asks again with the same key.
    if (answer.problem.code === 'unreachable') return setStep({ ...step, busy: null, problem: answer.problem.title });
    // An approval counts once, so the next try is a new one.
    return review(answer.problem.title);
  }

  async function decline(): Promise<void> {
    if (step.kind !== 'review') return;
    setStep({ ...step, busy: 'declining', problem: null });
    const answer = await callApi('POST', `${path}/decline`, {});
    if (answer.ok) finish(answer.body as OrderView);
    else setStep({ ...step, busy: null, problem: answer.problem.title });
  }

  /** Until one is done, a second press does nothing. */
  function once(work: () => Promise<void>): void {
    if (atWork.current) return;
    atWork.current = true;
    void work().finally(() => {
      atWork.current = false;
    });
  }

  return {
    step,
    review: () => once(() => review()),
    approve: (method, how) => once(() => approve(method, how)),
    decline: () => once(decline),
  };
}
