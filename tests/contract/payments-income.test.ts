import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setFee } from '@/lib/payments';
import type { Earning, EarningPage, Fees, Income } from '@/lib/payments/schema-income';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send, tokenFor } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { ask, buy, createPaymentsFixture, offerOf, type PaymentsFixture, reaches } from './payments-fixture';

let fixture: PaymentsFixture;
let buyer: ChatClient;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.merchant.onMandate = 'confirm';
  buyer = new ChatClient(fixture.url, await createPerson(fixture.url, 'Bo'));
});

async function bySeller<Body>(path: string, body?: object): Promise<Body> {
  const response = await send(`${fixture.url}${path}`, { bearer: fixture.seller.accessToken, body });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Body;
}

async function earningOf(saleId: string): Promise<Earning> {
  const { items } = await bySeller<EarningPage>('/api/earnings?limit=100');
  const found = items.find((item) => item.saleId === saleId);
  if (!found) throw new Error(`no earning of ${saleId}`);
  return found;
}

async function euros(): Promise<Income['balances'][number]> {
  const { balances } = await bySeller<Income>('/api/income');
  const found = balances.find(({ currency }) => currency === 'EUR');
  if (!found) throw new Error('no balance in euros');
  return found;
}

async function sell(): Promise<string> {
  return (await buy(buyer, await offerOf(fixture, { client: buyer }), 'captured')).id;
}

/** Ends the hold of a sale, and waits until its money is available. */
async function release(saleId: string): Promise<void> {
  await query('test-end-hold', 'UPDATE earning SET available_at = now() WHERE sale_id = $1', [saleId]);
  await waitFor(async () => (await earningOf(saleId)).state === 'available', { what: 'the money to be available' });
}

async function refund(id: string, amount: number, state: 'partially_refunded' | 'refunded'): Promise<void> {
  await bySeller(`/api/sales/${id}/refund`, { give: true, amount });
  await reaches(buyer, id, state);
}

describe('the income of a seller', () => {
  test('PAY-4 shows a sale as pending with the end of its hold, then as available', async () => {
    const id = await sell();
    const earning = await earningOf(id);
    expect(earning).toMatchObject({
      kind: 'order',
      agent: { slug: fixture.slug },
      currency: 'EUR',
      test: true,
      gross: 1_898,
      fee: 94,
      tax: 0,
      refunded: 0,
      net: 1_804,
      state: 'pending',
      hold: 'refund_window',
    });
    expect(Date.parse(earning.availableAt) - Date.parse(earning.capturedAt)).toBe(10 * 60_000);
    const before = await euros();
    expect(before).toMatchObject({ test: true, held: 0, inTransit: 0 });
    expect(before.holds.reduce((sum, { amount }) => sum + amount, 0)).toBe(before.pending);
    expect(before.holds[0]).toMatchObject({ reason: 'refund_window' });
    expect(before.next).toEqual({ at: before.holds[0]?.endsAt, amount: before.holds[0]?.amount });
    await release(id);
    expect(await earningOf(id)).toMatchObject({ state: 'available', hold: null, net: 1_804 });
    const after = await euros();
    expect(after.available - before.available).toBe(1_804);
    expect(before.pending - after.pending).toBe(1_804);
  });

  test('PAY-5 is reduced by a refund where the money is', async () => {
    const [pending, available] = [await sell(), await sell()];
    await release(available);
    const before = await euros();
    await refund(pending, 898, 'partially_refunded');
    await refund(available, 1_898, 'refunded');
    expect(await earningOf(pending)).toMatchObject({ refunded: 898, fee: 49, net: 951, state: 'pending' });
    expect(await earningOf(available)).toMatchObject({ refunded: 1_898, fee: 0, net: 0, state: 'refunded' });
    const after = await euros();
    expect(before.pending - after.pending).toBe(1_804 - 951);
    expect(before.available - after.available).toBe(1_804);
  });

  test('states a held amount with its reason, apart from what is pending', async () => {
    const id = await sell();
    const endsAt = new Date(Date.now() + 7 * 86_400_000);
    const set = 'UPDATE earning SET hold = $2, available_at = $3 WHERE sale_id = $1';
    await query('test-hold', set, [id, 'new_seller', endsAt]);
    const { held, holds } = await euros();
    expect(held).toBe(1_804);
    expect(holds.at(-1)).toEqual({ reason: 'new_seller', amount: 1_804, sales: 1, endsAt: endsAt.toISOString() });
    expect(await earningOf(id)).toMatchObject({ state: 'held', hold: 'new_seller' });
  });

  test('AUZ-1 AUZ-3 is only the seller’s, with a credential that may read agents', async () => {
    await sell();
    expect((await ask<Income>(buyer, '/api/income')).body).toEqual({ balances: [] });
    expect((await ask<EarningPage>(buyer, '/api/earnings')).body).toEqual({ items: [], nextCursor: null });
    const ofAgent = await ask<EarningPage>(buyer, `/api/earnings?agent=${fixture.slug}`);
    expect(ofAgent.body.items).toEqual([]);
    const token = await tokenFor(fixture.url, buyer.person, fixture.slug);
    const { cookie } = fixture.seller;
    const made = await send(`${fixture.url}/api/auth/access-tokens`, {
      body: { name: 'pay', scopes: ['pay'] },
      cookie,
      origin: fixture.url,
    });
    const { token: paysOnly } = (await made.json()) as { token: string };
    for (const path of ['/api/income', '/api/earnings', '/api/earnings?format=csv']) {
      expect((await send(`${fixture.url}${path}`, {})).status).toBe(401);
      expect((await send(`${fixture.url}${path}`, { bearer: token })).status).toBe(401);
      expect((await send(`${fixture.url}${path}`, { bearer: paysOnly })).status).toBe(403);
    }
  });

  test('is listed page by page, filtered, and as a file that does not name the buyer', async () => {
    const ids = [await sell(), await sell(), await sell()].reverse();
    const first = await bySeller<EarningPage>('/api/earnings?limit=2');
    const next = await bySeller<EarningPage>(`/api/earnings?limit=1&cursor=${first.nextCursor}`);
    expect([...first.items, ...next.items].map(({ saleId }) => saleId)).toEqual(ids);
    for (const filter of ['agent=nobody', 'to=2001-01-01', 'from=2199-01-01'])
      expect((await bySeller<EarningPage>(`/api/earnings?${filter}`)).items).toEqual([]);
    expect((await bySeller<EarningPage>(`/api/earnings?agent=${fixture.slug}`)).items.length).toBeGreaterThan(2);
    const bearer = fixture.seller.accessToken;
    const csv = await (await send(`${fixture.url}/api/earnings?format=csv`, { bearer })).text();
    expect(csv).toMatch(/^id,captured_at,kind,sale_id,agent,currency,test,gross,fee,tax,refunded,net,state,hold,/);
    expect(csv).toContain(`,order,${ids[0]},${fixture.slug},EUR,true,1898,94,0,0,1804,pending,refund_window,`);
    expect(csv).not.toContain(buyer.person.userId);
  });

  test.each([
    'cursor=x',
    'limit=0',
    'limit=101',
    'limit=two',
    'from=today',
    'to=2026-13-01',
    `agent=${'a'.repeat(201)}`,
  ])('PAY-1 rejects a list with %s', async (wrong) => {
    const bearer = fixture.seller.accessToken;
    const response = await send(`${fixture.url}/api/earnings?${wrong}`, { bearer });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  test('does not accept the cursor of another list', async () => {
    const { nextCursor } = await bySeller<EarningPage>('/api/sales?limit=1');
    const bearer = fixture.seller.accessToken;
    expect((await send(`${fixture.url}/api/earnings?cursor=${nextCursor}`, { bearer })).status).toBe(400);
  });
});

describe('the fees', () => {
  async function fees(): Promise<Fees> {
    return (await (await fetch(`${fixture.url}/api/fees`)).json()) as Fees;
  }

  test('are public, and a change by the operator is seen by a running node', async () => {
    const euro = { currency: 'EUR', fee: { basisPoints: 500, fixed: 0 }, since: null, next: null };
    expect(await fees()).toMatchObject({ others: { basisPoints: 500, fixed: 0 }, noticeDays: 30 });
    expect((await fees()).items).toContainEqual(euro);
    const [now, from] = [new Date(), new Date(Date.now() + 40 * 86_400_000)];
    await setFee({ currency: 'NOK', basisPoints: 250, fixed: 100 }, now);
    await setFee({ currency: 'NOK', basisPoints: 300, fixed: 100, from }, now);
    const changed = {
      currency: 'NOK',
      fee: { basisPoints: 250, fixed: 100 },
      since: now.toISOString(),
      next: { basisPoints: 300, fixed: 100, from: from.toISOString() },
    };
    await waitFor(async () => (await fees()).items.some(({ currency, next }) => currency === 'NOK' && next !== null), {
      what: 'the change',
    });
    expect((await fees()).items).toContainEqual(changed);
  });
});
