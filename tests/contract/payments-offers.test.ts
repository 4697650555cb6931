import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/platform/db/db';
import { newUuid } from '@/lib/platform/ids';
import { type CartFault, cartData } from '../fakes/merchant-carts';
import { connectTo, message03, rpc } from '../support/fixtures';
import { ask, type OwnPaymentsFixture, offerOf, ordersOf, review, startPaymentsFixture } from './payments-fixture';
import { postForm } from './tokens-fixture';

let fixture: OwnPaymentsFixture;

beforeAll(async () => {
  fixture = await startPaymentsFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  fixture.merchant.fault = 'none';
});

describe('a cart from an agent', () => {
  test('becomes an order with the signed amounts', async () => {
    const order = await offerOf(fixture);
    expect(order).toMatchObject({ state: 'verified', code: null, version: 0, payment: null });
    expect(order.offer).toMatchObject({
      dialect: 'ap2-0.1',
      merchantName: 'Test pizzeria',
      total: { currency: 'EUR', minor: 1898 },
    });
    expect(order.offer?.lines.map(({ label, minor }) => [label, minor])).toEqual([
      ['Pizza Margherita, large', 1548],
      ['Delivery', 350],
    ]);
    expect(order.checks.every(({ ok }) => ok)).toBe(true);
    expect(order.checks.map(({ code }) => code)).toEqual([...new Set(order.checks.map(({ code }) => code))]);
  });

  test('creates one order, however often its conversation is read', async () => {
    const order = await offerOf(fixture);
    const again = await ordersOf(fixture.buyer, order.source.taskId);
    const all = await ask<{ items: { id: string }[] }>(
      fixture.buyer,
      `/api/orders?contextId=${order.source.contextId}`,
    );
    expect(again.map(({ id }) => id)).toEqual([order.id]);
    expect(all.body.items.map(({ id }) => id)).toEqual([order.id]);
  });

  test('is restored from the history if a crash occurred before its order was stored', async () => {
    const order = await offerOf(fixture);
    await db().paymentOrderStep.deleteMany({ where: { orderId: order.id } });
    await db().paymentOrder.delete({ where: { id: order.id } });
    await fixture.parley.restart();
    const [again] = await ordersOf(fixture.buyer, order.source.taskId);
    expect(again).toMatchObject({ state: 'verified', offer: order.offer, source: order.source });
    expect(again?.id).not.toBe(order.id);
  });

  test('is replaced by a newer cart in the same conversation, on any task', async () => {
    const first = await offerOf(fixture);
    const { conversationId, source } = first;
    const second = await offerOf(fixture, { conversationId: conversationId ?? '', taskId: source.taskId });
    const orders = await ordersOf(fixture.buyer, source.taskId);
    expect(orders.map(({ id, state }) => [id, state])).toEqual([
      [second.id, 'verified'],
      [first.id, 'superseded'],
    ]);
    const third = await offerOf(fixture, { conversationId: conversationId ?? '' });
    expect(third.source.taskId).not.toBe(source.taskId);
    const states = (await ordersOf(fixture.buyer, source.taskId)).map(({ state }) => state);
    expect(states).toEqual(['superseded', 'superseded']);
    expect((await review(fixture.buyer, first.id)).body).toMatchObject({ code: 'conflict', state: 'superseded' });
  });

  test('PAY-2 is valid once, and is rejected for another user or in another conversation', async () => {
    const cart = cartData(fixture.merchant.seller);
    fixture.merchant.nextCarts.push(cart, cart, cart);
    expect((await offerOf(fixture)).state).toBe('verified');
    expect(await offerOf(fixture, { client: fixture.other })).toMatchObject({
      state: 'rejected',
      code: 'replayed_cart',
    });
    expect(await offerOf(fixture)).toMatchObject({ state: 'rejected', code: 'wrong_context' });
  });

  test('AUZ-5 causes no payment by itself, and is never created from user or app content', async () => {
    const { buyer, merchant, slug, url } = fixture;
    const data = cartData(merchant.seller);
    const mandates = merchant.mandates.length;
    const connection = await connectTo(url, buyer.person, slug);
    const message = { kind: 'message', messageId: newUuid(), role: 'user', parts: [{ kind: 'data', data }] };
    const response = await rpc(connection, 'message/send', { message });
    const { id: taskId } = response.body.result as { id: string };
    const orders = await ordersOf(buyer, taskId);
    expect(orders.map(({ source }) => source.kind)).toEqual(['artifact']);
    expect(orders[0]?.source.id).not.toBe(message.messageId);
    expect(merchant.mandates).toHaveLength(mandates);
    const before = await db().paymentOrder.count();
    const token = await issueClientToken();
    const byApp = await rpc({ url: connection.url, token }, 'message/send', message03('One pizza'));
    expect(byApp.status).toBe(200);
    expect(await db().paymentOrder.count()).toBe(before);
  });

  /** A token of the merchant's own app for its agent. */
  async function issueClientToken(): Promise<string> {
    const form = { grant_type: 'client_credentials', resource: `${fixture.url}/agents/${fixture.slug}` };
    const issued = await postForm(`${fixture.url}/api/auth/token`, form, fixture.app);
    return ((await issued.json()) as { access_token: string }).access_token;
  }
});

const refused: [CartFault, string][] = [
  ['no signature', 'missing_signature'],
  ['total altered after signing', 'cart_hash_mismatch'],
  ['currency altered after signing', 'cart_hash_mismatch'],
  ['merchant altered after signing', 'cart_hash_mismatch'],
  ['null member added after signing', 'cart_hash_mismatch'],
  ['lines that do not add up', 'total_mismatch'],
  ['expired cart', 'cart_expired'],
  ['expired signature', 'signature_expired'],
  ['signature valid for a year', 'signature_lifetime'],
  ['unknown key', 'unknown_key'],
  ['another key under the kid', 'bad_signature'],
  ['alg none', 'alg_not_allowed'],
  ['alg HS256', 'alg_not_allowed'],
  ['encoded twice', 'bad_signature'],
  ['another issuer', 'wrong_issuer'],
  ['another audience', 'wrong_audience'],
  ['no exp', 'missing_claim'],
  ['no jti', 'missing_claim'],
  ['no cart_hash', 'missing_claim'],
  ['fraction of a yen', 'amount_precision'],
  ['floating-point residue', 'amount_precision'],
  ['negative price', 'amount_precision'],
  ['two currencies', 'currency_mismatch'],
  ['duplicate member', 'malformed_cart'],
  ['no contents', 'malformed_cart'],
];

describe('PAY-1 an altered cart', () => {
  test.each(refused)('is shown with the failed check, and can never be paid: %s: %s', async (fault, code) => {
    fixture.merchant.fault = fault;
    const order = await offerOf(fixture);
    expect(order).toMatchObject({ state: 'rejected', code });
    expect(order.reason).toBeTruthy();
    expect(order.checks.at(-1)).toMatchObject({ code, ok: false });
    const reviewed = await review(fixture.buyer, order.id);
    expect(reviewed.status).toBe(422);
    expect(reviewed.body).toMatchObject({ code: 'cart_refused', check: code });
  });
});
