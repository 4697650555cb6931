import { readFileSync } from 'node:fs';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { StripeDouble } from '../../fakes/stripe/stripe-double';
import { signatureOf } from '../../fakes/stripe/webhook-sender';

// The double is trusted because Stripe's own SDK accepts it.

let double: StripeDouble;
let stripe: Stripe;

beforeAll(async () => {
  double = await StripeDouble.start();
  const { hostname: host, port } = new URL(double.url);
  stripe = new Stripe('sk_test_of_the_double', {
    host,
    port,
    protocol: 'http',
    maxNetworkRetries: 1,
    telemetry: false,
  });
});

afterAll(() => double.stop());

const sellerAccount: Stripe.V2.Core.AccountCreateParams = {
  contact_email: 'pizzeria@example.com',
  dashboard: 'express',
  defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
};
const manual = { amount: 1_898, currency: 'eur', capture_method: 'manual', confirm: true } as const;

function hold(card = 'pm_card_visa'): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({ ...manual, payment_method: card });
}

function session(extra: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> {
  const price = { currency: 'eur', unit_amount: 1_898, product_data: { name: 'Pizza' } };
  return stripe.checkout.sessions.create({
    mode: 'payment',
    ui_mode: 'hosted_page',
    client_reference_id: 'ord_1',
    line_items: [{ quantity: 1, price_data: price }],
    payment_intent_data: { capture_method: 'manual', metadata: { order_id: 'ord_1' } },
    success_url: 'https://parley.test/done',
    cancel_url: 'https://parley.test/back',
    ...extra,
  });
}

async function refusal(asked: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error(`expected a refusal of Stripe, found ${String(error)}`);
}

function press(path: string, form: Record<string, string>): Promise<Response> {
  return fetch(`${double.url}${path}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

describe('a call to the Stripe double', () => {
  it('PAY-4 with one key is executed once, and returns the first response', async () => {
    const params = { amount: 500, currency: 'eur' };
    const first = await stripe.paymentIntents.create(params, { idempotencyKey: 'once' });
    const second = await stripe.paymentIntents.create(params, { idempotencyKey: 'once' });
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    const other = await refusal(stripe.paymentIntents.create({ ...params, amount: 501 }, { idempotencyKey: 'once' }));
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('is retried by the SDK, even if the response is lost, and executed once', async () => {
    const before = double.state.intents.size;
    double.failNext(/payment_intents$/, 'lost');
    const made = await stripe.paymentIntents.create({ amount: 600, currency: 'eur' });
    expect(double.state.intents.size).toBe(before + 1);
    expect(double.state.intents.has(made.id)).toBe(true);
    double.failNext(/payment_intents$/, 'refused', 2);
    expect(await refusal(stripe.paymentIntents.create({ amount: 700, currency: 'eur' }))).toMatchObject({
      statusCode: 500,
    });
  });

  it('is rejected with an error object if Stripe does not have the parameter or the route', async () => {
    const unknown = await refusal(
      stripe.rawRequest('POST', '/v1/payment_intents', { amount: 1, currency: 'eur', color: 'red' }),
    );
    expect(unknown).toMatchObject({ statusCode: 400, code: 'parameter_unknown' });
    expect(await refusal(stripe.rawRequest('GET', '/v1/nonsense'))).toMatchObject({ statusCode: 404 });
    expect(await refusal(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({ code: 'resource_missing' });
  });
});

describe('a payment in the Stripe double', () => {
  it('is authorized, captured in part or whole, and canceled', async () => {
    const held = await hold();
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 1_898, amount_received: 0 });
    const part = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 1_000 });
    expect(part).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 1_000 });
    const twice = await refusal(stripe.paymentIntents.capture(held.id));
    expect(twice).toMatchObject({ code: 'payment_intent_unexpected_state' });
    const other = await stripe.paymentIntents.cancel((await hold()).id);
    expect(other.status).toBe('canceled');
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ])('with %s is declined', async (card, declineCode) => {
    const error = await refusal(hold(card));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({
      code: 'card_declined',
      decline_code: declineCode,
      payment_intent: { amount: 1_898 },
    });
  });

  it.each([
    ['pm_card_threeDSecureRequired', 'requires_action'],
    ['pm_card_processing', 'processing'],
  ])('with %s waits in %s', async (card, status) => {
    expect((await hold(card)).status).toBe(status);
  });

  it('with a card whose capture fails is authorized but not captured', async () => {
    const { id } = await hold('pm_card_captureFails');
    expect(await refusal(stripe.paymentIntents.capture(id))).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_capture');
  });

  it('expires if it is not captured in time', async () => {
    const { id } = await hold();
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    const before = typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : undefined;
    expect(before).toBeGreaterThan(double.state.now());
    double.state.advance(8 * 24 * 3_600_000);
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('canceled');
  });

  it('is refunded in parts with its transfers, up to the captured amount', async () => {
    const { id } = await hold();
    await stripe.paymentIntents.capture(id);
    const account = await stripe.v2.core.accounts.create(sellerAccount);
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id);
    const transfer = await stripe.transfers.create({
      amount: 1_800,
      currency: 'eur',
      destination: account.id,
      source_transaction: String(charge),
    });
    const part = await stripe.refunds.create({ payment_intent: id, amount: 898, reverse_transfer: true });
    expect(part.status).toBe('succeeded');
    expect(double.state.transfers.get(transfer.id)?.amount_reversed).toBe(898);
    expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: 1_001 }))).toMatchObject({
      statusCode: 400,
    });
    await stripe.refunds.create({ payment_intent: id });
    expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(2);
    const again = await refusal(stripe.refunds.create({ payment_intent: id }));
    expect(again).toMatchObject({ code: 'charge_already_refunded' });
  });
});

describe('a hosted payment page', () => {
  it('accepts a card and redirects back', async () => {
    const { id, url } = await session();
    expect(await (await fetch(url ?? '')).text()).toContain('18.98 EUR');
    const paid = await press(`/pay/${id}`, { card: 'pm_card_visa' });
    expect(paid.headers.get('location')).toBe('https://parley.test/done');
    const done = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
    expect(done).toMatchObject({
      status: 'complete',
      payment_intent: {
        status: 'requires_capture',
        metadata: { order_id: 'ord_1' },
        latest_charge: { object: 'charge', amount: 1_898 },
      },
    });
  });

  it('stays open after a decline, and shows the bank’s page where required', async () => {
    const { id } = await session();
    const declined = await press(`/pay/${id}`, { card: 'pm_card_visa_chargeDeclined' });
    expect(await declined.text()).toContain('Your card was declined.');
    const asked = await press(`/pay/${id}`, { card: 'pm_card_threeDSecureRequired' });
    expect(asked.headers.get('location')).toBe(`/pay/${id}/3ds`);
    expect(await (await press(`/pay/${id}/3ds`, { answer: 'no' })).text()).toContain('Your card was declined.');
    await press(`/pay/${id}`, { card: 'pm_card_threeDSecureRequired' });
    const agreed = await press(`/pay/${id}/3ds`, { answer: 'yes' });
    expect(agreed.headers.get('location')).toBe('https://parley.test/done');
  });

  it('closes on request and when it expires', async () => {
    const { id } = await session();
    expect((await stripe.checkout.sessions.expire(id)).status).toBe('expired');
    expect(await refusal(stripe.checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 });
    expect(await (await press(`/pay/${id}`, { card: 'pm_card_visa' })).text()).toContain('closed');
    const other = await session({ expires_at: double.state.now() + 1_800 });
    double.state.advance(1_801_000);
    expect((await stripe.checkout.sessions.retrieve(other.id)).status).toBe('expired');
    const short = session({ expires_at: double.state.now() + 60 });
    expect(await refusal(short)).toMatchObject({ statusCode: 400, param: 'expires_at' });
  });
});

test('the event list returns the newest events first, page by page', async () => {
  await hold();
  await hold();
  const types: string[] = [];
  for await (const event of stripe.events.list({ limit: 2, created: { gte: 0 } })) types.push(event.type);
  expect(types.length).toBe(double.state.events.length);
  expect(types.slice(0, 2)).toEqual(['payment_intent.amount_capturable_updated', 'payment_intent.created']);
});

describe('PAY-3 a webhook signature', () => {
  const vectors = JSON.parse(readFileSync('tests/fixtures/ap2/vectors/stripe-webhook.json', 'utf8'));

  it('equals the signature that Stripe creates', () => {
    const [{ body, header }] = vectors.cases;
    expect(signatureOf(body, vectors.secret, vectors.received_at)).toBe(header);
  });

  it('is accepted by the SDK', () => {
    const body = JSON.stringify(double.state.events[0]);
    const at = double.state.now();
    const header = signatureOf(body, double.webhooks.secret, at);
    const { webhooks } = stripe;
    expect(webhooks.constructEvent(body, header, double.webhooks.secret, 300, undefined, at).object).toBe('event');
  });
});
