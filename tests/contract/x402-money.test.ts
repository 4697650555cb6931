import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseExpiredGuests } from '@/lib/account';
import {
  decideX402Payment,
  issuePapers,
  listX402Duties,
  recordX402Payout,
  recordX402Refund,
  settleEarnings,
} from '@/lib/payments';
import type { Income, PaperContent } from '@/lib/payments/schema-income';
import { send } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { completing, type Listed } from './price-fixture';
import {
  type A2aAnswer,
  atomicPrice,
  balances,
  Payer,
  paymentsFor,
  requiredIn,
  type StoredPayment,
  send10,
  X402Fixture,
} from './x402-fixture';

let fixture: X402Fixture;
let listed: Listed;
let payer: Payer;

beforeAll(async () => {
  fixture = await X402Fixture.start({ TEST_HOLD_MINUTES: '0' });
});
beforeEach(async () => {
  listed = await fixture.list();
  payer = new Payer(fixture.facilitator);
});
afterAll(() => fixture?.stop());

/** A task that was paid and has ended as its agent chose. */
async function buy(): Promise<{ payment: StoredPayment; id: string; token: string }> {
  const response = await fixture.send(listed.slug, send10(), { by: payer.fetch });
  const id = ((await response.json()) as A2aAnswer).result?.task?.id ?? '';
  const [payment] = await paymentsFor(listed.id);
  if (!payment) throw new Error('nothing was paid');
  await waitFor(
    async () => {
      const [open] = await query('test-open', `SELECT FROM task_charge WHERE agent_id = $1 AND state = 'authorized'`, [
        listed.id,
      ]);
      return open === undefined;
    },
    { what: 'the charge to be settled' },
  );
  return { payment, id, token: response.headers.get('parley-task-token') ?? '' };
}

/** A failed sale, of which the payer is owed everything. */
function buyInVain(): Promise<{ payment: StoredPayment; id: string; token: string }> {
  completing(listed.agent, { state: 'failed' });
  return buy();
}

const get = async (path: string): Promise<Response> =>
  send(`${fixture.url}${path}`, { bearer: fixture.shop.seller.accessToken });

test('the seller’s part is a balance in the asset, which no job pays out, and the operator records its payout', async () => {
  await buy();
  await settleEarnings(new Date());
  const sellerId = fixture.shop.seller.userId;
  const { balances: own } = (await (await get('/api/income')).json()) as Income;
  const usdc = own.find(({ currency }) => currency === 'USDC');
  expect(usdc).toMatchObject({ test: true, available: 48 });
  expect(own.some(({ currency }) => currency === 'USD')).toBe(false);
  const payouts = (await (await get('/api/payouts/account')).json()) as { balances: unknown[] };
  expect(payouts.balances).toEqual([]);
  const { payouts: owed } = await listX402Duties();
  expect(owed).toMatchObject([{ sellerId, currency: 'USDC', amount: 48, email: fixture.shop.seller.email }]);
  const payout = { sellerId, currency: 'USDC', transaction: '0xpaid' } as const;
  await expect(recordX402Payout({ ...payout, amount: 49 }, new Date())).rejects.toThrow('but 0.48 USDC is owed');
  await recordX402Payout({ ...payout, amount: 40 }, new Date());
  await expect(recordX402Payout({ ...payout, amount: 8 }, new Date())).rejects.toThrow('already recorded');
  expect(await balances()).toMatchObject({ [`available ${sellerId}`]: 8, 'outside x402': -10 });
});

test('an invoice of such a sale states the currency as which the asset counts', async () => {
  await buy();
  await issuePapers(new Date());
  const rows = await query<{ content: PaperContent }>('test-papers', 'SELECT content FROM paper WHERE agent_id = $1', [
    listed.id,
  ]);
  expect(rows).toMatchObject([{ content: { currency: 'USD', gross: 50 } }]);
});

test('what was paid in vain is owed to the payer until the operator records that it went back, once', async () => {
  const { payment } = await buyInVain();
  const owedTo = async (): Promise<object | undefined> =>
    (await listX402Duties()).refunds.find(({ paymentId }) => paymentId === payment.id);
  expect(await owedTo()).toMatchObject({ payer: payer.key.address, amount: 50, currency: 'USDC', test: true });
  const refund = { paymentId: payment.id, transaction: '0xback' };
  await expect(recordX402Refund({ ...refund, amount: 51 }, new Date())).rejects.toThrow(
    'Found 0.51 USDC, but less is owed',
  );
  await recordX402Refund({ ...refund, amount: 50 }, new Date());
  await expect(recordX402Refund({ ...refund, amount: 50 }, new Date())).rejects.toThrow('already recorded');
  expect(await owedTo()).toBeUndefined();
  await balances();
});

test('after the refund, the token of the payment pays nothing more', async () => {
  const { payment, token } = await buyInVain();
  await recordX402Refund({ paymentId: payment.id, amount: 50, transaction: '0xgone' }, new Date());
  const again = await fixture.send(listed.slug, send10(), { authorization: `Bearer ${token}` });
  expect(again.status).toBe(402);
});

test.each([true, false])('an unclear payment is decided by the operator: taken %s', async (isTaken) => {
  fixture.facilitator.next.settle = [isTaken ? 'lost-after' : 'lost-before'];
  fixture.facilitator.next.settle.push((response) => {
    response.end(JSON.stringify({ success: false, errorReason: 'unexpected_settle_error' }));
  });
  const body = send10();
  const signature = payer.sign(requiredIn(await fixture.send(listed.slug, body)));
  const pay = (): Promise<Response> => fixture.send(listed.slug, body, { 'payment-signature': signature });
  expect((await pay()).status).toBe(503);
  expect((await pay()).status).toBe(409);
  const [payment] = await paymentsFor(listed.id);
  const { unclear } = await listX402Duties();
  expect(unclear.map(({ id }) => id)).toContain(payment?.id);
  const [transaction = null] = isTaken ? [...fixture.facilitator.transfers.values()].slice(-1) : [];
  await decideX402Payment({ paymentId: payment?.id ?? '', transaction }, new Date());
  expect((await pay()).status).toBe(isTaken ? 200 : 402);
  expect(10n * atomicPrice - fixture.facilitator.balanceOf(payer.key.address)).toBe(isTaken ? atomicPrice : 0n);
  await balances();
});

test('after 30 days, the payer’s task is erased and the token ends, but not what is owed', async () => {
  const { payment, id, token } = await buyInVain();
  const task = (): Promise<Response> =>
    fixture.send(
      listed.slug,
      { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } },
      { authorization: `Bearer ${token}` },
    );
  expect(await (await task()).text()).toContain(id);
  const [{ expires } = { expires: new Date(0) }] = await query<{ expires: Date }>(
    'test-expires',
    'SELECT expires_at AS expires FROM guest WHERE id = $1',
    [payment.principal],
  );
  const days = Math.round((expires.getTime() - Date.now()) / 86_400_000);
  expect(days).toBe(30);
  const later = new Date(expires.getTime() + 1_000);
  await eraseExpiredGuests({ now: later, signal: new AbortController().signal });
  expect(await query('test-task', 'SELECT FROM task WHERE principal = $1', [payment.principal])).toEqual([]);
  await waitFor(async () => (await task()).status === 401, { what: 'the token to end' });
  const { refunds } = await listX402Duties();
  expect(refunds.map(({ paymentId }) => paymentId)).toContain(payment.id);
});
