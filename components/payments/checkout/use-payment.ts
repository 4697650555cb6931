import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import type { Approve, ReviewView } from '@/lib/payments/schema-approvals';
import { signWithPasskey } from '../../forms/ask-passkey';
import { type ApiProblem, callApi, callApiOnce } from '../../forms/call-api';

export type PayMethod = Approve['method'];

/** The steps of a payment, from the review to the result. */
export type PaymentStep =
  | { kind: 'loading' }
  | { kind: 'failed'; problem: ApiProblem }
  | { kind: 'review'; review: ReviewView; busy: 'passkey' | 'paying' | 'declining' | null; problem: string | null }
  | { kind: 'result'; order: OrderView };

export interface Payment {
  step: PaymentStep;
  /** Reloads the review. */
  review: () => void;
  /** Approves the reviewed order. A second press has no further effect. */
  approve: (method: PayMethod, how: { withPasskey: boolean }) => void;
  decline: () => void;
}

/**
 * Returns the payment of one order. The approval's id is the idempotency key, so that the order is paid at most once.
 * `onChange` is called with every new state of the order.
 */
export function usePayment(orderId: string, onChange: (order: OrderView) => void): Payment {
  const t = useTranslations('payments.askPasskey');
  const [step, setStep] = useState<PaymentStep>({ kind: 'loading' });
  const path = `/api/orders/${encodeURIComponent(orderId)}`;
  const atWork = useRef(false);

  const review = useCallback(
    async (problem: string | null = null): Promise<void> => {
      const response = await callApi('POST', `${path}/review`, {});
      if (!response.ok) setStep({ kind: 'failed', problem: response.problem });
      else setStep({ kind: 'review', review: response.body as ReviewView, busy: null, problem });
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
    const response = await callApiOnce(approvalId, `${path}/approve`, body);
    if (response.ok) return finish(response.body as OrderView);
    // The outcome is unknown, so the same button retries with the same key.
    if (response.problem.code === 'unreachable')
      return setStep({ ...step, busy: null, problem: response.problem.title });
    // An approval is valid once, so the next attempt requires a new one.
    return review(response.problem.title);
  }

  async function decline(): Promise<void> {
    if (step.kind !== 'review') return;
    setStep({ ...step, busy: 'declining', problem: null });
    const response = await callApi('POST', `${path}/decline`, {});
    if (response.ok) finish(response.body as OrderView);
    else setStep({ ...step, busy: null, problem: response.problem.title });
  }

  /** Ignores a second press until the first has finished. */
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
