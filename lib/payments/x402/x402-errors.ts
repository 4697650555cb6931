import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { toMoneyText } from '../../protocol/ap2/money';
import {
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  type PaymentRequired,
  type Settlement,
  writeHeader,
} from '../../protocol/x402/x402-messages';
import { X402_RETRY_AFTER_SECONDS } from '../limits';
import type { X402Send } from '../schema-plans';
import type { X402PaymentRecord } from '../store/x402/x402-payments';
import { newQuote, payablePlan, requirementsOf } from './quotes';

/** Why a send was not admitted: none was paid, or the payment that was sent is not accepted. */
interface Refusal {
  /** For the caller, in English. */
  reason: string;
  /** The result of a settlement that failed. */
  settlement?: Settlement;
}

/**
 * Returns the error 402 with the requirements of this request. Every refusal has new ones, so that a client can always pay
 * for the request that it sent.
 */
export function x402Required(send: X402Send, { reason, settlement }: Refusal): ParleyError {
  const { agent, principal, messageId, digest, url, now } = send;
  const plan = payablePlan(agent.pricePlans);
  const approveUrl = `${env().APP_URL}/agents/${agent.slug}/pay`;
  if (!plan) return notAccepted(agent.name, { reason, approveUrl });
  const requirements = requirementsOf(newQuote({ agentId: agent.id, plan, messageId, digest, principal }, now));
  const { currency, amount, kind } = plan;
  const { X402_ASSET_CODE } = env();
  const price = `${agent.name} costs ${toMoneyText({ currency, minor: amount })} per ${kind}, paid in ${X402_ASSET_CODE}`;
  const required: PaymentRequired = {
    x402Version: 2,
    error: reason,
    resource: { url, description: `${price}; for this request only`, mimeType: 'application/json' },
    accepts: [requirements],
  };
  const text = `${price}. ${reason} Pay by x402 as the header PAYMENT-REQUIRED says, or sign in and approve the price at ${approveUrl}.`;
  return new ParleyError('payment_required', text, {
    data: { cause: 'x402', amount, currency, kind, approveUrl },
    headers: {
      [PAYMENT_REQUIRED_HEADER]: writeHeader(required),
      ...(settlement && { [PAYMENT_RESPONSE_HEADER]: writeHeader(settlement) }),
    },
  });
}

/** The error for a caller with a token of an earlier payment, if the agent or the site accepts no other one. */
function notAccepted(name: string, { reason, approveUrl }: { reason: string; approveUrl: string }): ParleyError {
  const text = `${name} no longer accepts payments by x402. ${reason} Sign in and approve the price at ${approveUrl}.`;
  return new ParleyError('payment_required', text, { data: { cause: 'x402', approveUrl }, headers: {} });
}

/** Returns the result of a payment, as `PAYMENT-RESPONSE`. */
export function settlementOf({ state, settlement, network, payer, reason }: X402PaymentRecord): Settlement {
  const success = state === 'settled';
  const result = { success, transaction: (success && settlement) || '', network, payer };
  return success ? result : { ...result, errorReason: reason ?? state };
}

/** The error if the facilitator gave no answer, so that nobody knows yet whether the payment can be or was taken. */
export function facilitatorAway(reason: string, mayBePaid: boolean): ParleyError {
  const advice = mayBePaid
    ? 'The payment may have been taken. Repeat the same request with the same PAYMENT-SIGNATURE; it is never taken twice.'
    : 'Nothing was paid. Repeat the same request with the same PAYMENT-SIGNATURE.';
  return new ParleyError('unavailable', `The payment could not be settled: ${reason}. ${advice}`, {
    retryAfter: X402_RETRY_AFTER_SECONDS,
  });
}

/** The error while another request settles the same payment. */
export function settlementInProgress(): ParleyError {
  const text =
    'Another request with this payment is being settled. Repeat the same request with the same PAYMENT-SIGNATURE.';
  return new ParleyError('idempotency_in_flight', text, { retryAfter: X402_RETRY_AFTER_SECONDS, headers: {} });
}

/** The error for a payment of which nobody knows whether it was taken. */
export function paymentUnclear({ id }: Pick<X402PaymentRecord, 'id'>): ParleyError {
  const text = `The facilitator does not say whether this payment was taken. Do not pay again: the operator examines it, and refunds it if it was taken. Payment: ${id}.`;
  return new ParleyError('conflict', text, { data: { payment: id }, headers: {} });
}

/** The error for a second payment for one answer 402. Nothing of it is taken. */
export function alreadyPaidFor(): ParleyError {
  const text =
    'Another payment was sent for this answer 402, so this one is not taken. Repeat the request with the first one, or without PAYMENT-SIGNATURE for a new answer.';
  return new ParleyError('conflict', text, { headers: {} });
}
