import Stripe from 'stripe';
import { z } from 'zod';
import { env } from '../../platform/env';
import { processSingleton } from '../../platform/singleton';

/** What the card processor knows of a payment. Amounts are minor units; currencies are written as ISO 4217 has them. */
export interface StripePayment {
  id: string;
  status: Stripe.PaymentIntent.Status;
  amount: number;
  capturable: number;
  received: number;
  currency: string;
  /** The order or top-up that it is for. */
  reference: string | null;
  /** When the card's bank agreed. */
  authorizedAt: Date | null;
  captureBefore: Date | null;
}

/** A page of the card processor where somebody pays. */
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

/** What a notice of the card processor says that can be used: about which of our objects there is something to ask. */
export interface StripeEvent {
  id: string;
  type: string;
  live: boolean;
  reference: string | null;
}

/** The card processor refuses for good; asking again changes nothing. */
export class StripeRejectedError extends Error {
  override readonly name = 'CardRefusal';
}

const requestTimeoutMs = 20_000;
const signatureToleranceSeconds = 300;

function stripe(): Stripe {
  return processSingleton('stripe', () => {
    const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = env();
    if (STRIPE_SECRET_KEY === undefined) throw new Error('STRIPE_SECRET_KEY is gone, and cards were charged by it');
    const base = STRIPE_API_BASE === undefined ? null : new URL(STRIPE_API_BASE);
    const host = base && {
      host: base.hostname,
      port: base.port,
      protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
    };
    return new Stripe(STRIPE_SECRET_KEY, {
      timeout: requestTimeoutMs,
      maxNetworkRetries: 1,
      telemetry: false,
      ...host,
    });
  });
}

/** What a page is opened for; the same `key` with the same rest opens one page, however often. */
export interface CheckoutSessionDraft {
  key: string;
  reference: string;
  /** What the person reads there. */
  label: string;
  amount: number;
  currency: string;
  /** Have the money held alone, to be captured later. */
  hold: boolean;
  metadata: Record<string, string>;
  returnUrl: string;
  expiresAt: Date;
}

/**
 * Opens a page where the person pays by card.
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
  if (!session.url) throw new StripeRejectedError('the card processor opened no page');
  return { id: session.id, url: session.url };
}

/** How a page stands, with its payment. */
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

/** Closes a page, so that nobody pays there any more; one that is not open stays what it is. */
export async function expireCheckoutSession(id: string): Promise<void> {
  await translateErrors(stripe().checkout.sessions.expire(id)).catch((error) => {
    if (!(error instanceof StripeRejectedError)) throw error;
  });
}

/** How a payment stands. */
export async function getPayment(id: string): Promise<StripePayment> {
  return toPayment(await stripe().paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
}

/**
 * Takes held money.
 * @throws {StripeRejectedError}
 */
export async function capturePayment(id: string, amount: number, key: string): Promise<StripePayment> {
  const captured = stripe().paymentIntents.capture(id, { amount_to_capture: amount }, { idempotencyKey: key });
  return toPayment(await translateErrors(captured));
}

/**
 * Lets go of held money.
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
 * Gives taken money back, once for each `refundId`, also when the first attempt is longer ago than keys are remembered.
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
  for await (const existing of stripe().refunds.list({ payment_intent: paymentId, limit: 100 })) {
    if (existing.metadata?.refund_id === refundId) return toRefund(existing);
  }
  const metadata = { order_id: orderId, refund_id: refundId };
  const params = { payment_intent: paymentId, amount, metadata };
  return toRefund(await translateErrors(stripe().refunds.create(params, { idempotencyKey: key })));
}

/** Why a notice does not count. */
export type WebhookError = 'signature_invalid' | 'timestamp_outside_tolerance';

/**
 * The event in a webhook delivery, null when it is none that we can use, or why the delivery is refused. `raw` is the body as
 * it came: the signature covers its bytes and must not be older than five minutes (PAY-3).
 */
export function readWebhookEvent(raw: string, signature: string, now: Date): StripeEvent | WebhookError | null {
  const { signature: verifier } = stripe().webhooks;
  if (!verifier) throw new Error('the Stripe library cannot verify signatures');
  let fault: WebhookError = 'signature_invalid';
  for (const secret of env().STRIPE_WEBHOOK_SECRET ?? []) {
    try {
      verifier.verifyHeader(raw, signature, secret, signatureToleranceSeconds, undefined, now.getTime());
      return readSignedEvent(raw);
    } catch (error) {
      // A header that is no signature makes the library throw other errors than its own.
      if (error instanceof Error && error.message.startsWith('Timestamp outside'))
        fault = 'timestamp_outside_tolerance';
    }
  }
  return fault;
}

function readSignedEvent(raw: string): StripeEvent | null {
  const parsed = signedEvent.safeParse(parseJsonOrNull(raw));
  if (!parsed.success) return null;
  const { id, type, livemode, data } = parsed.data;
  return toEvent({ id, type, livemode, metadata: data.object.metadata });
}

function parseJsonOrNull(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

const storable = z
  .string()
  .max(255)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));

/** As much of a snapshot event as is read. Thin events (`v2.core.event`) have no `data.object` and are none of these. */
const signedEvent = z.object({
  id: storable,
  type: storable,
  livemode: z.boolean(),
  data: z.object({
    object: z.looseObject({
      metadata: z.object({ order_id: storable.optional(), top_up_id: storable.optional() }).nullish().catch(null),
    }),
  }),
});

/** Notices since then, of which some may not have reached us. */
export async function* listStripeEvents(since: Date): AsyncGenerator<StripeEvent> {
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  for await (const { id, type, livemode, data } of stripe().events.list({ created, limit: 100 })) {
    yield toEvent({ id, type, livemode, metadata: 'metadata' in data.object ? data.object.metadata : null });
  }
}

interface RawEvent {
  id: string;
  type: string;
  livemode: boolean;
  metadata: { order_id?: string; top_up_id?: string } | null | undefined;
}

function toEvent({ id, type, livemode, metadata }: RawEvent): StripeEvent {
  return { id, type, live: livemode, reference: metadata?.order_id ?? metadata?.top_up_id ?? null };
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

/** Tells what is refused for good from what may go well next time, which stays as it is. */
async function translateErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
    if (!(error instanceof StripeCardError || error instanceof StripeInvalidRequestError)) throw error;
    throw new StripeRejectedError(error.code ?? error.type, { cause: error });
  }
}
