import { createHash } from 'node:crypto';
import { verifyPaymentMandate } from '@parley/agent/ap2';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderView, ReceiptView } from '@/lib/payments/schema';
import type { MandateVerdict } from '@/lib/payments/schema-merchants';
import { db } from '@/lib/platform/db/db';
import type { JsonObject } from '@/lib/protocol/json';
import type { MandateAnswer } from '../fakes/merchant-agent';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import {
  approve,
  ask,
  buy,
  createPaymentsFixture,
  offerOf,
  orderOf,
  type PaymentsFixture,
  reaches,
  review,
} from './payments-fixture';
import { basic, createApp } from './tokens-fixture';

let fixture: PaymentsFixture;
let output: SharedParley['output'];

beforeAll(async () => {
  ({ output } = await sharedParley());
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  fixture.merchant.fault = 'none';
  fixture.merchant.onMandate = 'confirm';
});

async function newBuyer(): Promise<ChatClient> {
  return new ChatClient(fixture.url, await createPerson(fixture.url, 'Bea'));
}

/** A new user's order whose mandate has reached the merchant, and that mandate's data. */
async function delivered(
  response: MandateAnswer,
  state: OrderView['state'],
): Promise<{
  client: ChatClient;
  order: OrderView;
  mandate: { messageId: string; data: JsonObject };
}> {
  fixture.merchant.onMandate = response;
  const client = await newBuyer();
  const order = await buy(client, await offerOf(fixture, { client }), state);
  const mandate = fixture.merchant.mandates.at(-1);
  if (!mandate) throw new Error('no mandate came');
  return { client, order, mandate };
}

function callAp2<Body>(path: string, body: object, app: { clientId: string; clientSecret: string } = fixture.app) {
  return send(`${fixture.url}/api/ap2/${path}`, { body, headers: { authorization: basic(app) } }).then(
    async (response) => ({
      status: response.status,
      body: (await response.json()) as Body,
    }),
  );
}

const verify = (mandate: JsonObject, app?: typeof fixture.app) =>
  callAp2<MandateVerdict & { code: string }>('verify', { agent: fixture.slug, mandate }, app);

const claim = (mandate: JsonObject, more: object = {}, app?: typeof fixture.app) =>
  callAp2<MandateVerdict & { reason?: string }>(
    'claim',
    { agent: fixture.slug, mandate, orderId: 'PZ-1', ...more },
    app,
  );

async function ourKeys(): Promise<{ keys: JsonObject[] }> {
  return (await fetch(`${fixture.url}/.well-known/jwks.json`)).json() as Promise<{ keys: JsonObject[] }>;
}

describe('a mandate', () => {
  test('is signed with the ap2- key for this merchant, over the cart and approval, and sent on the same task', async () => {
    const { order, mandate } = await delivered('confirm', 'captured');
    const { cartText } = await db().paymentOrder.findUniqueOrThrow({ where: { id: order.id } });
    const { contents } =
      (JSON.parse(cartText) as Record<string, { contents: JsonObject }>)['ap2.mandates.CartMandate'] ?? {};
    const { keys } = await ourKeys();
    const signers = keys.filter(({ kid }) => String(kid).startsWith('ap2-'));
    expect(signers).toMatchObject([{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }]);
    const read = await verifyPaymentMandate(mandate.data['ap2.mandates.PaymentMandate'] ?? null, {
      keys: signers as { kid: string }[],
      audience: fixture.merchant.url,
      contents: contents ?? {},
      merchantAgent: fixture.slug,
      now: new Date(),
    });
    expect(read).toMatchObject({ ok: true });
    const { text } = await db().paymentApproval.findFirstOrThrow({
      where: { orderId: order.id, usedAt: { not: null } },
    });
    const approvalHash = createHash('sha256').update(text).digest('base64url');
    expect(mandate.data.risk_data).toEqual({ approval_assertion: approvalHash });
    const sent = fixture.merchant.agent.calls('message/stream').map(({ params }) => params.message);
    // A slow merchant received it more than once.
    const at = sent.findIndex((message) => message?.messageId === mandate.messageId);
    expect([sent[at - 1]?.taskId, sent[at]?.taskId !== undefined]).toEqual([undefined, true]);
  });

  test('is resent with the same message id if the merchant could not be reached, and charges once', async () => {
    fixture.merchant.onMandate = 'vanish';
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    const before = fixture.merchant.mandates.length;
    await approve(client, body);
    await waitFor(() => fixture.merchant.mandates.length > before, { what: 'the first attempt' });
    fixture.merchant.onMandate = 'confirm';
    const paid = await waitFor(
      async () => {
        const now = await orderOf(client, order.id);
        return now.state === 'captured' ? now : null;
      },
      { what: 'the order to be paid', timeout: 40_000 },
    );
    const [first, ...again] = fixture.merchant.mandates.slice(before);
    expect(again.length).toBeGreaterThan(0);
    expect(again.every(({ messageId }) => messageId === first?.messageId)).toBe(true);
    expect(again.every(({ data }) => JSON.stringify(data) === JSON.stringify(first?.data))).toBe(true);
    expect(paid.payment?.captured).toBe(1898);
  }, 60_000);
});

describe('the merchant’s response to a mandate', () => {
  test('releases the held money if it is a rejection', async () => {
    const { client, order } = await delivered('refuse', 'merchant_rejected');
    expect(order.code).toBe('invalid_mandate');
    const { body } = await ask<{ balances: { held: number }[] }>(client, '/api/wallet');
    await waitFor(
      async () => {
        const wallet = await ask<{ balances: { held: number }[] }>(client, '/api/wallet');
        return wallet.body.balances.every(({ held }) => held === 0);
      },
      { what: 'the hold to be removed' },
    );
    expect(body.balances.length).toBeGreaterThan(0);
  });

  test('counts as a rejection if the task fails', async () => {
    const { order } = await delivered('fail', 'merchant_rejected');
    expect(order.code).toBe('task_failed');
  });

  test.each<MandateAnswer>(['wrong key', 'wrong reference', 'unsigned'])(
    'PAY-2 captures no money with an invalid receipt (%s)',
    async (response) => {
      const { order, client } = await delivered(response, 'mandate_delivered');
      expect(order.payment).toMatchObject({ authorized: 1898, captured: 0 });
      expect((await orderOf(client, order.id)).merchantOrderId).toBeNull();
    },
  );

  test('is accepted if it arrives later, in another turn of the conversation', async () => {
    const { order, client, mandate } = await delivered('silent', 'mandate_delivered');
    fixture.merchant.onMandate = 'confirm';
    fixture.merchant.nextCarts.push({ 'ap2.CheckoutReceipt': await fixture.merchant.receiptFor(mandate.data) });
    await client.say({ conversationId: order.conversationId ?? '', taskId: order.source.taskId, text: 'And?' });
    await reaches(client, order.id, 'captured');
  });
});

describe('an order’s receipts', () => {
  test('are signed, sent to the merchant once, shown to the buyer, and sent by email', async () => {
    const { order, client } = await delivered('confirm', 'captured');
    const { body } = await waitFor(
      async () => {
        const found = await ask<ReceiptView>(client, `/api/orders/${order.id}/receipt`);
        return found.body.token === null ? null : found;
      },
      { what: 'the receipt' },
    );
    const keys = createLocalJWKSet((await ourKeys()) as Parameters<typeof createLocalJWKSet>[0]);
    const { payload, protectedHeader } = await jwtVerify(body.token ?? '', keys, { issuer: fixture.url });
    expect(protectedHeader.kid).toMatch(/^ap2-/);
    expect(payload).toMatchObject({ status: 'Success', payment_id: order.id });
    expect(body.object).toMatchObject({ amount: { currency: 'EUR', value: 18.98 } });
    const mandates = await db().paymentMandate.findMany({ where: { orderId: order.id } });
    expect(mandates.map(({ reference }) => reference)).toContain(payload.reference);
    await waitFor(() => fixture.merchant.receipts.some(({ data }) => data['ap2.PaymentReceipt'] === body.token), {
      what: 'the merchant to receive it',
    });
    expect(
      new Set(
        fixture.merchant.receipts
          .filter(({ data }) => data['ap2.PaymentReceipt'] === body.token)
          .map(({ messageId }) => messageId),
      ).size,
    ).toBe(1);
    await waitFor(async () => (await output()).includes('mail.saved_to_outbox'), { what: 'the mail' });
  });
});

describe('an agent that does not sign', () => {
  test('can verify a mandate with its own app, and claim it once', async () => {
    const { order, client, mandate } = await delivered('silent', 'mandate_delivered');
    const verdict = await verify(mandate.data);
    expect(verdict).toMatchObject({
      status: 200,
      body: { valid: true, code: null, order: { id: order.id, amount: 1898, currency: 'EUR', claimed: false } },
    });
    const responses = await Promise.all(Array.from({ length: 6 }, () => claim(mandate.data)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const paid = await reaches(client, order.id, 'captured');
    expect(paid.merchantOrderId).toBe('PZ-1');
    expect((await verify(mandate.data)).body).toMatchObject({ valid: false, code: 'not_held' });
  });

  test('can reject a mandate', async () => {
    const { order, client, mandate } = await delivered('silent', 'mandate_delivered');
    expect((await claim(mandate.data, { accept: false })).status).toBe(200);
    await reaches(client, order.id, 'merchant_rejected');
  });

  test('AUZ-1 receives no data about other apps’ mandates, or altered or forged ones', async () => {
    const { mandate } = await delivered('silent', 'mandate_delivered');
    const otherApp = await createApp(fixture.url, fixture.other.person, 'Stranger');
    expect((await verify(mandate.data, otherApp)).status).toBe(404);
    expect((await claim(mandate.data, {}, otherApp)).status).toBe(404);
    const wrong = await verify(mandate.data, { ...fixture.app, clientSecret: 'parley_cs_wrong' });
    expect(wrong.status).toBe(401);
    const sent = mandate.data['ap2.mandates.PaymentMandate'] as { payment_mandate_contents: JsonObject };
    const contents = { ...sent.payment_mandate_contents, merchant_agent: 'someone-else' };
    const altered = { 'ap2.mandates.PaymentMandate': { ...sent, payment_mandate_contents: contents } };
    expect((await verify(altered)).body).toMatchObject({ valid: false, code: 'altered_mandate', order: null });
    const invented = { 'ap2.mandates.PaymentMandate': { ...sent, user_authorization: 'a.b.c~' } };
    expect((await verify(invented)).body).toMatchObject({ valid: false, code: 'unknown_mandate', order: null });
    expect((await verify({})).body).toMatchObject({ valid: false, code: 'unknown_mandate' });
  });
});

describe('LOG-1 Parley’s output', () => {
  test('contains no token from a cart, a mandate or a receipt', async () => {
    const signed = [...(await db().paymentMandate.findMany()), ...(await db().paymentReceipt.findMany())];
    // A mandate of AP2 0.1 has no token.
    const tokens = signed.map(({ token }) => token).filter((token) => token !== '');
    expect(tokens.length).toBeGreaterThan(3);
    const printed = await output();
    for (const token of tokens) expect(printed.includes(token.slice(-40))).toBe(false);
  });
});
