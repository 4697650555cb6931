import { describe, expect, test } from 'vitest';
import { type StandingText, writeStandingText } from '@/lib/payments/ap2/standing-text';
import type { OrderRecord } from '@/lib/payments/record';
import type { StandingFailure } from '@/lib/payments/schema-standing';
import { findStandingFailure } from '@/lib/payments/standing/pay-by-standing';
import type { StandingRecord } from '@/lib/payments/store/approvals';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId, newUuid } from '@/lib/platform/ids';
import { MESSAGE_ORIGINS, messageKey } from '@/lib/protocol/a2a/core/message-origin';
import type { JsonObject } from '@/lib/protocol/json';
import { useTestDatabase } from '../../support/database';
import { OrderFixture } from './order-fixture';

useTestDatabase();

const issuer = 'https://shop.example';
const dayMs = 86_400_000;

/** A checkout of AP2 0.2 as its merchant's JWT; findStandingFailure is given verified ones. */
function checkoutOf(checkout: JsonObject): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'ES256' })}.${encode(checkout)}.c2ln`;
}

const line = (id: string, quantity = 1): JsonObject => ({ item: { id, title: id }, quantity });
const merchant = { id: 'trattoria', name: 'Trattoria' };

interface Case {
  terms?: Partial<StandingText['terms']>;
  text?: Partial<StandingText>;
  standing?: Partial<StandingRecord>;
  order?: Partial<OrderRecord>;
  /** Ages in days of the orders of 10.00 that it paid. */
  paidDaysAgo?: number[];
  /** The state of these orders. */
  paidState?: OrderRecord['state'];
  /** The user approved another order in answer to the same message. */
  isMessageUsed?: boolean;
}

const now = new Date('2026-11-18T12:00:00Z');

/** A standing approval of 20.00 per order at the merchant, and an order of 10.00 there. */
async function failureOf({
  paidDaysAgo = [],
  paidState: state = 'captured',
  ...given
}: Case): Promise<StandingFailure | null> {
  const { terms, text, standing, order, isMessageUsed = false } = given;
  const fixture = new OrderFixture();
  const userId = newId('usr');
  const id = newId('sta');
  const checkoutJwt = checkoutOf({ merchant, line_items: [line('margherita')] });
  const stored = await fixture.offer({ userId, amount: 1_000 });
  for (const days of paidDaysAgo) {
    const { id: orderId } = await fixture.offer({ userId, amount: 1_000 });
    const approvedAt = new Date(now.getTime() - days * dayMs);
    const data = { state, method: 'wallet', approvedAt, standingId: id };
    await db().paymentOrder.update({ where: { id: orderId }, data });
  }
  const answeredMessage = messageKey(newUuid(), 1);
  if (isMessageUsed) {
    const { id: orderId } = await fixture.offer({ userId });
    const data = { answeredOrigin: 'person', answeredMessage, approvedAt: now };
    await db().paymentOrder.update({ where: { id: orderId }, data });
  }
  const expiresAt = new Date('2027-01-01T00:00:00Z');
  const written: StandingText = {
    ...{ v: 1, id, user_id: userId, agent_id: 'agt_pizzeria', issuer, payee: merchant, currency: 'EUR', test: true },
    terms: {
      ...{ maxPerOrder: 2_000, maxPerMonth: null, maxTotal: 20_000, frequency: 'ON_DEMAND', maxUses: null },
      ...{ maxPerDay: 3, onlySameItems: false, until: '2026-12-31', ...terms },
    },
    ...{ items: null, nonce: 'n', expires_at: expiresAt.toISOString(), ...text },
  };
  const record: StandingRecord = {
    ...{ id, userId, agentId: 'agt_pizzeria', issuer, currency: 'EUR', text: writeStandingText(written) },
    ...{ checkout: 'open', payment: 'open', credentialId: 'ses_1', assertion: null, createdAt: now, expiresAt },
    ...{ signedAt: now, pausedAt: null, revokedAt: null, ...standing },
  };
  const asked = { answeredOrigin: 'person' as const, answeredMessage };
  const offered = { ...stored, issuer, checkoutJwt, ...asked, ...order };
  return inTransaction((tx) => findStandingFailure(tx, { standing: record, order: offered, now }));
}

test('a standing approval covers an order within all terms', async () => {
  expect(await failureOf({})).toBeNull();
  expect(await failureOf({ order: { amount: 2_000 } })).toBeNull();
});

describe('a standing approval', () => {
  test.each<[string, Case, StandingFailure]>([
    ['of another agent', { order: { agentId: 'agt_other' } }, 'payment.allowed_payees'],
    ['signed by another issuer', { order: { issuer: 'https://evil.example' } }, 'payment.allowed_payees'],
    [
      'of a merchant with the same name and another id',
      { order: { checkoutJwt: checkoutOf({ merchant: { id: 'other', name: 'Trattoria' } }) } },
      'checkout.allowed_merchants',
    ],
    [
      'of a merchant whose id is not a string',
      { order: { checkoutJwt: checkoutOf({ merchant: { id: 42, name: 'Trattoria' } }) } },
      'payment.allowed_payees',
    ],
    ['with an amount one minor unit too high', { order: { amount: 2_001 } }, 'payment.amount_range'],
    ['in another currency', { order: { currency: 'USD' } }, 'payment.amount_range'],
    ['that exceeds the total', { terms: { maxTotal: 2_999 }, paidDaysAgo: [60, 59] }, 'payment.budget'],
    ['that exceeds the monthly maximum', { terms: { maxPerMonth: 1_999 }, paidDaysAgo: [3] }, 'month'],
    [
      'after the maximum number of uses',
      { terms: { maxUses: 2 }, paidDaysAgo: [300, 200] },
      'payment.agent_recurrence',
    ],
    ['after the approval expired', { standing: { expiresAt: now } }, 'payment.execution_date'],
    ['after the approval was revoked', { standing: { revokedAt: now } }, 'payment.execution_date'],
    ['when the user approved another order for the same message', { isMessageUsed: true }, 'message_used'],
    ['while the approval is paused', { standing: { pausedAt: now } }, 'paused'],
  ])('does not cover an order %s', async (_what, input, failure) => {
    expect(await failureOf(input)).toBe(failure);
  });

  const items = { acceptable: [{ id: 'margherita', title: 'Margherita' }], quantity: 2 };
  test.each<[string, JsonObject[], StandingFailure | null]>([
    ['as signed', [line('margherita', 2)], null],
    ['in two lines', [line('margherita'), line('margherita')], null],
    ['of another kind', [line('margherita'), line('wine')], 'checkout.line_items'],
    ['too many', [line('margherita', 3)], 'checkout.line_items'],
    ['too few', [line('margherita', 1)], 'checkout.line_items'],
    ['without an id', [{ item: { title: 'Margherita' }, quantity: 2 }], 'checkout.line_items'],
  ])('covers only the items that were signed: %s', async (_what, lines, failure) => {
    const checkoutJwt = checkoutOf({ merchant, line_items: lines });
    expect(await failureOf({ text: { items }, order: { checkoutJwt } })).toBe(failure);
  });
});

test('a standing approval covers an order only if it answers a message from a person', async () => {
  for (const answeredOrigin of [...MESSAGE_ORIGINS, null]) {
    const expected = answeredOrigin === 'person' ? null : 'unasked';
    expect([answeredOrigin, await failureOf({ order: { answeredOrigin } })]).toEqual([answeredOrigin, expected]);
  }
});

describe('the daily maximum of automatic payments', () => {
  const minute = 1 / 1_440;
  test('is three unless the terms say otherwise, even if they contain no daily maximum', async () => {
    const paidDaysAgo = [0.1, 0.5, 1 - minute];
    expect(await failureOf({ paidDaysAgo })).toBe('per_day');
    expect(await failureOf({ terms: { maxPerDay: undefined }, paidDaysAgo })).toBe('per_day');
    expect(await failureOf({ terms: { maxPerDay: undefined }, paidDaysAgo: paidDaysAgo.slice(1) })).toBeNull();
    expect(await failureOf({ terms: { maxPerDay: 4 }, paidDaysAgo })).toBeNull();
    expect(await failureOf({ terms: { maxPerDay: 1 }, paidDaysAgo: [0.5] })).toBe('per_day');
  });

  test('counts payments that ended unpaid, for 24 hours', async () => {
    expect(await failureOf({ paidDaysAgo: [0, 0, 0], paidState: 'merchant_rejected' })).toBe('per_day');
    expect(await failureOf({ paidDaysAgo: [0.1, 0.5, 1 + minute] })).toBeNull();
  });
});

describe('a standing approval’s frequency', () => {
  // 18 November 2026 is a Wednesday.
  test.each<[StandingText['terms']['frequency'], number, number]>([
    ['DAILY', 0.4, 1],
    ['WEEKLY', 2, 3],
    ['BIWEEKLY', 13, 15],
    ['MONTHLY', 17, 18],
    ['QUARTERLY', 48, 49],
    ['ANNUALLY', 321, 322],
  ])('%s allows one order per period', async (frequency, within, before) => {
    expect(await failureOf({ terms: { frequency }, paidDaysAgo: [within] })).toBe('payment.agent_recurrence');
    expect(await failureOf({ terms: { frequency }, paidDaysAgo: [before] })).toBeNull();
  });
});
