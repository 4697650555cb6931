import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeAccount, restrictAccount } from '../../fakes/stripe/accounts';
import { fundPlatform, PLATFORM } from '../../fakes/stripe/balances';
import { failPayout, settlePayout } from '../../fakes/stripe/payouts';
import { StripeDouble } from '../../fakes/stripe/stripe-double';

// The double of Stripe Connect is trusted because Stripe's own SDK accepts it.

let double: StripeDouble;
let stripe: Stripe;

beforeAll(async () => {
  double = await StripeDouble.start();
  const { hostname: host, port } = new URL(double.url);
  const options = { host, port, protocol: 'http' as const, maxNetworkRetries: 1, telemetry: false };
  stripe = new Stripe('sk_test_of_the_double', options);
});

afterAll(() => double.stop());

const draft: Stripe.V2.Core.AccountCreateParams = {
  contact_email: 'sella@example.com',
  dashboard: 'express',
  defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
};

async function refusal(asked: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error(`expected a refusal of Stripe, found ${String(error)}`);
}

/** A connected account whose owner has completed the onboarding. */
async function seller(bank: Parameters<typeof completeAccount>[2] = '000123456789'): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(draft);
  completeAccount(double.state, id, bank);
  return id;
}

async function funded(amount: number, bank?: Parameters<typeof completeAccount>[2]): Promise<string> {
  const id = await seller(bank);
  fundPlatform(double.state, amount);
  await stripe.transfers.create({ amount, currency: 'eur', destination: id });
  return id;
}

async function balanceOf(stripeAccount?: string): Promise<number> {
  const { available } = await stripe.balance.retrieve({}, stripeAccount ? { stripeAccount } : {});
  return available.find(({ currency }) => currency === 'eur')?.amount ?? 0;
}

describe('a connected account', () => {
  it('requires who is liable, and is restricted until its owner has completed the hosted onboarding', async () => {
    const { defaults: _, ...incomplete } = draft;
    expect(await refusal(stripe.v2.core.accounts.create(incomplete))).toMatchObject({ statusCode: 400 });
    const { id } = await stripe.v2.core.accounts.create(draft);
    const include = ['configuration.recipient' as const, 'requirements' as const];
    const before = await stripe.v2.core.accounts.retrieve(id, { include });
    expect(before.requirements?.entries?.length).toBeGreaterThan(0);
    const { url } = await stripe.v2.core.accountLinks.create({
      account: id,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: 'https://p.test/again', return_url: 'https://p.test/done' },
      },
    });
    expect(await (await fetch(url)).text()).toContain('Bank account');
    const form = { method: 'POST', body: new URLSearchParams({ bank: '000123456789' }), redirect: 'manual' as const };
    expect((await fetch(url, form)).headers.get('location')).toBe('https://p.test/done');
    expect(await (await fetch(url)).text()).toContain('expired');
    const after = await stripe.v2.core.accounts.retrieve(id, { include });
    expect(after.requirements?.entries).toEqual([]);
    expect(after.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe('active');
    expect(double.state.thinEvents.map(({ type }) => type)).toContain('v2.core.account[requirements].updated');
  });
});

describe('a transfer', () => {
  it('requires the platform’s balance and an active account, and keeps a refusal for its idempotency key', async () => {
    const { id: incomplete } = await stripe.v2.core.accounts.create(draft);
    const params = { amount: 500, currency: 'eur', destination: await seller() };
    expect(await refusal(stripe.transfers.create({ ...params, destination: incomplete }))).toMatchObject({
      code: 'insufficient_capabilities_for_transfer',
    });
    const poor = await refusal(stripe.transfers.create(params, { idempotencyKey: 'poor' }));
    expect(poor).toMatchObject({ code: 'balance_insufficient' });
    fundPlatform(double.state, 500);
    expect(await refusal(stripe.transfers.create(params, { idempotencyKey: 'poor' }))).toMatchObject({
      code: 'balance_insufficient',
    });
    await stripe.transfers.create(params, { idempotencyKey: 'funded' });
    expect(await balanceOf(params.destination)).toBe(500);
    expect(await balanceOf()).toBe(0);
  });

  it('can be taken back while the connected account has the money', async () => {
    const id = await funded(700);
    const [transfer] = (await stripe.transfers.list({ limit: 1 })).data;
    if (!transfer) throw new Error('no transfer');
    await stripe.transfers.createReversal(transfer.id, {});
    expect([await balanceOf(id), await balanceOf()]).toEqual([0, 700]);
    expect((await stripe.transfers.listReversals(transfer.id)).data).toHaveLength(1);
    expect(await refusal(stripe.transfers.createReversal(transfer.id, {}))).toMatchObject({ statusCode: 400 });
  });
});

describe('a payout', () => {
  it('leaves the account’s balance, arrives later, and is listed with its balance transaction', async () => {
    const stripeAccount = await funded(900);
    const payout = await stripe.payouts.create({ amount: 900, currency: 'eur' }, { stripeAccount });
    expect(payout.status).toBe('pending');
    expect(await balanceOf(stripeAccount)).toBe(0);
    double.state.advance(3 * 24 * 3_600_000);
    expect((await stripe.payouts.retrieve(payout.id, {}, { stripeAccount })).status).toBe('paid');
    const moved = await stripe.balanceTransactions.list({ payout: payout.id }, { stripeAccount });
    expect(moved.data.map(({ type, amount }) => [type, amount])).toEqual([['payout', -900]]);
    const paid = double.state.events.find(({ type }) => type === 'payout.paid');
    expect(paid?.account).toBe(stripeAccount);
    expect(await refusal(stripe.payouts.retrieve(payout.id))).toMatchObject({ statusCode: 404 });
  });

  it.each(['000111111116', '000111111113', '000444444440'] as const)(
    'to the bank account %s fails, returns to the balance, and restricts the account',
    async (bank) => {
      const stripeAccount = await funded(300, bank);
      const { id } = await stripe.payouts.create({ amount: 300, currency: 'eur' }, { stripeAccount });
      const stored = double.state.payouts.get(id);
      if (stored) settlePayout(double.state, stored);
      const failed = await stripe.payouts.retrieve(id, {}, { stripeAccount });
      expect(failed.status).toBe('failed');
      expect(failed.failure_message).toBeTruthy();
      expect(await balanceOf(stripeAccount)).toBe(300);
      expect(await refusal(stripe.payouts.create({ amount: 300, currency: 'eur' }, { stripeAccount }))).toMatchObject({
        statusCode: 400,
      });
    },
  );

  it('that was paid can still fail', async () => {
    const stripeAccount = await funded(400);
    const { id } = await stripe.payouts.create({ amount: 400, currency: 'eur' }, { stripeAccount });
    const stored = double.state.payouts.get(id);
    if (!stored) throw new Error('no payout');
    settlePayout(double.state, stored);
    failPayout(double.state, stored);
    failPayout(double.state, stored);
    expect((await stripe.payouts.retrieve(id, {}, { stripeAccount })).status).toBe('failed');
    expect(await balanceOf(stripeAccount)).toBe(400);
  });

  it('is refused for a restricted account, an amount that is not there, and without an account', async () => {
    const stripeAccount = await funded(200);
    expect(await refusal(stripe.payouts.create({ amount: 201, currency: 'eur' }, { stripeAccount }))).toMatchObject({
      code: 'balance_insufficient',
    });
    restrictAccount(double.state, stripeAccount, ['external_account']);
    expect(await refusal(stripe.payouts.create({ amount: 200, currency: 'eur' }, { stripeAccount }))).toMatchObject({
      code: 'payouts_not_allowed',
    });
    expect(await refusal(stripe.payouts.create({ amount: 1, currency: 'eur' }))).toMatchObject({ statusCode: 404 });
  });

  it('can be canceled before it is at the bank', async () => {
    const stripeAccount = await funded(100);
    const { id } = await stripe.payouts.create({ amount: 100, currency: 'eur' }, { stripeAccount });
    expect((await stripe.payouts.cancel(id, {}, { stripeAccount })).status).toBe('canceled');
    expect(await balanceOf(stripeAccount)).toBe(100);
  });
});

it('every movement of a balance has its counterpart, or money entered or left Stripe', () => {
  const all = [...double.state.transactions].flatMap(([owner, list]) => list.map((one) => ({ owner, ...one })));
  const external = ['topup', 'payout', 'payout_failure', 'payout_cancel', 'charge', 'refund'];
  const inside = all.filter(({ type }) => !external.includes(type)).reduce((sum, { net }) => sum + net, 0);
  expect(inside).toBe(0);
  expect(all.some(({ owner }) => owner === PLATFORM)).toBe(true);
});
