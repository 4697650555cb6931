import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpendingAlerts } from '@/lib/payments/schema-spending';
import { saveAlerts } from '@/lib/payments/store/limits-and-alerts';
import { findDigestTime, leaseDigests } from '@/lib/payments/store/outbox';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import {
  approve,
  ask,
  askWithPasskey,
  createPaymentsFixture,
  offerOf,
  type PaymentsFixture,
  review,
} from './payments-fixture';
import { createStanding, newStandingBuyer, nextStandingOffer, type StandingBuyer } from './standing-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

/** The emails to a buyer whose subject contains this. */
function emailsTo({ person }: StandingBuyer, subject: string): string[] {
  const outbox = join(fixture.dataDir, 'outbox');
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

function setMonthLimit({ client }: StandingBuyer, amount: number): Promise<unknown> {
  const limit = { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount };
  return ask(client, '/api/spending/limits', { method: 'PUT', body: limit });
}

async function chooseEmails({ client }: StandingBuyer, emails: 'each' | 'daily'): Promise<void> {
  const path = '/api/spending/automatic-payments/emails';
  const { status, body } = await ask(client, path, { method: 'PUT', body: { emails } });
  expect([status, body]).toEqual([200, { emails }]);
}

/** Makes the daily emails about payments of the buyer due. */
async function endDay({ person: { userId } }: StandingBuyer): Promise<void> {
  await db().spendingAlert.updateMany({ where: { userId, dueAt: { not: null } }, data: { dueAt: new Date(0) } });
}

/** The alert of the automatic payment of an order. */
const automaticOf = (orderId: string) => db().spendingAlert.findFirstOrThrow({ where: { orderId, kind: 'automatic' } });

describe('an approved order', () => {
  test('is announced as the first payment, by email and in the list, until the user views it', async () => {
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

  test('triggers one new alert, for the highest threshold of a limit that it reaches, after earlier alerts were viewed', async () => {
    const buyer = await newStandingBuyer(fixture);
    await setMonthLimit(buyer, 3_900);
    const [{ at = '' } = {}] = await alertsOf(buyer);
    await ask(buyer.client, '/api/spending/alerts/seen', { method: 'PUT', body: { until: at } });
    const { id } = await offerOf(fixture, { client: buyer.client });
    expect((await approve(buyer.client, (await review(buyer.client, id)).body)).status).toBe(200);
    const [limit, ...others] = await alertsOf(buyer);
    expect(limit).toMatchObject({
      isNew: true,
      alert: { kind: 'limit', percent: 80, scope: 'account', period: 'month', used: 3_796, amount: 3_900 },
    });
    expect(others.map(({ isNew }) => isNew)).toEqual([false]);
    const emails = await emailed(buyer, 'was approved', 2);
    expect(emails.join('\n')).toContain(
      'You have used 80% of the limit for your account: 37.96 EUR of 39.00 EUR per month.',
    );
  });

  test('is announced only to its buyer, and not to a token that cannot pay', async () => {
    const [buyer, other] = [await newStandingBuyer(fixture), await newStandingBuyer(fixture)];
    expect((await alertsOf(other)).map(({ orderId }) => orderId)).toEqual([other.first.id]);
    await ask(other.client, '/api/spending/alerts/seen', { method: 'PUT', body: { until: new Date().toISOString() } });
    expect((await alertsOf(buyer))[0]?.isNew).toBe(true);
    const path = '/api/auth/access-tokens';
    const paying = async (): Promise<string> => {
      const call = { path, method: 'POST', body: { name: 'CI', scopes: ['pay'] } };
      return (await askWithPasskey<{ token: string }>(buyer.client, buyer.key, call)).body.token;
    };
    const reading = await ask<{ token: string }>(buyer.client, path, { body: { name: 'CI', scopes: ['agents:read'] } });
    const listed = async (bearer?: string) => (await send(`${fixture.url}/api/spending/alerts`, { bearer })).status;
    expect([await listed(await paying()), await listed(reading.body.token), await listed()]).toEqual([200, 403, 401]);
    const bearer = await paying();
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
  test('is emailed immediately, once, as a receipt that names the standing approval', async () => {
    const buyer = await newStandingBuyer(fixture);
    await createStanding(buyer);
    const order = await nextStandingOffer(fixture, buyer);
    const receiptOf = () => emailsTo(buyer, 'Your receipt').find((text) => text.includes(order.id));
    expect(await waitFor(receiptOf, { what: 'the receipt' })).toContain('Your standing approval paid 18.98 EUR.');
    expect(kindsOf(await alertsOf(buyer))).toEqual(['automatic', 'first_payment']);
    expect((await automaticOf(order.id)).dueAt).toBeNull();
  });

  test('is listed with its amount in one daily email for all automatic payments', async () => {
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
    await endDay(buyer);
    const [email = ''] = await emailed(buyer, '3 orders approved automatically');
    for (const order of paid) expect(email).toContain(`: paid\r\n${fixture.url}/orders/${order.id}\r\n`);
    expect(email).toContain(`: not completed, and not charged\r\n${fixture.url}/orders/${id}\r\n`);
    expect(emailsTo(buyer, 'Your receipt').some((text) => paid.some((order) => text.includes(order.id)))).toBe(false);
    expect(emailsTo(buyer, 'was not paid')).toEqual([]);
    const isMarked = async () => (await automaticOf(id)).emailedAt !== null;
    await waitFor(isMarked, { what: 'the payments to be marked as emailed' });
  });

  test('is announced immediately if it is the second within an hour, even to users of the daily email', async () => {
    const buyer = await newStandingBuyer(fixture);
    await chooseEmails(buyer, 'daily');
    const standingId = await createStanding(buyer, { maxPerMonth: null });
    const repeated = async () => (await alertsOf(buyer)).filter(({ alert }) => alert.kind === 'repeated');
    await nextStandingOffer(fixture, buyer);
    expect(await repeated()).toEqual([]);
    const second = await nextStandingOffer(fixture, buyer);
    expect(await repeated()).toMatchObject([{ orderId: second.id, isNew: true, alert: { payments: 2 } }]);
    const sentence = 'A standing approval has paid 2 times within an hour.';
    const isEmailed = () => emailsTo(buyer, 'was approved').some((text) => text.includes(sentence));
    await waitFor(isEmailed, { what: 'the email about the second payment', timeout: 30_000 });
    const hourAgo = new Date(Date.now() - 3_600_000);
    await db().paymentOrder.updateMany({ where: { standingId }, data: { approvedAt: hourAgo } });
    await nextStandingOffer(fixture, buyer);
    expect(await repeated()).toHaveLength(1);
  });

  test('is reported after midnight in the buyer’s zone, even on days when the clocks change', async () => {
    const buyer = await newStandingBuyer(fixture);
    await chooseEmails(buyer, 'daily');
    const { userId } = buyer.person;
    const dueAt = async (timeZone: string, at: string): Promise<string | undefined> => {
      await db().paymentSetting.update({ where: { userId }, data: { timeZone } });
      const due = await inTransaction((tx) => findDigestTime(tx, userId, new Date(at)));
      return due?.toISOString();
    };
    expect(await dueAt('Pacific/Kiritimati', '2031-01-01T23:00:00Z')).toBe('2031-01-02T10:15:00.000Z');
    expect(await dueAt('Europe/Berlin', '2031-03-30T00:30:00Z')).toBe('2031-03-30T22:15:00.000Z');
    expect(await dueAt('Europe/Berlin', '2031-10-26T00:30:00Z')).toBe('2031-10-26T23:15:00.000Z');
    await chooseEmails(buyer, 'each');
    expect(await dueAt('Europe/Berlin', '2031-10-26T00:30:00Z')).toBeUndefined();
  });

  test('is leased to one node together with the user’s other payments, and leased again if the email was not sent', async () => {
    const userId = newId('usr');
    const { first } = await newStandingBuyer(fixture);
    const orders = [first.id, first.id, first.id];
    const at = new Date('2031-01-01T12:00:00Z');
    await inTransaction(async (tx) => {
      for (const orderId of orders)
        await saveAlerts(tx, { userId, orderId, at, digestAt: at }, [{ kind: 'automatic' }]);
    });
    const lease = async (now: string): Promise<number> => {
      const found = await inTransaction((tx) => leaseDigests(tx, { now: new Date(now), limit: 50 }));
      return found.get(userId)?.length ?? 0;
    };
    expect(await lease('2031-01-01T11:59:59Z')).toBe(0);
    const leased = await Promise.all(Array.from({ length: 4 }, () => lease('2031-01-01T12:00:00Z')));
    expect(leased.sort()).toEqual([0, 0, 0, 3]);
    expect(await lease('2031-01-01T12:09:59Z')).toBe(0);
    expect(await lease('2031-01-01T12:10:00Z')).toBe(3);
    expect(await lease('2031-01-01T12:29:59Z')).toBe(0);
    expect(await lease('2031-01-01T12:30:00Z')).toBe(3);
    for (let attempt = 4; attempt <= 10; attempt++) expect(await lease(`2031-02-0${attempt - 3}T13:00:00Z`)).toBe(3);
    expect(await lease('2032-01-01T00:00:00Z')).toBe(0);
  });
});
