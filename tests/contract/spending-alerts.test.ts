import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpendingAlerts } from '@/lib/payments/schema-spending-alerts';
import { db } from '@/lib/platform/db';
import { send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { approve, ask, type OwnPaymentsFixture, offerOf, review, startPaymentsFixture } from './payments-fixture';
import { createStanding, newStandingBuyer, nextStandingOffer, type StandingBuyer } from './standing-fixture';

let fixture: OwnPaymentsFixture;

beforeAll(async () => {
  fixture = await startPaymentsFixture();
});

afterAll(() => fixture?.close());

/** The emails to a buyer whose subject contains this. */
function emailsTo({ person }: StandingBuyer, subject: string): string[] {
  const outbox = join(fixture.parley.dataDir, 'outbox');
  return readdirSync(outbox)
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
    .filter(
      (text) => text.includes(`To: ${person.email}\r\n`) && text.match(/^Subject: (.*)$/m)?.[1]?.includes(subject),
    );
}

const emailed = (buyer: StandingBuyer, subject: string, count = 1): Promise<string[]> =>
  waitFor(
    () => {
      const emails = emailsTo(buyer, subject);
      return emails.length >= count ? emails : null;
    },
    { what: `${count} emails "${subject}"`, timeout: 30_000 },
  );

async function alertsOf({ client }: Pick<StandingBuyer, 'client'>): Promise<SpendingAlerts['items']> {
  return (await ask<SpendingAlerts>(client, '/api/spending/alerts')).body.items;
}

const kindsOf = (items: SpendingAlerts['items']): string[] => items.map(({ alert }) => alert.kind).sort();

function setDayLimit({ client }: StandingBuyer, amount: number): Promise<unknown> {
  const limit = { scope: 'account', subject: '', period: 'day', currency: 'EUR', amount };
  return ask(client, '/api/spending/limits', { method: 'PUT', body: limit });
}

async function chooseEmails({ client }: StandingBuyer, emails: 'each' | 'daily'): Promise<void> {
  const path = '/api/spending/automatic-payments/emails';
  const { status, body } = await ask(client, path, { method: 'PUT', body: { emails } });
  expect([status, body]).toEqual([200, { emails }]);
}

/** As if the payments of the buyer had been made two days ago. */
async function ageAlerts({ person: { userId } }: StandingBuyer): Promise<void> {
  await db().spendingAlert.updateMany({ where: { userId }, data: { at: new Date(Date.now() - 2 * 86_400_000) } });
}

describe('an approved order', () => {
  test('is announced as first payment, by email and in the list, until it was seen', async () => {
    const buyer = await newStandingBuyer(fixture);
    const [first] = await alertsOf(buyer);
    expect(first).toMatchObject({
      isNew: true,
      orderId: buyer.first.id,
      agent: { slug: fixture.slug },
      total: { currency: 'EUR', minor: 1_898 },
      alert: { kind: 'first_payment' },
    });
    const [email] = await emailed(buyer, 'Spending: an order of 18.98 EUR was approved');
    expect(email).toContain('This is your first payment to this merchant.');
    const seen = (until: string) => ask(buyer.client, '/api/spending/alerts/seen', { method: 'PUT', body: { until } });
    expect((await seen(first?.at ?? '')).status).toBe(204);
    expect((await seen('2020-01-01T00:00:00.000Z')).status).toBe(204);
    expect((await alertsOf(buyer))[0]?.isNew).toBe(false);
    expect((await seen('yesterday')).status).toBe(400);
  });

  test('that uses a share of a limit is announced once with the highest share, and the next is new', async () => {
    const buyer = await newStandingBuyer(fixture);
    await setDayLimit(buyer, 3_900);
    const [{ at = '' } = {}] = await alertsOf(buyer);
    await ask(buyer.client, '/api/spending/alerts/seen', { method: 'PUT', body: { until: at } });
    const { id } = await offerOf(fixture, { client: buyer.client });
    expect((await approve(buyer.client, (await review(buyer.client, id)).body)).status).toBe(200);
    const [limit, ...others] = await alertsOf(buyer);
    expect(limit).toMatchObject({
      isNew: true,
      alert: { kind: 'limit', percent: 80, scope: 'account', period: 'day', used: 3_796, amount: 3_900 },
    });
    expect(others.map(({ isNew }) => isNew)).toEqual([false]);
    const emails = await emailed(buyer, 'was approved', 2);
    expect(emails.join('\n')).toContain('80 % of the limit of your account is used: 37.96 EUR of 39.00 EUR per day.');
  });

  test('is in the lists of no one else, nor of a token that cannot pay', async () => {
    const [buyer, other] = [await newStandingBuyer(fixture), await newStandingBuyer(fixture)];
    expect((await alertsOf(other)).map(({ orderId }) => orderId)).toEqual([other.first.id]);
    await ask(other.client, '/api/spending/alerts/seen', { method: 'PUT', body: { until: new Date().toISOString() } });
    expect((await alertsOf(buyer))[0]?.isNew).toBe(true);
    const tokenOf = async (scopes: string[]): Promise<string> => {
      const { cookie } = buyer.person;
      const path = `${fixture.url}/api/auth/access-tokens`;
      const created = await send(path, { cookie, origin: fixture.url, body: { name: 'CI', scopes } });
      return ((await created.json()) as { token: string }).token;
    };
    const listed = async (bearer?: string) => (await send(`${fixture.url}/api/spending/alerts`, { bearer })).status;
    expect([await listed(await tokenOf(['pay'])), await listed(await tokenOf(['agents:read'])), await listed()]).toEqual([
      200, 403, 401,
    ]);
    const bearer = await tokenOf(['pay']);
    for (const [path, body] of [
      ['/api/spending/alerts/seen', { until: new Date().toISOString() }],
      ['/api/spending/automatic-payments/emails', { emails: 'daily' }],
    ] as const) {
      const refused = await send(`${fixture.url}${path}`, { method: 'PUT', bearer, body });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });
});

describe('an automatic payment', () => {
  test('is emailed at once, once, as a receipt that names the standing approval', async () => {
    const buyer = await newStandingBuyer(fixture);
    await createStanding(buyer);
    const order = await nextStandingOffer(fixture, buyer);
    const receipt = await waitFor(() => emailsTo(buyer, 'Your receipt').find((text) => text.includes(order.id)), {
      what: 'the receipt',
    });
    expect(receipt).toContain('Your standing approval paid 18.98 EUR.');
    expect(kindsOf(await alertsOf(buyer))).toEqual(['automatic', 'first_payment']);
    await ageAlerts(buyer);
    const second = await newStandingBuyer(fixture);
    await chooseEmails(second, 'daily');
    await createStanding(second);
    await nextStandingOffer(fixture, second);
    await ageAlerts(second);
    await emailed(second, '1 automatic payment');
    expect(emailsTo(buyer, 'automatic payment')).toEqual([]);
  });

  test('is in one email a day with the others, which lists those that were not charged', async () => {
    const buyer = await newStandingBuyer(fixture);
    await chooseEmails(buyer, 'daily');
    await createStanding(buyer, { maxPerMonth: null });
    const paid = [await nextStandingOffer(fixture, buyer), await nextStandingOffer(fixture, buyer)];
    fixture.merchant.onMandate = 'refuse';
    const { id } = await offerOf(fixture, { client: buyer.client });
    const isEnded = async () =>
      (await db().paymentOrder.findUniqueOrThrow({ where: { id } })).state === 'merchant_rejected';
    await waitFor(isEnded, { what: 'the merchant to reject an order' });
    fixture.merchant.onMandate = 'confirm';
    await ageAlerts(buyer);
    const [email = ''] = await emailed(buyer, '3 automatic payments');
    for (const order of paid) expect(email).toContain(`/orders/${order.id}`);
    expect(email).toContain(`(not charged: the order was not completed)\r\n${fixture.url}/orders/${id}`);
    expect(emailsTo(buyer, 'Your receipt').some((text) => text.includes(paid[0]?.id ?? ''))).toBe(false);
    expect(kindsOf(await alertsOf(buyer)).filter((kind) => kind === 'automatic')).toHaveLength(3);
  });

  test('of the current day waits for the end of the day in the buyer’s zone', async () => {
    const buyer = await newStandingBuyer(fixture);
    await chooseEmails(buyer, 'daily');
    await createStanding(buyer);
    await nextStandingOffer(fixture, buyer);
    const { claimDigests } = await import('@/lib/payments/store/automatic-digests');
    const { userId } = buyer.person;
    await db().paymentSetting.update({ where: { userId }, data: { timeZone: 'Pacific/Kiritimati' } });
    // 13:00 in Kiritimati on the first day, and 01:00 of the second day.
    await db().spendingAlert.updateMany({ where: { userId }, data: { at: new Date('2031-01-01T23:00:00Z') } });
    const claimed = async (now: string) => (await claimDigests(new Date(now), 500)).get(userId)?.length ?? 0;
    expect(await claimed('2031-01-02T09:59:59Z')).toBe(0);
    expect(await claimed('2031-01-02T10:00:00Z')).toBe(1);
    expect(await claimed('2031-01-03T10:00:00Z')).toBe(0);
  });
});
