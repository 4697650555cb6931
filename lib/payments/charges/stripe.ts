import type Stripe from 'stripe';
import { STRIPE_PAGE_SIZE, STRIPE_SIGNATURE_TOLERANCE_SECONDS } from '../limits';
import { StripeRejectedError, stripe, translateErrors } from './stripe-client';

/** A PaymentIntent. Amounts are minor units; currencies are ISO 4217 codes in upper case. */
export interface StripePayment {
  id: string;
  status: Stripe.PaymentIntent.Status;
  amount: number;
  capturable: number;
  received: number;
  currency: string;
  /** The id of its order or top-up. */
  reference: string | null;
  /** The time at which the issuing bank authorized the charge. */
  authorizedAt: Date | null;
  captureBefore: Date | null;
}

/** A Stripe Checkout Session with its payment. */
export interface CheckoutSession {
  id: string;
  status: 'open' | 'complete' | 'expired';
  url: string | null;
  live: boolean;
  amount: number;
  currency: string;
  reference: string | null;
  paid: boolean;
  payment: StripePayment | null;
}

/** The members of a Stripe event that Parley uses. */
export interface StripeEvent {
  id: string;
  type: string;
  live: boolean;
  /** The id of the order or top-up to retrieve. */
  reference: string | null;
  /** The id of the payout to retrieve. */
  payoutId: string | null;
  /** The connected account that the event concerns. */
  accountId: string | null;
  /** A dispute at a bank. */
  disputeId: string | null;
}

/** The parameters of a Checkout Session. Repeated calls with the same parameters create one session. */
export interface CheckoutSessionDraft {
  /** Idempotency key. */
  key: string;
  reference: string;
  /** The line item on the page. */
  label: string;
  amount: number;
  currency: string;
  /** True to only authorize the payment, for a later capture. */
  hold: boolean;
  metadata: Record<string, string>;
  returnUrl: string;
  expiresAt: Date;
}

/**
 * Creates a Checkout Session, a page where the user pays by card.
 * @throws {StripeRejectedError}
 */
export async function createCheckoutSession(draft: CheckoutSessionDraft): Promise<{ id: string; url: string }> {
  const { key, reference, label, amount, currency, hold, metadata, returnUrl, expiresAt } = draft;
  const price = { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: label } };
  const session = await translateErrors(
    stripe().checkout.sessions.create(
      {
        mode: 'payment',
        ui_mode: 'hosted_page',
        client_reference_id: reference,
        line_items: [{ quantity: 1, price_data: price }],
        payment_intent_data: { metadata, ...(hold && { capture_method: 'manual' }) },
        metadata,
        success_url: returnUrl,
        cancel_url: returnUrl,
        expires_at: Math.floor(expiresAt.getTime() / 1_000),
      },
      { idempotencyKey: key },
    ),
  );
  if (!session.url) throw new StripeRejectedError('no_page', 'the card processor opened no page');
  return { id: session.id, url: session.url };
}

/** Retrieves a Checkout Session with its payment. */
export async function getCheckoutSession(id: string): Promise<CheckoutSession> {
  const session = await stripe().checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
  const { payment_intent: intent } = session;
  return {
    id: session.id,
    status: toSessionStatus(session.status),
    url: session.url,
    live: session.livemode,
    amount: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
    reference: session.client_reference_id,
    paid: session.payment_status === 'paid',
    payment: intent === null || typeof intent === 'string' ? null : toPayment(intent),
  };
}

/** Expires an open Checkout Session. Does nothing for others. */
export async function expireCheckoutSession(id: string): Promise<void> {
  await translateErrors(stripe().checkout.sessions.expire(id)).catch((error) => {
    if (!(error instanceof StripeRejectedError)) throw error;
  });
}

/** Retrieves a PaymentIntent. */
export async function getPayment(id: string): Promise<StripePayment> {
  return toPayment(await stripe().paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
}

/**
 * Captures a hold.
 * @throws {StripeRejectedError}
 */
export async function capturePayment(id: string, amount: number, key: string): Promise<StripePayment> {
  const captured = stripe().paymentIntents.capture(id, { amount_to_capture: amount }, { idempotencyKey: key });
  return toPayment(await translateErrors(captured));
}

/**
 * Releases a hold.
 * @throws {StripeRejectedError}
 */
export async function cancelPayment(id: string, key: string): Promise<void> {
  await translateErrors(stripe().paymentIntents.cancel(id, {}, { idempotencyKey: key }));
}

export interface StripeRefund {
  id: string;
  status: 'succeeded' | 'pending' | 'failed';
}

/**
 * Refunds a payment once per `refundId`, even after Stripe has deleted the idempotency key.
 * @throws {StripeRejectedError}
 */
export async function refundPayment(refund: {
  paymentId: string;
  amount: number;
  orderId: string;
  refundId: string;
  key: string;
}): Promise<StripeRefund> {
  const { paymentId, amount, orderId, refundId, key } = refund;
  for await (const existing of stripe().refunds.list({ payment_intent: paymentId, limit: STRIPE_PAGE_SIZE })) {
    if (existing.metadata?.refund_id === refundId) return toRefund(existing);
  }
  const metadata = { order_id: orderId, refund_id: refundId };
  const params = { payment_intent: paymentId, amount, metadata };
  return toRefund(await translateErrors(stripe().refunds.create(params, { idempotencyKey: key })));
}

/** Reasons why a webhook delivery is rejected. */
export type WebhookError = 'signature_invalid' | 'timestamp_outside_tolerance';

/**
 * Verifies the age of a webhook delivery, and that one of the secrets signed it. Returns the error; null if it is
 * valid.
 */
export function verifyStripeSignature(
  { raw, signature, secrets }: { raw: string; signature: string; secrets: string[] },
  now: Date,
): WebhookError | null {
  const { signature: verifier } = stripe().webhooks;
  if (!verifier) throw new Error('the Stripe library cannot verify signatures');
  let found: WebhookError = 'signature_invalid';
  for (const secret of secrets) {
    try {
      verifier.verifyHeader(raw, signature, secret, STRIPE_SIGNATURE_TOLERANCE_SECONDS, undefined, now.getTime());
      return isFromFuture(signature, now) ? 'timestamp_outside_tolerance' : null;
    } catch (error) {
      // For a malformed header, the library throws errors of classes that it does not export.
      if (error instanceof Error && error.message.startsWith('Timestamp outside'))
        found = 'timestamp_outside_tolerance';
    }
  }
  return found;
}

/** Returns true for a signature from the future. The library checks only that a signature is not too old. */
function isFromFuture(signature: string, now: Date): boolean {
  const seconds = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
  return seconds > now.getTime() / 1_000 + STRIPE_SIGNATURE_TOLERANCE_SECONDS;
}

/** Yields all events since the given time, including those whose webhook delivery failed. */
export async function* listStripeEvents(since: Date): AsyncGenerator<StripeEvent> {
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  for await (const { id, type, livemode, account, data } of stripe().events.list({
    created,
    limit: STRIPE_PAGE_SIZE,
  })) {
    const metadata = 'metadata' in data.object ? data.object.metadata : null;
    const disputeId = data.object.object === 'dispute' ? data.object.id : undefined;
    yield toStripeEvent({ id, type, livemode, account, metadata, disputeId });
  }
}

/** The members of an event that Parley reads, as sent. */
export interface RawEvent {
  id: string;
  type: string;
  livemode: boolean;
  /** The connected account of an event about its objects. */
  account?: string | undefined;
  metadata?: { order_id?: string; top_up_id?: string; payout_id?: string } | null | undefined;
  /** The object of the event, if it is an account. */
  subject?: string | undefined;
  /** The object of the event, if it is a dispute at a bank. */
  disputeId?: string | undefined;
}

/** Returns the members of a raw event that Parley uses. */
export function toStripeEvent({ id, type, livemode, account, metadata, subject, disputeId }: RawEvent): StripeEvent {
  return {
    id,
    type,
    live: livemode,
    reference: metadata?.order_id ?? metadata?.top_up_id ?? null,
    payoutId: metadata?.payout_id ?? null,
    accountId: subject ?? account ?? null,
    disputeId: disputeId ?? null,
  };
}

function toPayment(intent: Stripe.PaymentIntent): StripePayment {
  const { id, status, amount, amount_capturable: capturable, amount_received: received, currency, metadata } = intent;
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  return {
    id,
    status,
    amount,
    capturable,
    received,
    currency: currency.toUpperCase(),
    reference: metadata.order_id ?? metadata.top_up_id ?? null,
    authorizedAt: toDate(charge?.created),
    captureBefore: toDate(charge?.payment_method_details?.card?.capture_before),
  };
}

function toSessionStatus(status: string | null): CheckoutSession['status'] {
  return status === 'complete' || status === 'expired' ? status : 'open';
}

function toRefund({ id, status }: Stripe.Refund): StripeRefund {
  if (status === 'succeeded') return { id, status };
  return { id, status: status === 'failed' || status === 'canceled' ? 'failed' : 'pending' };
}

function toDate(seconds: number | undefined): Date | null {
  return seconds === undefined ? null : new Date(seconds * 1_000);
}
