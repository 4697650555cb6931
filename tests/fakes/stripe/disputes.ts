import type Stripe from 'stripe';
import { moveBalance, PLATFORM } from './balances';
import { invalid, objectOf, type Params, textOf } from './params';
import { found, newStripeId, type State } from './state';

const weekSeconds = 7 * 24 * 3_600;

/** The buyer disputes a payment at the bank. Nothing is withdrawn yet. */
export function openDispute(state: State, intentId: string): Stripe.Dispute {
  const intent = found(state.intents, intentId, 'payment_intent');
  const charge = found(state.charges, String(intent.latest_charge), 'charge');
  const details = {
    due_by: state.now() + weekSeconds,
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    enhanced_eligibility: {},
    submission_method: 'manual',
  };
  const dispute: Stripe.Dispute = {
    id: newStripeId('du'),
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: state.now(),
    currency: intent.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: details,
    intended_submission_method: 'manual',
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: 'product_not_received',
    status: 'needs_response',
  };
  charge.disputed = true;
  state.disputes.set(dispute.id, dispute);
  state.emit('charge.dispute.created', dispute);
  return dispute;
}

/** The bank withdraws the amount, or returns it. Stripe's fee is a part of the first movement. */
export function moveFunds(state: State, id: string, direction: 'withdrawn' | 'reinstated'): void {
  const dispute = found(state.disputes, id, 'dispute');
  const amount = direction === 'withdrawn' ? -dispute.amount : dispute.amount;
  const fee = direction === 'withdrawn' ? 2_000 : 0;
  const net = amount - fee;
  const { currency } = dispute;
  moveBalance(state, { owner: PLATFORM, currency, amount: net, type: 'adjustment', source: dispute });
  const moved = state.transactions.get(PLATFORM)?.at(-1);
  if (moved) dispute.balance_transactions.push({ ...moved, amount, fee, net });
  state.emit(`charge.dispute.funds_${direction}`, dispute);
}

/** The bank decides. */
export function closeDispute(state: State, id: string, status: 'won' | 'lost'): void {
  const dispute = found(state.disputes, id, 'dispute');
  dispute.status = status;
  state.emit('charge.dispute.closed', dispute);
}

/** Submits evidence, which is possible once. */
export function submitEvidence(state: State, dispute: Stripe.Dispute, params: Params): Stripe.Dispute {
  if (dispute.status !== 'needs_response' || dispute.evidence_details.submission_count > 0)
    throw invalid('This dispute is already closed or under review.', 'dispute_not_editable');
  const text = textOf(objectOf(params, 'evidence'), 'uncategorized_text');
  Object.assign(dispute.evidence, { uncategorized_text: text });
  if (textOf(params, 'submit') !== 'true') return dispute;
  Object.assign(dispute.evidence_details, { has_evidence: true, submission_count: 1 });
  dispute.status = 'under_review';
  state.emit('charge.dispute.updated', dispute);
  return dispute;
}
