import type Stripe from 'stripe';
import { stripe, translateErrors } from './stripe-client';

/** A dispute at a bank. Amounts are minor units. */
export interface StripeDispute {
  id: string;
  paymentId: string | null;
  currency: string;
  amount: number;
  status: string;
  reason: string;
  /** What the bank has withdrawn and not returned. */
  withdrawn: number;
  evidenceDueAt: Date | null;
  live: boolean;
  /** True once it can no longer change. */
  isOver: boolean;
  /** True while evidence can be sent, and none was. */
  needsEvidence: boolean;
}

/** The statuses that are final. */
const finalStatuses: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];

/** Retrieves a dispute. */
export async function getStripeDispute(id: string): Promise<StripeDispute> {
  return toDispute(await stripe().disputes.retrieve(id));
}

/**
 * Sends evidence to the bank, once per dispute.
 * @throws {StripeRejectedError} if the bank no longer accepts any
 */
export async function sendStripeEvidence(id: string, text: string): Promise<void> {
  const params = { evidence: { uncategorized_text: text }, submit: true };
  await translateErrors(stripe().disputes.update(id, params, { idempotencyKey: `dispute:${id}:evidence` }));
}

function toDispute(dispute: Stripe.Dispute): StripeDispute {
  const { id, payment_intent: payment, currency, amount, status, reason, livemode } = dispute;
  const { due_by: dueBy, submission_count: submitted } = dispute.evidence_details;
  // The amounts without Stripe's fees, which the platform pays.
  const balance = dispute.balance_transactions.reduce((sum, one) => sum + one.amount, 0);
  return {
    ...{ id, amount, status, reason, live: livemode },
    paymentId: typeof payment === 'string' ? payment : (payment?.id ?? null),
    currency: currency.toUpperCase(),
    withdrawn: Math.max(0, -balance),
    evidenceDueAt: dueBy === null ? null : new Date(dueBy * 1_000),
    isOver: finalStatuses.includes(status),
    needsEvidence: (status === 'needs_response' || status === 'warning_needs_response') && submitted === 0,
  };
}
