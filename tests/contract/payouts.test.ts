import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutAccountView, PayoutPage, PayoutView } from '@/lib/payments/schema-payouts';
import { createPerson, type Person, send, testPassword } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { callsOf, details, earn } from './payouts-fixture';

let parley: Parley;
let url: string;

beforeAll(async () => {
  parley = await startParley({ env: { PAYOUT_CANCEL_SECONDS: '3', PAYOUT_TEST_SECONDS: '1' } });
  ({ url } = parley);
});

afterAll(() => parley?.stop());

/** A new seller with calls. */
async function newSeller(amount = 0): Promise<{ person: Person; seller: ReturnType<typeof callsOf> }> {
  const person = await createPerson(url, 'Sella');
  if (amount !== 0) await earn(person, amount);
  return { person, seller: callsOf(url, person) };
}

async function tokenOf({ cookie }: Person, scope: string): Promise<string> {
  const call = { cookie, origin: url, body: { name: scope, scopes: [scope] } };
  return ((await (await send(`${url}/api/auth/access-tokens`, call)).json()) as { token: string }).token;
}

async function problemOf(response: Response): Promise<{ status: number; code: string; detail: string }> {
  const { code, detail, title } = (await response.json()) as { code: string; detail?: string; title: string };
  return { status: response.status, code, detail: detail ?? title };
}

describe('payouts of test credits', () => {
  test('are not set up at first, and need who and where, which a token cannot set', async () => {
    const { person, seller } = await newSeller(2_000);
    expect(await seller.account()).toMatchObject({
      rail: 'credits',
      test: true,
      onboarding: 'not_started',
      nextAt: null,
      schedule: { interval: 'weekly', day: 1, minimum: 1_000 },
      balances: [{ currency: 'EUR', available: 2_000, transit: 0 }],
    });
    expect(await problemOf(await seller.request())).toMatchObject({ status: 409, code: 'conflict' });
    const byToken = await send(`${url}/api/payouts/onboarding`, { bearer: person.accessToken, body: { details } });
    expect(byToken.status).toBe(403);
    expect(await problemOf(await seller.onboard({}))).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await seller.onboard()).status).toBe(200);
    const after = await seller.account();
    expect(after).toMatchObject({
      onboarding: 'ready',
      details: { legalName: 'Sella Verde', country: 'DE', bankEnding: '6789' },
      next: [{ currency: 'EUR', minor: 2_000 }],
    });
    expect(JSON.stringify(after)).not.toContain('000123456789');
  });

  test('that are requested take all that is available, and arrive', async () => {
    const { seller } = await newSeller(4_200);
    await seller.onboard();
    const [first, second] = await Promise.all([seller.request(), seller.request()]);
    expect([first?.status, second?.status].sort()).toEqual([200, 409]);
    expect((await seller.account()).balances).toEqual([{ currency: 'EUR', available: 0, transit: 4_200 }]);
    const paid = await seller.reaches('paid');
    expect(paid).toMatchObject({ amount: 4_200, cause: 'request', code: null, cancelableUntil: null });
    expect((await seller.account()).balances).toEqual([{ currency: 'EUR', available: 0, transit: 0 }]);
  });

  test('to a closed account fail with the bank’s words, and wait for another account', async () => {
    const { seller } = await newSeller(3_000);
    await seller.onboard({ details: { ...details, bank: '000111111113' } });
    await seller.request();
    const failed = await seller.reaches('failed');
    expect(failed).toMatchObject({ code: 'account_closed', reason: 'The bank account has been closed.' });
    expect(await seller.account()).toMatchObject({
      onboarding: 'incomplete',
      requirements: ['bank_account'],
      balances: [{ currency: 'EUR', available: 3_000, transit: 0 }],
    });
    await seller.onboard();
    expect((await seller.request()).status).toBe(200);
    await seller.reaches('paid');
  });

  test('can be canceled until the money leaves, by their seller only', async () => {
    const { seller } = await newSeller(1_500);
    const { seller: other } = await newSeller();
    await seller.onboard();
    const created = (await (await seller.request()).json()) as PayoutView;
    expect(created.state).toBe('created');
    expect(created.cancelableUntil).not.toBeNull();
    expect((await other.cancel(created.id)).status).toBe(404);
    expect(await other.list()).toEqual([]);
    const canceled = await seller.cancel(created.id);
    expect(canceled.status).toBe(200);
    expect(((await canceled.json()) as PayoutView).state).toBe('canceled');
    expect((await seller.cancel(created.id)).status).toBe(409);
    expect((await seller.account()).balances).toEqual([{ currency: 'EUR', available: 1_500, transit: 0 }]);
    expect((await seller.cancel('pyo_00000000000000000000')).status).toBe(404);
  });

  test('are not made from too little, from a negative balance, or in a currency without money', async () => {
    const { person, seller } = await newSeller(99);
    await seller.onboard();
    expect((await seller.request()).status).toBe(409);
    expect((await seller.request('USD')).status).toBe(409);
    await earn(person, -500);
    expect((await seller.request()).status).toBe(409);
    expect((await seller.account()).balances).toEqual([{ currency: 'EUR', available: -401, transit: 0 }]);
    expect(await seller.list()).toEqual([]);
  });
});

describe('the schedule', () => {
  test('determines the date and the minimum of the next payout', async () => {
    const { seller } = await newSeller(5_000);
    await seller.onboard();
    const monthly = await seller.schedule({ interval: 'monthly', day: 15, minimum: 6_000 });
    const view = (await monthly.json()) as PayoutAccountView;
    expect(view.schedule).toEqual({ interval: 'monthly', day: 15, minimum: 6_000 });
    expect(view.nextAt).toMatch(/-15T06:00:00/);
    expect(view.next).toEqual([]);
    const manual = (await (await seller.schedule({ interval: 'manual', minimum: 100 })).json()) as PayoutAccountView;
    expect(manual).toMatchObject({ nextAt: null, schedule: { interval: 'manual', day: null } });
  });

  test.each([
    [{ interval: 'daily', day: 1, minimum: 1_000 }],
    [{ interval: 'weekly', day: 8, minimum: 1_000 }],
    [{ interval: 'weekly', minimum: 1_000 }],
    [{ interval: 'monthly', day: 29, minimum: 1_000 }],
    [{ interval: 'manual', minimum: 99 }],
    [{ interval: 'manual', minimum: 10.5 }],
    [{ interval: 'manual', minimum: -1 }],
    [{ interval: 'manual', minimum: 1e12 }],
    [{}],
  ])('is refused with %j', async (body) => {
    const { seller } = await newSeller();
    expect((await seller.schedule(body)).status).toBe(400);
  });
});

test.each([
  ['without a name', { ...details, legalName: ' ' }],
  ['with a country that is no code', { ...details, country: 'Germany' }],
  ['with a short account number', { ...details, bank: '12345' }],
  ['with an account number of other characters', { ...details, bank: '0001<script>' }],
  ['with a very long name', { ...details, legalName: 'x'.repeat(201) }],
])('details %s are refused, with the field', async (_, wrong) => {
  const { seller } = await newSeller();
  const response = await seller.onboard({ details: wrong });
  expect(response.status).toBe(400);
  expect(JSON.stringify(await response.json())).toContain('/details/');
  expect((await seller.account()).onboarding).toBe('not_started');
});

test('a seller who leaves is paid everything at once, and can return to the schedule', async () => {
  const { seller } = await newSeller(7);
  expect((await seller.leave(true)).status).toBe(409);
  await seller.onboard();
  const left = (await (await seller.leave(true)).json()) as PayoutAccountView;
  expect(left).toMatchObject({ leaving: true, balances: [{ currency: 'EUR', available: 0, transit: 7 }] });
  expect((await seller.list()).map(({ amount, cause }) => [amount, cause])).toEqual([[7, 'leave']]);
  await seller.leave(true);
  expect(await seller.list()).toHaveLength(1);
  const back = (await (await seller.leave(false)).json()) as PayoutAccountView;
  expect(back.leaving).toBe(false);
  await seller.reaches('paid');
});

test('payouts are listed newest first, page by page', async () => {
  const { person, seller } = await newSeller();
  await seller.onboard();
  for (const amount of [100, 200, 300]) {
    await earn(person, amount);
    await seller.request();
  }
  const amounts: number[] = [];
  let cursor: string | null = '';
  do {
    const more: string = cursor ? `&cursor=${cursor}` : '';
    const page = await send(`${url}/api/payouts?limit=2${more}`, { bearer: person.accessToken });
    const body = (await page.json()) as PayoutPage;
    amounts.push(...body.items.map(({ amount }) => amount));
    cursor = body.nextCursor;
  } while (cursor);
  expect(amounts).toEqual([300, 200, 100]);
  const wrong = await send(`${url}/api/payouts?cursor=nonsense`, { bearer: person.accessToken });
  expect(wrong.status).toBe(400);
});

test('every endpoint requires a user, and the scope of what it does', async () => {
  const { person } = await newSeller();
  const [reading, other] = [await tokenOf(person, 'agents:read'), await tokenOf(person, 'handshake')];
  const calls: [string, string, object | undefined, string][] = [
    ['GET', '/api/payouts', undefined, other],
    ['GET', '/api/payouts/account', undefined, other],
    ['POST', '/api/payouts', { currency: 'EUR' }, reading],
    ['POST', '/api/payouts/pyo_1/cancel', {}, reading],
    ['PUT', '/api/payouts/schedule', { interval: 'manual', minimum: 100 }, reading],
    ['PUT', '/api/payouts/leaving', { leaving: true }, reading],
    ['POST', '/api/payouts/onboarding', { details }, reading],
  ];
  for (const [method, path, body, bearer] of calls) {
    const anonymous = await send(`${url}${path}`, { method, body });
    expect(anonymous.status, path).toBe(401);
    const limited = await send(`${url}${path}`, { method, body, bearer });
    expect(limited.status, path).toBe(403);
  }
});

test('an account cannot be deleted while its user has real money from sales, and the response says so', async () => {
  const { person } = await newSeller();
  const id = await query<{ id: string }>(
    'test-real-money',
    `INSERT INTO ledger_account (id, kind, owner, currency, test, balance)
     VALUES ('lac_' || $1, 'available', $1, 'EUR', false, 1234) RETURNING id`,
    [person.userId],
  );
  expect(id).toHaveLength(1);
  const response = await send(`${url}/api/account/deletion`, {
    cookie: person.cookie,
    origin: url,
    body: { email: person.email, password: testPassword },
  });
  const { status, detail } = await problemOf(response);
  expect(status).toBe(409);
  expect(detail).toMatch(/1234 minor units of EUR from sales.*Stop selling/);
});
