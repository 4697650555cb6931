import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import { db } from '@/lib/platform/db/db';
import { type MessageOrigin, NOTICES } from '@/lib/protocol/a2a/core/message-origin';
import { send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { ask, askWithPasskey, createPaymentsFixture, offerOf, type PaymentsFixture, reaches } from './payments-fixture';
import { createStanding, newStandingBuyer, nextStandingOffer, type StandingBuyer } from './standing-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  Object.assign(fixture.merchant, { onText: 'cart', onMandate: 'confirm', insistsOn: 'nothing' });
});

/** The orders of a buyer that answer messages of this origin. */
const ordersAnswering = ({ person: { userId } }: StandingBuyer, answeredOrigin: MessageOrigin) =>
  db().paymentOrder.findMany({ where: { userId, answeredOrigin } });

const paidAutomatically = ({ person: { userId } }: StandingBuyer) =>
  db().paymentOrder.findMany({ where: { userId, standingId: { not: null } } });

async function refund({ client, first: { id } }: StandingBuyer): Promise<OrderView> {
  await ask(client, `/api/orders/${id}/refund`, { body: { amount: 100, reason: 'cold' } });
  const bearer = fixture.seller.accessToken;
  await send(`${fixture.url}/api/sales/${id}/refund`, { bearer, body: { give: true } });
  return reaches(client, id, 'partially_refunded');
}

/** The action that makes Parley write each message to a merchant, and the number of carts paid before. */
const notices: [(typeof NOTICES)[number], (buyer: StandingBuyer) => Promise<unknown>, number][] = [
  [
    'mandate',
    (buyer) => {
      fixture.merchant.insistsOn = 'mandates';
      return nextStandingOffer(fixture, buyer);
    },
    1,
  ],
  [
    'receipt',
    (buyer) => {
      fixture.merchant.insistsOn = 'receipts';
      return nextStandingOffer(fixture, buyer);
    },
    1,
  ],
  [
    'payment_failure',
    (buyer) => {
      Object.assign(fixture.merchant, { insistsOn: 'receipts', onMandate: 'refuse' });
      return offerOf(fixture, buyer);
    },
    1,
  ],
  [
    'refund',
    (buyer) => {
      fixture.merchant.insistsOn = 'receipts';
      return refund(buyer);
    },
    0,
  ],
  [
    'decline',
    async (buyer) => {
      const path = '/api/spending/automatic-payments';
      await ask(buyer.client, path, { method: 'PUT', body: { stopped: true } });
      const { id } = await nextStandingOffer(fixture, buyer);
      await askWithPasskey(buyer.client, buyer.key, { path, method: 'PUT', body: { stopped: false } });
      return ask(buyer.client, `/api/orders/${id}/decline`, { method: 'POST' });
    },
    0,
  ],
];

test('the cases cover every message that Parley writes, except for a refund that a bank returns', () => {
  expect([...notices.map(([notice]) => notice), 'refund_failure'].sort()).toEqual([...NOTICES].sort());
});

test.each(notices)('a cart in response to a %s waits for the buyer', async (notice, cause, expectedPayments) => {
  const buyer = await newStandingBuyer(fixture);
  await createStanding(buyer);
  await cause(buyer);
  const [order] = await waitFor(
    async () => {
      const orders = await ordersAnswering(buyer, notice);
      return orders.length > 0 && orders.every(({ standingFailure }) => standingFailure !== null) ? orders : null;
    },
    { what: 'the cart to be refused an automatic payment' },
  );
  expect(order).toMatchObject({ state: 'verified', standingId: null, standingFailure: 'unasked' });
  expect(await paidAutomatically(buyer)).toHaveLength(expectedPayments);
  fixture.merchant.insistsOn = 'nothing';
  fixture.merchant.onMandate = 'confirm';
  expect(await nextStandingOffer(fixture, buyer)).toMatchObject({ state: 'captured', standingFailure: null });
});

test('a merchant that answers every message is paid only once per message from the buyer', async () => {
  const buyer = await newStandingBuyer(fixture);
  fixture.merchant.insistsOn = 'all';
  await createStanding(buyer);
  for (let messages = 1; messages <= 2; messages++) {
    const order = await nextStandingOffer(fixture, buyer);
    expect(order.state).toBe('captured');
    const isAnswered = async (): Promise<boolean> =>
      (await ordersAnswering(buyer, 'receipt')).filter(({ standingFailure }) => standingFailure).length >= messages;
    await waitFor(isAnswered, { what: 'the cart that answers the receipt' });
    expect(await paidAutomatically(buyer)).toHaveLength(messages);
  }
});

test('carts that answer one message are not paid twice, even if nodes decide about them concurrently', async () => {
  const buyer = await newStandingBuyer(fixture);
  const { userId } = buyer.person;
  const offers = await Promise.all(Array.from({ length: 4 }, () => offerOf(fixture, buyer)));
  await createStanding(buyer);
  const ids = offers.map(({ id }) => id);
  const answeredMessage = `${offers[0]?.source.taskId}/1`;
  await db().paymentOrder.updateMany({ where: { id: { in: ids } }, data: { answeredMessage } });
  await db().paymentOutbox.createMany({
    data: ids.map((orderId) => ({ orderId, kind: 'standing', dueAt: new Date() })),
  });
  const decided = async (): Promise<boolean> => {
    const orders = await db().paymentOrder.findMany({ where: { id: { in: ids } } });
    return orders.every(({ standingId, standingFailure }) => standingId ?? standingFailure);
  };
  await waitFor(decided, { what: 'the carts to be paid or refused' });
  expect(await paidAutomatically(buyer)).toHaveLength(1);
  const refused = await db().paymentOrder.count({ where: { userId, standingFailure: 'message_used' } });
  expect(refused).toBe(3);
  const [second] = await db().paymentOrder.findMany({ where: { id: { in: ids }, standingId: null } });
  const pay = db().paymentOrder.update({ where: { id: second?.id ?? '' }, data: { standingId: 'sta_other' } });
  await expect(pay).rejects.toMatchObject({ code: 'P2002' });
});
