import { createPayer } from '../../identity';
import { consume } from '../../limits';
import { NO_PRINCIPAL } from '../../platform/context';
import { networkOf } from '../../platform/http-client/client-address';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import {
  PAYMENT_RESPONSE_HEADER,
  type PaymentPayload,
  readPayment,
  writeHeader,
} from '../../protocol/x402/x402-messages';
import { X402_PAYER_MS } from '../limits';
import { QUOTE_LIMIT, X402_PAYMENT_LIMIT } from '../rate-limits';
import type { X402Admission, X402Send } from '../schema-plans';
import { findPaymentOfQuote, insertX402Payment, type X402PaymentRecord } from '../store/x402/x402-payments';
import { verifyPayment } from './facilitator';
import { authorizationHashOf, isAcceptedAsOffered, type Quote, quoteIn, requirementsOf } from './quotes';
import { settleX402 } from './settle-x402';
import {
  alreadyPaidFor,
  facilitatorAway,
  paymentUnclear,
  settlementInProgress,
  settlementOf,
  x402Required,
} from './x402-errors';

/**
 * Limits the calls of a network without a token, whose bodies are read and hashed.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitCallers(address: string, now: Date): Promise<void> {
  await consume(QUOTE_LIMIT, networkOf(address), now);
}

/**
 * Admits a send that its caller pays by x402: verifies and settles the payment before any work. The same payment for
 * the same request always returns the same admission and is taken once, whatever is repeated, lost or killed in between.
 * @throws {ParleyError} `payment_required` with the requirements of this request, also for a payment that is not accepted;
 *   `unavailable` if the facilitator is away; `idempotency_in_flight`, `conflict`, `rate_limited`
 */
export async function payByX402(send: X402Send): Promise<X402Admission> {
  const { payment: header, reason = 'The header PAYMENT-SIGNATURE is required.' } = send;
  // Callers without a token were limited before their body was read.
  if (send.principal !== NO_PRINCIPAL) await limitCallers(send.address, send.now);
  if (header === null) throw x402Required(send, { reason });
  const payload = readPayment(header);
  if (typeof payload === 'string') throw x402Required(send, { reason: `PAYMENT-SIGNATURE: ${payload}.` });
  const quote = quoteIn(payload.accepted);
  const fault = quote ? faultIn(quote, payload, send) : 'its requirements were not issued by this site';
  if (!quote || fault) throw x402Required(send, { reason: `PAYMENT-SIGNATURE: ${fault}.` });
  const known = await findPaymentOfQuote(quote.id);
  const payment = known ?? (await verifyAndStore(send, quote, payload));
  if (payment.authorizationHash !== authorizationHashOf(payload)) throw alreadyPaidFor();
  return admit(send, payment);
}

/** Returns why a payment is not for this request, or not as offered; null if it is. */
function faultIn(quote: Quote, { accepted }: PaymentPayload, send: X402Send): string | null {
  const { agentId, digest, principal } = quote;
  if (agentId !== send.agent.id || digest !== send.digest)
    return 'it is for another request; a payment is bound to the agent, the method and the parameters';
  if (principal !== send.principal) return 'it is for a request with another token';
  return isAcceptedAsOffered(accepted, quote) ? null : '"accepted" differs from the requirements that were offered';
}

async function verifyAndStore(send: X402Send, quote: Quote, payload: PaymentPayload): Promise<X402PaymentRecord> {
  const { address, now, principal } = send;
  if (quote.expires * 1_000 < now.getTime())
    throw x402Required(send, { reason: 'PAYMENT-SIGNATURE: its requirements have expired.' });
  await consume(X402_PAYMENT_LIMIT, networkOf(address), now);
  const requirements = requirementsOf(quote);
  const verified = await verifyPayment({ payload, requirements });
  if (verified.kind === 'away') throw facilitatorAway(verified.reason, false);
  if (verified.kind === 'invalid') {
    // Another request with this payment may have been settled meanwhile, which uses the authorization.
    const settled = await findPaymentOfQuote(quote.id);
    if (settled) return settled;
    throw x402Required(send, { reason: `The payment is not valid: ${verified.reason}.` });
  }
  failpoint('x402.verified');
  const { X402_ASSET_CODE: currency, X402_TEST: test } = env();
  const expiresAt = new Date(now.getTime() + X402_PAYER_MS);
  const stored = await insertX402Payment({
    ...{ id: newId('xpm'), quoteId: quote.id, authorizationHash: authorizationHashOf(payload) },
    principal: principal || (await createPayer({ address, expiresAt, now })),
    ...{ agentId: quote.agentId, plan: quote.plan, currency, test, amount: quote.plan.amount },
    ...{ network: requirements.network, payer: verified.payer, requirements, payload, createdAt: now },
  });
  if (!stored) throw x402Required(send, { reason: 'PAYMENT-SIGNATURE: it was used for another request.' });
  failpoint('x402.stored');
  return stored;
}

async function admit(send: X402Send, payment: X402PaymentRecord): Promise<X402Admission> {
  const found = payment.state === 'settled' ? payment : await settle(send, payment);
  return {
    principal: found.principal,
    sendKey: found.id,
    headers: { [PAYMENT_RESPONSE_HEADER]: writeHeader(settlementOf(found)) },
  };
}

async function settle(send: X402Send, { id }: X402PaymentRecord): Promise<X402PaymentRecord> {
  const result = await settleX402(id, new Date());
  if (result.kind === 'busy') throw settlementInProgress();
  if (result.kind === 'away') throw facilitatorAway(result.reason, result.mayBePaid);
  const { payment } = result;
  if (payment.state === 'settled') return payment;
  if (payment.state === 'unclear') throw paymentUnclear(payment);
  const reason = `The payment was not taken: ${payment.reason ?? 'no reason was given'}.`;
  throw x402Required(send, { reason, settlement: settlementOf(payment) });
}
