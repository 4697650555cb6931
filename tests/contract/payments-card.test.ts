import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderView, SaleView, TopUpView, WalletView } from '@/lib/payments/schema';
import { enqueueRetrieval, enqueueStaleOrders } from '@/lib/payments/store/outbox';
import { newId } from '@/lib/platform/ids';
import { returnRefund } from '../fakes/stripe/refunds';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { signatureOf } from '../fakes/stripe/webhook-sender';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, type Person, send, testPassword } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import {
  approve,
  ask,
  type OwnPaymentsFixture,
  offerOf,
  orderOf,
  reaches,
  review,
  startPaymentsFixture,
} from './payments-fixture';

let stripe: StripeDouble;
let fixture: OwnPaymentsFixture;
let client: ChatClient;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  fixture = await startPaymentsFixture(stripe.env);
  client = new ChatClient(fixture.url, await createPerson(fixture.url, 'Cara'));
});

afterAll(async () => {
  await fixture?.close();
  await stripe?.stop();
});

beforeEach(() => {
  stripe.notify(fixture.url);
  fixture.merchant.onMandate = 'confirm';
});

afterEach(() => {
  Object.assign(stripe.webhooks.delivery, { times: 1, dropped: false, held: false });
});

const noticesSql = `SELECT item.event->'source'->>'origin' AS origin FROM task t
  JOIN task_event e ON e.task_id = t.id, json_array_elements(e.payload) AS item(event) WHERE t.principal = $1`;

/** An order whose buyer is on the payment processor's page. */
async function atThePage(): Promise<OrderView> {
  const order = await offerOf(fixture, { client });
  const reviewed = await review(client, order.id);
  const approved = await approve(client, reviewed.body, { body: { method: 'card' } });
  expect(approved.status, JSON.stringify(approved.body)).toBe(200);
  return reaches(client, order.id, 'action_required');
}

/** Clicks the page's button with that card; returns the redirect. */
async function payBy(card: string, { redirectUrl }: Pick<OrderView, 'redirectUrl'>): Promise<string | null> {
  const form = { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' as const };
  return (await fetch(redirectUrl ?? '', form)).headers.get('location');
}

/** State of an order's payment at Stripe. */
function intentsOf({ id }: { id: string }): { status: string; received: number }[] {
  const all = [...stripe.state.intents.values()].filter(({ metadata }) => metadata.order_id === id);
  return all.map(({ status, amount_received: received }) => ({ status, received }));
}

function refundsOf({ id }: { id: string }): { id: string; amount: number }[] {
  return [...stripe.state.refunds.values()].filter(({ metadata }) => metadata?.order_id === id);
}

/** Refunds this much as the seller, and waits until it is settled. */
async function giveBack({ id }: { id: string }, amount: number): Promise<void> {
  const bearer = fixture.seller.accessToken;
  const response = await send(`${fixture.url}/api/sales/${id}/refund`, { bearer, body: { give: true, amount } });
  expect(response.status).toBe(200);
  await waitFor(async () => (await orderOf(client, id)).refund?.state === 'paid', { what: 'the refund to be paid' });
}

/** The money in the seller's list. */
async function saleOf({ id }: { id: string }): Promise<object> {
  const sales = await send(`${fixture.url}/api/sales`, { bearer: fixture.seller.accessToken });
  const { items } = (await sales.json()) as { items: SaleView[] };
  const sale = items.find((one) => one.id === id);
  if (!sale) throw new Error('no such sale');
  const { gross, fee, refunded, net } = sale;
  return { gross, fee, refunded, net };
}

/** An order's ledger entries, by account. */
function balancesOf({ id }: { id: string }): Promise<object[]> {
  return query(
    'test-balances',
    `SELECT a.kind, a.owner, sum(e.amount)::text AS amount FROM ledger_entry e
     JOIN ledger_transaction t ON t.id = e.transaction_id JOIN ledger_account a ON a.id = e.account_id
     WHERE t.order_id = $1 GROUP BY 1, 2 HAVING sum(e.amount) <> 0 ORDER BY 1, 2`,
    [id],
  );
}

function callsOf(path: RegExp, { id }: { id: string }): string[] {
  return stripe.calls.flatMap((call) => (path.test(call.path) && call.key?.includes(id) ? [call.key] : []));
}

describe('an order paid by card', () => {
  test('PAY-4 is authorized on the page and captured after confirmation, with a new key for every call', async () => {
    const order = await atThePage();
    expect(order.redirectUrl).toContain(stripe.url);
    expect(await payBy('pm_card_visa', order)).toBe(`${fixture.url}/chat/${order.conversationId}?order=${order.id}`);
    const done = await reaches(client, order.id, 'captured');
    expect(done).toMatchObject({
      payment: { method: 'card', test: true, authorized: 1_898, captured: 1_898 },
      redirectUrl: null,
    });
    expect(intentsOf(order)).toEqual([{ status: 'succeeded', received: 1_898 }]);
    expect(new Set(callsOf(/./, order))).toEqual(new Set([`order:${order.id}:pi:1`, `order:${order.id}:capture`]));
    const sent = stripe.calls.map(({ params }) => JSON.stringify(params)).join();
    for (const trace of [client.person.email, client.person.userId]) expect(sent).not.toContain(trace);
  });

  test('uses 3-D Secure where required, and accepts another card after a decline', async () => {
    const order = await atThePage();
    expect(await payBy('pm_card_visa_chargeDeclined', order)).toBeNull();
    expect((await orderOf(client, order.id)).state).toBe('action_required');
    expect(await payBy('pm_card_threeDSecureRequired', order)).toMatch(/\/3ds$/);
    const form = { method: 'POST', body: new URLSearchParams({ answer: 'yes' }), redirect: 'manual' as const };
    await fetch(`${order.redirectUrl}/3ds`, form);
    await reaches(client, order.id, 'captured');
  });

  test('is released if the merchant rejects it, and ended if the capture fails', async () => {
    fixture.merchant.onMandate = 'refuse';
    const refused = await atThePage();
    await payBy('pm_card_visa', refused);
    await reaches(client, refused.id, 'merchant_rejected');
    await waitFor(() => intentsOf(refused)[0]?.status === 'canceled', { what: 'the hold to be released' });
    fixture.merchant.onMandate = 'confirm';
    const failing = await atThePage();
    await payBy('pm_card_captureFails', failing);
    expect(await reaches(client, failing.id, 'canceled')).toMatchObject({ code: 'capture_failed' });
    await waitFor(() => intentsOf(failing)[0]?.status === 'canceled', { what: 'the hold to be released' });
  });

  test('is refunded to the card once, even if Stripe’s first response is lost', async () => {
    const order = await atThePage();
    await payBy('pm_card_visa', order);
    await reaches(client, order.id, 'captured');
    stripe.failNext(/POST \/v1\/refunds/, 'lost', 2);
    const bearer = fixture.seller.accessToken;
    const body = { give: true, amount: 900 };
    expect((await send(`${fixture.url}/api/sales/${order.id}/refund`, { bearer, body })).status).toBe(200);
    const back = await reaches(client, order.id, 'partially_refunded');
    expect(back.payment).toMatchObject({ captured: 1_898, refunded: 900 });
    const given = [...stripe.state.refunds.values()].filter(({ metadata }) => metadata?.order_id === order.id);
    expect(given.map(({ amount }) => amount)).toEqual([900]);
  });

  test('counts as paid again if the bank returns a refund, and can be refunded again', async () => {
    const order = await atThePage();
    await payBy('pm_card_visa', order);
    const before = (await reaches(client, order.id, 'captured')).payment;
    const feeBefore = await saleOf(order);
    const balances = await balancesOf(order);
    await giveBack(order, 900);
    await giveBack(order, 998);
    await reaches(client, order.id, 'refunded');
    const [first, second] = refundsOf(order);
    if (!first || !second) throw new Error('two refunds were made');

    returnRefund(stripe.state, first.id);
    const half = await reaches(client, order.id, 'partially_refunded');
    expect(half.payment?.refunded).toBe(second.amount);
    returnRefund(stripe.state, second.id);
    const back = await reaches(client, order.id, 'captured');
    expect(back.payment).toEqual(before);
    expect(await saleOf(order)).toEqual(feeBefore);
    expect(await balancesOf(order)).toEqual(balances);
    const receiptCount = async (): Promise<number> => (await orderOf(client, order.id)).receipts.length;
    await waitFor(async () => (await receiptCount()) === 6, {
      what: 'receipts of order, payment, two refunds and their failures',
    });
    const isMarked = async (): Promise<boolean> => {
      const { userId } = client.person;
      const rows = await query<{ origin: string }>('test-notices', noticesSql, [userId]);
      return rows.some(({ origin }) => origin === 'refund_failure');
    };
    await waitFor(isMarked, { what: 'a message to the merchant that is marked as the notice of a failed refund' });

    await giveBack(order, 1_898);
    expect((await reaches(client, order.id, 'refunded')).refund).toMatchObject({ state: 'paid', amount: 1_898 });
  });

  test('is not charged twice if Stripe’s responses are lost', async () => {
    stripe.failNext(/POST \/v1\/checkout\/sessions$/, 'lost', 2);
    const order = await atThePage();
    stripe.failNext(/POST .*\/capture/, 'lost', 2);
    await payBy('pm_card_visa', order);
    await reaches(client, order.id, 'captured');
    expect(intentsOf(order)).toEqual([{ status: 'succeeded', received: 1_898 }]);
    const sessions = [...stripe.state.sessions.values()].filter(({ client_reference_id: id }) => id === order.id);
    expect(sessions).toHaveLength(1);
  });

  test('PAY-1 is released if the payment processor authorizes an amount that was not approved', async () => {
    const order = await atThePage();
    const session = [...stripe.state.sessions.values()].find(({ client_reference_id: id }) => id === order.id);
    if (!session) throw new Error('no page was opened');
    session.amount_total = 1;
    await payBy('pm_card_visa', order);
    expect(await reaches(client, order.id, 'declined')).toMatchObject({ code: 'payment_differs' });
    const isReleased = (): boolean => intentsOf(order).every(({ status }) => status === 'canceled');
    await waitFor(() => session.status !== 'open' && isReleased(), { what: 'the hold to be released' });
  });

  test('is closed at the payment processor when its offer expires, and late authorizations are released', async () => {
    const order = await atThePage();
    const end = `UPDATE payment_order SET expires_at = now() + $2::interval WHERE id = $1`;
    await query('test-end', end, [order.id, '10 minutes']);
    stripe.state.advance(20 * 60_000);
    await payBy('pm_card_visa', order);
    stripe.state.advance(-20 * 60_000);
    expect(await reaches(client, order.id, 'expired')).toMatchObject({ code: 'paid_too_late' });
    await waitFor(() => intentsOf(order)[0]?.status === 'canceled', { what: 'the late hold to be released' });
    const other = await atThePage();
    await query('test-end', end, [other.id, '-1 minute']);
    await reaches(client, other.id, 'expired');
    expect(await payBy('pm_card_visa', other)).toBeNull();
    expect(intentsOf(other)).toEqual([]);
  });
});

describe('PAY-3 a webhook event', () => {
  test('has a single effect if it is delivered a hundred times, concurrently and in reverse', async () => {
    const order = await atThePage();
    stripe.webhooks.delivery.held = true;
    await payBy('pm_card_visa', order);
    stripe.webhooks.delivery.held = false;
    const events = stripe.state.events.slice(-3).reverse();
    const bodies = events.flatMap((event) => Array<string>(33).fill(JSON.stringify(event)));
    const responses = await Promise.all(bodies.map((body) => stripe.webhooks.post(body)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await reaches(client, order.id, 'captured');
    expect(intentsOf(order)).toEqual([{ status: 'succeeded', received: 1_898 }]);
    const storedEvents = await query('test-kept', 'SELECT 1 FROM stripe_event WHERE id = ANY($1)', [
      events.map(({ id }) => id),
    ]);
    expect(storedEvents).toHaveLength(events.length);
  });

  test('is not required, because reading the order polls the processor', async () => {
    stripe.webhooks.delivery.dropped = true;
    const order = await atThePage();
    await payBy('pm_card_visa', order);
    await reaches(client, order.id, 'captured');
  });

  test.each([
    [
      'with an altered body',
      (body: string, at: number) => ({ body: body.replace('1898', '1'), header: signed(body, at) }),
    ],
    ['with another secret', (body: string, at: number) => ({ body, header: signatureOf(body, 'whsec_other', at) })],
    ['from more than five minutes ago', (body: string, at: number) => ({ body, header: signed(body, at - 301) })],
    ['without a signature', (body: string) => ({ body, header: '' })],
    ...['garbage', 't=', 'v1=', 't=,v1=', ',', '=,=', 't=NaN,v1=00', 't=1e999,v1=00', 't={at},v1=', '\u00ff\u00fe'].map(
      (header): [string, (body: string, at: number) => { body: string; header: string }] => [
        `with the malformed signature "${header}"`,
        (body, at) => ({ body, header: header.replace('{at}', String(at)) }),
      ],
    ),
    [
      'with a signature of the correct length that is not hexadecimal',
      (body: string, at: number) => ({ body, header: `t=${at},v1=${'\u00e9'.repeat(64)}` }),
    ],
    [
      'with only the old scheme',
      (body: string, at: number) => ({ body, header: signed(body, at).replace('v1=', 'v0=') }),
    ],
  ])('is rejected without details: %s', async (_, corrupt) => {
    const event = {
      id: `evt_${newId('req')}`,
      object: 'event',
      type: 'x',
      livemode: false,
      data: { object: { amount: 1898 } },
    };
    const { body, header } = corrupt(JSON.stringify(event), stripe.state.now());
    const response = await stripe.webhooks.post(body, header);
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request' });
    expect(text).not.toMatch(/whsec|sk_test|stripe/i);
  });

  test.each([
    ['text that is not JSON', 'not json'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an object without members', '{}'],
    ['an event without data', JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', livemode: false })],
    ['a thin event', JSON.stringify({ id: 'evt_2', object: 'v2.core.event', type: 'v2.x', livemode: false })],
    [
      'an event whose id the database rejects',
      '{"id":"evt_\\u0000","type":"\\ud800","livemode":false,"data":{"object":{}}}',
    ],
  ])('is logged and accepted if it is signed and contains %s', async (_, body) => {
    const lines = (): number => fixture.parley.output().split('payments.event_invalid').length;
    const before = lines();
    expect((await stripe.webhooks.post(body)).status).toBe(200);
    await waitFor(() => lines() > before, { what: 'the log line' });
  });

  test('is accepted without effect if its object is unknown or it is from another mode', async () => {
    for (const extra of [{ livemode: true }, { livemode: false }]) {
      const object = { id: 'pi_x', object: 'payment_intent', metadata: { order_id: 'ord_unknown' } };
      const event = { id: `evt_${newId('req')}`, object: 'event', type: 'x', data: { object }, ...extra };
      expect((await stripe.webhooks.post(JSON.stringify(event))).status).toBe(200);
    }
    expect(await query('test-none', `SELECT 1 FROM stripe_event WHERE object_id = 'ord_unknown'`)).toEqual([]);
  });
});

describe('a top-up by card', () => {
  test('is added to the wallet once, after it is paid', async () => {
    const buyer = new ChatClient(fixture.url, await createPerson(fixture.url, 'Tom'));
    const topped = await ask<TopUpView>(buyer, '/api/wallet/top-ups', { body: { currency: 'EUR', amount: 5_000 } });
    expect(topped.body).toMatchObject({ state: 'pending', redirectUrl: expect.stringContaining(stripe.url) });
    expect((await ask<WalletView>(buyer, '/api/wallet')).body.balances).toEqual([]);
    stripe.webhooks.delivery.times = 3;
    await payBy('pm_card_visa', topped.body);
    const euros = async (): Promise<number | undefined> =>
      (await ask<WalletView>(buyer, '/api/wallet')).body.balances[0]?.available;
    await waitFor(async () => (await euros()) === 5_000, { what: 'the money to be there' });
    await stripe.webhooks.settled();
    expect(await euros()).toBe(5_000);
    expect((await ask<WalletView>(buyer, '/api/wallet')).body.entries).toHaveLength(1);
  });

  test('is polled by one request at a time during an outage of the processor', async () => {
    const { id } = await begun('Una');
    await query(
      'test-look-up',
      `INSERT INTO payment_outbox (top_up_id, kind, due_at, attempts) VALUES ($1, 'retrieve', now() + interval '5 minutes', 3)`,
      [id],
    );
    await query('test-silent', `UPDATE wallet_top_up SET updated_at = now() - interval '1 day' WHERE id = $1`, [id]);
    const pollRequests = () => query('test-look-ups', 'SELECT id FROM payment_outbox WHERE top_up_id = $1', [id]);
    const before = await pollRequests();
    const now = new Date();
    expect(await enqueueRetrieval({ topUpId: id }, now, now)).toBe(false);
    await enqueueStaleOrders(new Date(now.getTime() - 3_600_000), now);
    expect(await pollRequests()).toEqual(before);
  });

  test('prevents its payer from deleting the account while it is pending', async () => {
    const { id, person } = await begun('Lea');
    await query('test-real-money', 'UPDATE wallet_top_up SET test = false WHERE id = $1', [id]);
    const body = { email: person.email, password: testPassword };
    const refused = await send(`${fixture.url}/api/account/deletion`, {
      body,
      cookie: person.cookie,
      origin: fixture.url,
    });
    expect(refused.status).toBe(409);
    expect(((await refused.json()) as { title: string }).title).toContain('1 wallet top-up in progress');
  });

  async function begun(name: string): Promise<{ id: string; person: Person }> {
    const person = await createPerson(fixture.url, name);
    const body = { currency: 'EUR', amount: 5_000 };
    const topped = await ask<TopUpView>(new ChatClient(fixture.url, person), '/api/wallet/top-ups', { body });
    expect(topped.body.state).toBe('pending');
    return { id: topped.body.id, person };
  }
});

function signed(body: string, at: number): string {
  return signatureOf(body, stripe.webhooks.secret, at);
}
