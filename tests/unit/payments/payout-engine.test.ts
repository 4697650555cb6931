import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { toStripeEvent } from '@/lib/payments/charges/stripe';
import { processStripeEvent } from '@/lib/payments/charges/stripe-events';
import { isTestMode } from '@/lib/payments/charges/stripe-mode';
import { createDuePayouts } from '@/lib/payments/payouts/create-payouts';
import { toPayoutCode, toRequirements } from '@/lib/payments/payouts/requirements';
import { nextPayoutAt } from '@/lib/payments/store/payouts/payout-schedule';
import { changeSellerAccount, findSellerAccount, lockSellerAccount } from '@/lib/payments/store/payouts/seller-rows';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { completeAccount, restrictAccount } from '../../fakes/stripe/accounts';
import { fundPlatform } from '../../fakes/stripe/balances';
import { failPayout, settlePayout } from '../../fakes/stripe/payouts';
import { StripeDouble } from '../../fakes/stripe/stripe-double';
import { fileDatabase } from '../../support/database';
import { PayoutFixture } from './payout-fixture';

let stripe: StripeDouble;
let fixture: PayoutFixture;

const dayMs = 86_400_000;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  Object.assign(process.env, stripe.env, { PAYOUT_CANCEL_SECONDS: '60' });
  await fileDatabase();
});

beforeEach(() => {
  fixture = new PayoutFixture();
});

afterAll(() => stripe?.stop());

/** A seller with a connected account and money, whose payout was created. */
async function started(amount: number, bank: Parameters<typeof completeAccount>[2] = '000123456789') {
  const sellerId = await fixture.seller();
  const accountId = await fixture.connect(stripe, sellerId);
  completeAccount(stripe.state, accountId, bank);
  fundPlatform(stripe.state, amount);
  await fixture.earn(sellerId, amount);
  const [payout] = await fixture.payOut(sellerId);
  if (!payout) throw new Error('no payout was created');
  fixture.advance(61_000);
  return { sellerId, accountId, id: payout.id };
}

async function stateOf(sellerId: string): Promise<string[]> {
  return (await fixture.payouts(sellerId)).map(({ state, code }) => (code ? `${state} ${code}` : state));
}

function atBank(accountId: string) {
  const found = [...stripe.state.payouts.values()].find(({ account }) => account === accountId);
  if (!found) throw new Error('Stripe has no payout');
  return found;
}

/** Delivers all events of the double, without order and repeated. */
async function deliver(shuffle: <T>(list: T[]) => T[] = (list) => [...list].reverse()): Promise<void> {
  const snapshots = stripe.state.events.map(({ id, type, livemode, account, data }) => {
    const metadata = 'metadata' in data.object ? data.object.metadata : null;
    return toStripeEvent({ id, type, livemode, account, metadata });
  });
  const thin = stripe.state.thinEvents.map(({ id, type, livemode, related_object: { id: subject } }) =>
    toStripeEvent({ id, type, livemode, subject }),
  );
  const events = shuffle([...snapshots, ...thin]);
  for (const event of [...events, ...events]) await processStripeEvent(event, fixture.now());
  await fixture.run();
}

describe('a payout by Stripe', () => {
  it('is transferred, sent to the bank and paid once, and its money is in transit until then', async () => {
    const { sellerId, accountId } = await started(5_000);
    expect(await fixture.audit(sellerId)).toEqual({ available: 0, transit: 5_000 });
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['in_transit']);
    expect(await fixture.audit(sellerId)).toEqual({ available: 0, transit: 5_000 });
    settlePayout(stripe.state, atBank(accountId));
    await deliver();
    expect(await stateOf(sellerId)).toEqual(['paid']);
    expect(await fixture.audit(sellerId)).toEqual({ available: 0, transit: 0 });
    await deliver();
    expect([...stripe.state.payouts.values()].filter(({ account }) => account === accountId)).toHaveLength(1);
  });

  it('that the bank refuses is available again, with its reason, and the account has to be entered again', async () => {
    const { sellerId, accountId } = await started(4_000, '000111111113');
    await fixture.run();
    settlePayout(stripe.state, atBank(accountId));
    await deliver();
    expect(await stateOf(sellerId)).toEqual(['failed account_closed']);
    expect((await fixture.payouts(sellerId))[0]?.reason).toMatch(/closed/);
    expect(await fixture.audit(sellerId)).toEqual({ available: 4_000, transit: 0 });
    const account = await findSellerAccount({ userId: sellerId, rail: 'stripe_test' });
    expect(account).toMatchObject({ payoutsEnabled: false, requirements: ['bank_account'] });
  });

  it('that a bank returns days after it was paid is available again, once', async () => {
    const { sellerId, accountId } = await started(3_000);
    await fixture.run();
    settlePayout(stripe.state, atBank(accountId));
    await deliver();
    failPayout(stripe.state, atBank(accountId));
    fixture.advance(dayMs);
    await deliver();
    await deliver();
    expect(await stateOf(sellerId)).toEqual(['failed account_closed']);
    expect(await fixture.audit(sellerId)).toEqual({ available: 3_000, transit: 0 });
  });

  it('reaches its end without webhook events', async () => {
    const { sellerId, accountId } = await started(2_500);
    await fixture.run();
    settlePayout(stripe.state, atBank(accountId));
    fixture.advance(3_700_000);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['paid']);
    failPayout(stripe.state, atBank(accountId));
    fixture.advance(9 * dayMs);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['failed account_closed']);
    expect(await fixture.audit(sellerId)).toEqual({ available: 2_500, transit: 0 });
  });

  it('to a restricted account fails, and its money never left', async () => {
    const { sellerId, accountId } = await started(2_000);
    restrictAccount(stripe.state, accountId, ['identity.individual.documents.primary_verification']);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['failed not_enabled']);
    expect(await fixture.audit(sellerId)).toEqual({ available: 2_000, transit: 0 });
    const account = await findSellerAccount({ userId: sellerId, rail: 'stripe_test' });
    expect(account).toMatchObject({ payoutsEnabled: false, requirements: ['document'] });
  });

  it('waits while the platform’s balance does not cover it, and uses a new key then', async () => {
    const sellerId = await fixture.seller();
    const accountId = await fixture.connect(stripe, sellerId);
    completeAccount(stripe.state, accountId);
    const excess = 1_000_000;
    await fixture.earn(sellerId, excess);
    await fixture.payOut(sellerId);
    fixture.advance(61_000);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['transferring']);
    fundPlatform(stripe.state, excess);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['transferring']);
    fixture.advance(3_700_000);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['in_transit']);
  });

  it('that Stripe refuses after the transfer takes the transfer back', async () => {
    const { sellerId, accountId } = await started(1_500);
    stripe.failNext(/POST \/v1\/payouts$/, 'refused', 2);
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['transferring']);
    restrictAccount(stripe.state, accountId, ['external_account']);
    await fixture.freeClaims();
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['failed not_enabled']);
    expect(await fixture.audit(sellerId)).toEqual({ available: 1_500, transit: 0 });
  });

  it.each([
    [/POST \/v1\/transfers$/, 'transfer'],
    [/POST \/v1\/payouts$/, 'payout'],
  ])('is made once if the response of %s is lost', async (call) => {
    const { sellerId, accountId } = await started(1_200);
    stripe.failNext(call, 'lost', 2);
    await fixture.run();
    await fixture.freeClaims();
    await fixture.run();
    expect(await stateOf(sellerId)).toEqual(['in_transit']);
    expect([...stripe.state.payouts.values()].filter(({ account }) => account === accountId)).toHaveLength(1);
    const transfers = [...stripe.state.transfers.values()].filter(({ destination }) => destination === accountId);
    expect(transfers).toHaveLength(1);
  });
});

describe('payouts that are due', () => {
  it('are created once by two nodes at the same time, from the minimum, in each currency', async () => {
    const sellerId = await fixture.seller();
    await fixture.earn(sellerId, 5_000);
    await fixture.earn(sellerId, 7_000, 'USD');
    await fixture.earn(sellerId, 999, 'GBP');
    await inTransaction(async (tx) => {
      const { id } = await lockSellerAccount(tx, { userId: sellerId, rail: 'stripe_test' }, fixture.now());
      await changeSellerAccount(tx, id, { interval: 'weekly', nextAt: fixture.now(), at: fixture.now() });
    });
    await Promise.all([1, 2, 3, 4].map(() => createDuePayouts(fixture.now())));
    const payouts = await fixture.payouts(sellerId);
    expect(payouts.map(({ currency, amount }) => `${currency} ${amount}`).sort()).toEqual(['EUR 5000', 'USD 7000']);
    const account = await findSellerAccount({ userId: sellerId, rail: 'stripe_test' });
    expect(account?.nextAt?.getTime()).toBeGreaterThan(fixture.now().getTime());
  });

  it('are not created from a negative balance, which later sales repay first', async () => {
    const sellerId = await fixture.seller();
    await fixture.earn(sellerId, 500);
    await fixture.earn(sellerId, -2_000);
    expect(await fixture.payOut(sellerId)).toEqual([]);
    await fixture.earn(sellerId, 2_600);
    expect((await fixture.payOut(sellerId)).map(({ amount }) => amount)).toEqual([1_100]);
  });

  it('of a seller who leaves are created daily, without a minimum', async () => {
    const sellerId = await fixture.seller();
    const at = fixture.now();
    await inTransaction(async (tx) => {
      const { id } = await lockSellerAccount(tx, { userId: sellerId, rail: 'stripe_test' }, at);
      await changeSellerAccount(tx, id, { leftAt: at, nextAt: at, at });
    });
    await createDuePayouts(at);
    await fixture.earn(sellerId, 7);
    await createDuePayouts(at);
    expect(await fixture.payouts(sellerId)).toEqual([]);
    await createDuePayouts(new Date(at.getTime() + dayMs));
    expect((await fixture.payouts(sellerId)).map(({ amount, cause }) => [amount, cause])).toEqual([[7, 'leave']]);
  });
});

test('an event of the other mode, or about an unknown payout or account, has no effect', async () => {
  const { id } = await started(1_000);
  const before = await db().payoutJob.findMany({ orderBy: { id: 'asc' } });
  const live = isTestMode();
  const base = { id: 'evt_other_mode', type: 'payout.paid', live, reference: null, accountId: null, disputeId: null };
  await processStripeEvent({ ...base, payoutId: id }, fixture.now());
  await processStripeEvent({ ...base, id: 'evt_unknown', live: !live, payoutId: 'pyo_unknown' }, fixture.now());
  await processStripeEvent(
    { ...base, id: 'evt_acct', live: !live, payoutId: null, accountId: 'acct_x' },
    fixture.now(),
  );
  expect(await db().payoutJob.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
});

test.each([
  ['weekly', 1, '2026-11-30T05:00:00Z', '2026-11-30T06:00:00Z'],
  ['weekly', 1, '2026-11-30T06:00:00Z', '2026-12-07T06:00:00Z'],
  ['weekly', 7, '2026-11-30T12:00:00Z', '2026-12-06T06:00:00Z'],
  ['monthly', 28, '2027-01-28T06:00:00Z', '2027-02-28T06:00:00Z'],
  ['monthly', 1, '2026-12-15T00:00:00Z', '2027-01-01T06:00:00Z'],
] as const)('the next payout of a %s schedule on day %i after %s is at %s', (...[interval, day, after, expected]) => {
  const next = nextPayoutAt({ interval, day, leftAt: null }, new Date(after));
  expect(next?.toISOString()).toBe(new Date(expected).toISOString());
  expect(nextPayoutAt({ interval: 'manual', day, leftAt: null }, new Date(after))).toBeNull();
});

test('Stripe’s names of requirements and failures are put in our words', () => {
  const names = [
    'individual.dob.day',
    'individual.dob.year',
    'external_account',
    'tos_acceptance.date',
    'something.new',
  ];
  expect(toRequirements(names)).toEqual(['birth_date', 'bank_account', 'terms', 'other']);
  expect(toRequirements(['identity.individual.address.line1', 'identity.individual.surname'])).toEqual([
    'address',
    'legal_name',
  ]);
  expect([toPayoutCode('no_account'), toPayoutCode('strange'), toPayoutCode(null)]).toEqual([
    'bank_account',
    'other',
    'other',
  ]);
});
