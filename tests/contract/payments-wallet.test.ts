import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderPage, OrderView, SalesPage, SaleView, WalletView } from '@/lib/payments/schema';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, type Person, send, tokenFor } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { OwnAccount, password } from './account-fixture';
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

describe('wallet money:', () => {
  let fixture: PaymentsFixture;

  beforeAll(async () => {
    fixture = await createPaymentsFixture();
  });

  afterAll(() => fixture?.close());

  beforeEach(() => {
    fixture.merchant.onMandate = 'confirm';
  });

  async function newBuyer(name = 'Bo'): Promise<ChatClient> {
    return new ChatClient(fixture.url, await createPerson(fixture.url, name));
  }

  async function walletOf(client: ChatClient): Promise<WalletView> {
    return (await ask<WalletView>(client, '/api/wallet')).body;
  }

  /** A wallet's amounts in euros: available, and held. */
  async function eurosOf(client: ChatClient): Promise<[number, number]> {
    const euros = (await walletOf(client)).balances.find(({ currency }) => currency === 'EUR');
    return [euros?.available ?? 0, euros?.held ?? 0];
  }

  function bySeller<Body>(path: string, body?: object): Promise<{ status: number; body: Body }> {
    return send(`${fixture.url}${path}`, { bearer: fixture.seller.accessToken, body }).then(async (response) => ({
      status: response.status,
      body: (await response.json()) as Body,
    }));
  }

  async function saleOf(id: string): Promise<SaleView> {
    const { body } = await bySeller<SalesPage>('/api/sales?limit=100');
    const sale = body.items.find((item) => item.id === id);
    if (!sale) throw new Error(`no sale ${id}`);
    return sale;
  }

  describe('a wallet', () => {
    test('has test credits from the first read, once, even under concurrency', async () => {
      const client = await newBuyer();
      const looks = await Promise.all(Array.from({ length: 8 }, () => walletOf(client)));
      expect(looks.at(-1)).toMatchObject({ test: true });
      expect(await walletOf(client)).toMatchObject({
        balances: [
          { currency: 'EUR', available: 10_000, held: 0 },
          { currency: 'USD', available: 10_000, held: 0 },
        ],
        entries: [{ kind: 'grant', orderId: null }, { kind: 'grant' }],
      });
    });

    test('is topped up immediately with more test credits', async () => {
      const client = await newBuyer();
      await walletOf(client);
      const topped = await ask(client, '/api/wallet/top-ups', { body: { currency: 'EUR', amount: 2_500 } });
      expect(topped).toMatchObject({ status: 200, body: { state: 'paid', redirectUrl: null } });
      expect(await eurosOf(client)).toEqual([12_500, 0]);
    });

    test.each([
      [{ currency: 'EUR', amount: 99 }],
      [{ currency: 'EUR', amount: 100_001 }],
      [{ currency: 'EUR', amount: 1e21 }],
      [{ currency: 'EUR', amount: '500' }],
      [{ currency: 'EUR', amount: -500 }],
      [{ currency: 'XXX', amount: 500 }],
      [{ currency: 'eur', amount: 500 }],
    ])('PAY-1 rejects a top-up of %j', async (body) => {
      expect((await ask(fixture.buyer, '/api/wallet/top-ups', { body })).status).toBe(400);
    });

    test('AUZ-3 is available only to its user, by session or with a token that may pay', async () => {
      const { accessToken } = fixture.buyer.person;
      expect((await send(`${fixture.url}/api/wallet`, { bearer: accessToken })).status).toBe(403);
      expect((await send(`${fixture.url}/api/wallet`, {})).status).toBe(401);
      const body = { currency: 'EUR', amount: 500 };
      const { cookie } = fixture.buyer.person;
      const unauthorized = await send(`${fixture.url}/api/wallet/top-ups`, {
        body,
        cookie,
        origin: 'https://evil.example',
      });
      expect(unauthorized.status).toBe(403);
    });
  });

  describe('an order paid from the wallet', () => {
    test('PAY-4 moves money to the seller, minus Parley’s fee, and notifies both users', async () => {
      const client = await newBuyer();
      const order = await buy(client, await offerOf(fixture, { client }), 'captured');
      expect(order).toMatchObject({
        payment: { method: 'wallet', test: true, authorized: 1_898, captured: 1_898, refunded: 0 },
        approval: { method: 'session' },
      });
      expect(await eurosOf(client)).toEqual([8_102, 0]);
      expect((await walletOf(client)).entries[0]).toMatchObject({
        kind: 'hold',
        orderId: order.id,
        amount: { currency: 'EUR', minor: -1_898 },
      });
      expect(await saleOf(order.id)).toMatchObject({
        state: 'captured',
        test: true,
        gross: 1_898,
        fee: 94,
        refunded: 0,
        net: 1_804,
        agent: { slug: fixture.slug },
      });
      const { body } = await ask<{ steps: { state: string }[] }>(client, `/api/orders/${order.id}`);
      const states = body.steps.map(({ state }) => state).filter((state) => state !== 'verified');
      expect(states.slice(-4)).toEqual(['approved', 'authorized', 'merchant_confirmed', 'captured']);
    });

    test('returns its money to the wallet if the merchant rejects it', async () => {
      fixture.merchant.onMandate = 'refuse';
      const client = await newBuyer();
      await buy(client, await offerOf(fixture, { client }), 'merchant_rejected');
      await waitFor(async () => (await eurosOf(client))[0] === 10_000, { what: 'the money to be released' });
      expect(await eurosOf(client)).toEqual([10_000, 0]);
    });

    test('holds its money until the merchant responds, and is declined if the balance is too low', async () => {
      fixture.merchant.onMandate = 'silent';
      const client = await newBuyer();
      for (let turn = 1; turn <= 5; turn++) {
        await buy(client, await offerOf(fixture, { client }), 'mandate_delivered');
        expect(await eurosOf(client)).toEqual([10_000 - turn * 1_898, turn * 1_898]);
      }
      const order = await offerOf(fixture, { client });
      const reviewed = await review(client, order.id);
      expect(reviewed.body.methods).toEqual([
        { method: 'wallet', test: true, balance: { currency: 'EUR', minor: 510 }, enough: false },
      ]);
      await approve(client, reviewed.body);
      const declined = await reaches(client, order.id, 'declined');
      expect(declined).toMatchObject({ code: 'insufficient_funds', reason: expect.stringContaining('wallet') });
    });
  });

  describe('a refund', () => {
    test('is requested by the buyer, made by the seller, and includes Parley’s fee', async () => {
      const client = await newBuyer();
      const { id } = await buy(client, await offerOf(fixture, { client }), 'captured');
      const asked = await ask<OrderView>(client, `/api/orders/${id}/refund`, { body: { amount: 898, reason: 'cold' } });
      expect(asked.body.refund).toMatchObject({ amount: 898, reason: 'cold', state: 'requested' });
      expect((await saleOf(id)).refund).toMatchObject({ amount: 898, state: 'requested' });
      expect((await bySeller(`/api/sales/${id}/refund`, { give: true })).status).toBe(200);
      const order = await reaches(client, id, 'partially_refunded');
      expect(order).toMatchObject({ payment: { refunded: 898 }, refund: { state: 'paid' } });
      expect(await eurosOf(client)).toEqual([9_000, 0]);
      expect(await saleOf(id)).toMatchObject({ gross: 1_898, refunded: 898, fee: 49, net: 951 });
      expect((await bySeller(`/api/sales/${id}/refund`, { give: true })).status).toBe(200);
      await reaches(client, id, 'refunded');
      expect(await eurosOf(client)).toEqual([10_000, 0]);
      expect(await saleOf(id)).toMatchObject({ refunded: 1_898, fee: 0, net: 0 });
    });

    test('can be declined by the seller, and requested again', async () => {
      const client = await newBuyer();
      const { id } = await buy(client, await offerOf(fixture, { client }), 'captured');
      const body = { reason: 'changed my mind' };
      expect((await ask(client, `/api/orders/${id}/refund`, { body })).status).toBe(200);
      expect((await ask(client, `/api/orders/${id}/refund`, { body })).status).toBe(409);
      expect((await bySeller(`/api/sales/${id}/refund`, { give: false })).status).toBe(200);
      expect((await orderOf(client, id)).refund?.state).toBe('refused');
      expect((await bySeller(`/api/sales/${id}/refund`, { give: false })).status).toBe(409);
      expect((await ask(client, `/api/orders/${id}/refund`, { body })).status).toBe(200);
    });

    test('PAY-5 is made once for concurrent requests, and never exceeds the paid amount', async () => {
      const client = await newBuyer();
      const { id } = await buy(client, await offerOf(fixture, { client }), 'captured');
      for (const amount of [1_899, 0, -1, 0.5, '10']) {
        const refused = await ask(client, `/api/orders/${id}/refund`, { body: { amount, reason: 'x' } });
        expect([400, 409]).toContain(refused.status);
      }
      const asks = Array.from({ length: 6 }, () => ask(client, `/api/orders/${id}/refund`, { body: { reason: 'x' } }));
      expect((await Promise.all(asks)).filter(({ status }) => status === 200)).toHaveLength(1);
      const gives = Array.from({ length: 6 }, () => bySeller(`/api/sales/${id}/refund`, { give: true }));
      const given = await Promise.all(gives);
      expect(given.filter(({ status }) => status === 200)).toHaveLength(1);
      await reaches(client, id, 'refunded');
      expect(await eurosOf(client)).toEqual([10_000, 0]);
    });

    test('AUZ-1 can be requested or made only by the parties', async () => {
      const client = await newBuyer();
      const { id } = await buy(client, await offerOf(fixture, { client }), 'captured');
      const body = { reason: 'mine' };
      const unauthorized = await ask<{ title: string }>(fixture.other, `/api/orders/${id}/refund`, { body });
      const unknown = await ask<{ title: string }>(fixture.other, '/api/orders/ord_0000000000000000000/refund', {
        body,
      });
      expect([unauthorized.status, unauthorized.body.title]).toEqual([unknown.status, unknown.body.title]);
      expect(unauthorized.status).toBe(404);
      expect((await ask(client, `/api/sales/${id}/refund`, { body: { give: true } })).status).toBe(404);
      const token = await tokenFor(fixture.url, client.person, fixture.slug);
      const byAgent = await send(`${fixture.url}/api/orders/${id}/refund`, { bearer: token, body });
      expect(byAgent.status).toBe(401);
    });
  });

  describe('order lists', () => {
    test('AUZ-1 contain only the user’s own orders, newest first, page by page and as a file', async () => {
      const client = await newBuyer();
      const ids: string[] = [];
      for (let turn = 0; turn < 3; turn++)
        ids.unshift((await buy(client, await offerOf(fixture, { client }), 'captured')).id);
      const first = await ask<OrderPage>(client, '/api/orders?state=paid&limit=2');
      const rest = await ask<OrderPage>(client, `/api/orders?state=paid&limit=2&cursor=${first.body.nextCursor}`);
      expect([...first.body.items, ...rest.body.items].map(({ id }) => id)).toEqual(ids);
      expect(rest.body.nextCursor).toBeNull();
      for (const filter of ['state=ended', 'state=open', 'agent=nobody', 'to=2001-01-01', 'from=2199-01-01']) {
        expect((await ask<OrderPage>(client, `/api/orders?${filter}`)).body.items).toEqual([]);
      }
      const csv = await (await client.call(`/api/orders?format=csv&agent=${fixture.slug}`)).text();
      expect(csv.split('\r\n')).toHaveLength(5);
      expect(csv).toContain(`${ids[0]},`);
      for (const wrong of ['cursor=x', 'limit=0', 'limit=101', 'state=all', 'taskId=1', 'from=today']) {
        expect((await ask(client, `/api/orders?${wrong}`)).status).toBe(400);
      }
      const unauthorized = await ask<{ title: string }>(fixture.other, `/api/orders/${ids[0]}`);
      const unknown = await ask<{ title: string }>(fixture.other, '/api/orders/ord_0000000000000000000');
      expect([unauthorized.status, unauthorized.body.title]).toEqual([unknown.status, unknown.body.title]);
    });

    test('have exact sales totals, do not name the buyer, and are safe in a spreadsheet', async () => {
      const client = await newBuyer('Greta');
      const { id } = await buy(client, await offerOf(fixture, { client }), 'captured');
      await query('test-formula', `UPDATE payment_order SET cart_id = '=cmd|'' /C calc''!A0' WHERE id = $1`, [id]);
      const { body } = await bySeller<SalesPage>('/api/sales?limit=100');
      const paid = body.items.filter(({ gross }) => gross > 0);
      for (const member of ['gross', 'fee', 'refunded', 'net'] as const) {
        expect(body.sums[0]?.[member]).toBe(paid.reduce((sum, sale) => sum + sale[member], 0));
      }
      expect(body.sums).toMatchObject([{ currency: 'EUR', test: true, count: paid.length }]);
      const bearer = fixture.seller.accessToken;
      const csv = await (await send(`${fixture.url}/api/sales?format=csv`, { bearer })).text();
      expect(csv).toContain(`,'=cmd`);
      for (const trace of [client.person.userId, client.person.email, 'Greta']) {
        expect(csv + JSON.stringify(body)).not.toContain(trace);
      }
      expect((await ask<SalesPage>(client, '/api/sales')).body).toEqual({ items: [], sums: [], nextCursor: null });
    });
  });

  describe('an account', () => {
    function accountOf(person: Person): OwnAccount {
      return new OwnAccount(fixture.url, person);
    }

    test('GDPR-1 is exported with orders and wallet, and leaves only anonymized payment evidence when deleted', async () => {
      fixture.merchant.onMandate = 'silent';
      const client = await newBuyer('Zenobia');
      const { person } = client;
      const held = await buy(client, await offerOf(fixture, { client }), 'mandate_delivered');
      const account = accountOf(person);
      const exported = JSON.parse(await account.export());
      expect(exported).toMatchObject({ orders: [{ id: held.id }], wallet: { test: true }, sales: [] });
      const refused = await account.delete({ email: person.email, password });
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        code: 'conflict',
        title: expect.stringContaining('1 order in progress'),
      });
      await query(
        'test-late',
        `UPDATE payment_outbox SET due_at = now() WHERE order_id = $1 AND kind = 'watch-delivery'`,
        [held.id],
      );
      await reaches(client, held.id, 'delivery_timeout');
      fixture.merchant.onMandate = 'confirm';
      const bought = await buy(client, await offerOf(fixture, { client }), 'captured');
      await waitFor(async () => (await orderOf(client, bought.id)).receipts.length > 1, { what: 'the receipts' });
      const gone = await account.delete({ email: person.email, password });
      expect(gone.status, await gone.clone().text()).toBe(204);
      const storedRows = await query<{ row: string }>(
        'test-kept',
        `SELECT o::text || s::text AS row FROM payment_order o JOIN payment_order_step s ON s.order_id = o.id WHERE o.id = $1`,
        [bought.id],
      );
      expect(storedRows.length).toBeGreaterThan(3);
      expect(storedRows.join()).not.toContain(person.userId);
      const traces = await query(
        'test-traces',
        `SELECT 1 FROM payment_order o WHERE o::text ~ $1 UNION ALL SELECT 1 FROM payment_approval a WHERE a::text ~ $1
         UNION ALL SELECT 1 FROM ledger_account l WHERE l::text ~ $1 UNION ALL SELECT 1 FROM payment_mandate m WHERE m::text ~ $1
         UNION ALL SELECT 1 FROM ledger_transaction t WHERE t::text ~ $1 UNION ALL SELECT 1 FROM payment_receipt r WHERE r::text ~ $1
         UNION ALL SELECT 1 FROM payment_idempotency_key r WHERE r::text ~ $1 UNION ALL SELECT 1 FROM payment_outbox b WHERE b::text ~ $1`,
        [`${person.userId}|${person.email}|Zenobia`],
      );
      expect(traces).toEqual([]);
    });
  });
});
