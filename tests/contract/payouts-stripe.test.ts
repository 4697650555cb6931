import { afterAll, beforeAll, expect, test } from 'vitest';
import { fundPlatform } from '../fakes/stripe/balances';
import { failPayout, settlePayout } from '../fakes/stripe/payouts';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { createPerson } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { callsOf, details, earn } from './payouts-fixture';

let stripe: StripeDouble;
let parley: Parley;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  parley = await startParley({ env: { ...stripe.env, PAYOUT_CANCEL_SECONDS: '0' } });
  stripe.notify(parley.url);
  fundPlatform(stripe.state, 1_000_000);
});

afterAll(async () => {
  await parley?.stop();
  await stripe?.stop();
});

/** A seller who has completed the hosted onboarding, and the connected account. */
async function onboarded(amount: number, bank = '000123456789') {
  const person = await createPerson(parley.url, 'Sella');
  const seller = callsOf(parley.url, person);
  await earn(person, amount);
  const { redirectUrl } = (await (await seller.onboard({})).json()) as { redirectUrl: string };
  const before = await seller.account();
  await fetch(redirectUrl, { method: 'POST', body: new URLSearchParams({ bank }), redirect: 'manual' });
  await waitFor(async () => (await seller.account()).onboarding === 'ready', { what: 'the details to be complete' });
  const account = [...stripe.state.accounts.values()].at(-1);
  if (!account) throw new Error('no account was created');
  return { person, seller, account, before };
}

function atBank(accountId: string) {
  const found = [...stripe.state.payouts.values()].filter(({ account }) => account === accountId);
  if (!found[0]) throw new Error('Stripe has no payout');
  return found[0];
}

test('details are asked by Stripe on a page for one visit, what is missing is named, and payouts are manual', async () => {
  const { person, seller, account, before } = await onboarded(1_000);
  expect(before).toMatchObject({ rail: 'stripe_test', onboarding: 'incomplete' });
  expect(before.requirements).toEqual(expect.arrayContaining(['legal_name', 'birth_date', 'address', 'bank_account']));
  expect(account.schedule).toBe('manual');
  expect(JSON.stringify(account)).not.toContain(person.userId);
  expect((await seller.onboard({ details })).status).toBe(400);
  await seller.onboard({});
  const created = stripe.calls.filter(({ method, path }) => method === 'POST' && path === '/v2/core/accounts');
  expect(created.filter(({ params }) => params.contact_email === person.email)).toHaveLength(1);
});

test('a payout arrives, a bank that returns it later makes it available again, whatever the order of events', async () => {
  const { seller, account } = await onboarded(2_000);
  stripe.webhooks.delivery.held = true;
  stripe.webhooks.delivery.times = 3;
  await seller.request();
  await seller.reaches('in_transit');
  settlePayout(stripe.state, atBank(account.id));
  await stripe.webhooks.release();
  const paid = await seller.reaches('paid');
  expect(paid.amount).toBe(2_000);
  failPayout(stripe.state, atBank(account.id));
  await stripe.webhooks.release();
  const failed = await seller.reaches('failed');
  expect(failed).toMatchObject({ code: 'account_closed' });
  expect(failed.reason).toMatch(/closed/);
  await waitFor(async () => (await seller.account()).onboarding === 'incomplete', { what: 'the account to be closed' });
  expect(await seller.account()).toMatchObject({
    requirements: ['bank_account'],
    balances: [{ currency: 'EUR', available: 2_000, transit: 0 }],
  });
  expect(stripe.webhooks.answers.every((status) => status === 200)).toBe(true);
  Object.assign(stripe.webhooks.delivery, { held: false, times: 1 });
});
