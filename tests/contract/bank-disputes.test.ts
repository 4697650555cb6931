import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EarningPage } from '@/lib/payments/schema-income';
import { db } from '@/lib/platform/db/db';
import { closeDispute, moveFunds, openDispute } from '../fakes/stripe/disputes';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { signatureOf } from '../fakes/stripe/webhook-sender';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { auditDisputedLedger } from './disputes-fixture';
import {
  approve,
  type OwnPaymentsFixture,
  offerOf,
  orderOf,
  reaches,
  review,
  startPaymentsFixture,
} from './payments-fixture';

let stripe: StripeDouble;
let fixture: OwnPaymentsFixture;
let client: ChatClient;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  fixture = await startPaymentsFixture(stripe.env);
  client = new ChatClient(fixture.url, await createPerson(fixture.url, 'Cara'));
});
afterAll(async () => {
  await fixture?.close();
  await stripe?.stop();
});
beforeEach(() => {
  stripe.notify(fixture.url);
  fixture.merchant.onMandate = 'confirm';
});
afterEach(async () => {
  Object.assign(stripe.webhooks.delivery, { times: 1, dropped: false, held: false });
  expect(await auditDisputedLedger()).toEqual([]);
});

/** An order of 18.98 euros, paid by card. Returns its id and its PaymentIntent. */
async function paidByCard(): Promise<{ id: string; intentId: string }> {
  const order = await offerOf(fixture, { client });
  const reviewed = await review(client, order.id);
  await approve(client, reviewed.body, { body: { method: 'card' } });
  const { redirectUrl } = await reaches(client, order.id, 'action_required');
  const body = new URLSearchParams({ card: 'pm_card_visa' });
  await fetch(redirectUrl ?? '', { method: 'POST', body, redirect: 'manual' });
  await reaches(client, order.id, 'captured');
  const intent = [...stripe.state.intents.values()].find(({ metadata }) => metadata.order_id === order.id);
  return { id: order.id, intentId: intent?.id ?? '' };
}

async function sellerOf(saleId: string): Promise<{ net: number; refunded: number; fee: number }> {
  const bearer = fixture.seller.accessToken;
  const response = await send(`${fixture.url}/api/earnings?limit=100`, { bearer });
  const { items } = (await response.json()) as EarningPage;
  const { net = 0, refunded = 0, fee = 0 } = items.find((item) => item.saleId === saleId) ?? {};
  return { net, refunded, fee };
}

/** Waits until the dispute is stored with this status, and what is debited for it. */
async function mirrored(stripeId: string, status: string, debited: number): Promise<void> {
  await waitFor(
    async () => {
      // A node without requests looks for work less often.
      await sellerOf('');
      const found = await db().bankDispute.findUnique({ where: { stripeId } });
      return found?.status === status && Number(found.debited) === debited;
    },
    { what: `the dispute to be ${status} with ${debited} debited`, timeout: 20_000 },
  );
}

/** Delivers the events of a dispute in this order, each several times. */
async function deliver(stripeId: string, order: 'as sent' | 'reversed', times = 2): Promise<void> {
  const own = stripe.state.events.filter(({ data }) => 'id' in data.object && data.object.id === stripeId);
  for (const event of order === 'reversed' ? [...own].reverse() : own) {
    for (let time = 0; time < times; time++) {
      const raw = JSON.stringify(event);
      const signature = signatureOf(raw, stripe.env.STRIPE_WEBHOOK_SECRET ?? '', Math.floor(Date.now() / 1_000));
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const answer = await fetch(`${fixture.url}/api/webhooks/stripe`, { method: 'POST', body: raw, headers });
      expect(answer.status).toBeLessThan(300);
    }
  }
}

describe('PAY-6 a dispute at the bank', () => {
  test('is mirrored, answered once with the receipt and the transcript, and a lost one debits the seller once', async () => {
    const { id, intentId } = await paidByCard();
    expect((await sellerOf(id)).net).toBe(1_804);
    const dispute = openDispute(stripe.state, intentId);
    await mirrored(dispute.id, 'under_review', 0);
    const text = String(stripe.state.disputes.get(dispute.id)?.evidence.uncategorized_text);
    expect(text).toContain(id);
    expect(text).toContain('One pizza, please');
    moveFunds(stripe.state, dispute.id, 'withdrawn');
    await mirrored(dispute.id, 'under_review', 1_898);
    expect(await sellerOf(id)).toEqual({ net: 0, refunded: 1_898, fee: 0 });
    closeDispute(stripe.state, dispute.id, 'lost');
    await mirrored(dispute.id, 'lost', 1_898);
    await deliver(dispute.id, 'reversed');
    expect(await sellerOf(id)).toEqual({ net: 0, refunded: 1_898, fee: 0 });
    expect((await orderOf(client, id)).state).toBe('refunded');
    const bearer = fixture.seller.accessToken;
    const refund = await send(`${fixture.url}/api/sales/${id}/refund`, { bearer, body: { give: true } });
    expect(refund.status).toBe(409);
  });

  test.each(['as sent', 'reversed'] as const)('that is won credits the seller again, with events %s', async (order) => {
    const { id, intentId } = await paidByCard();
    stripe.webhooks.delivery.dropped = true;
    const dispute = openDispute(stripe.state, intentId);
    moveFunds(stripe.state, dispute.id, 'withdrawn');
    stripe.webhooks.delivery.dropped = false;
    await deliver(dispute.id, order);
    await mirrored(dispute.id, 'under_review', 1_898);
    expect((await sellerOf(id)).net).toBe(0);
    stripe.webhooks.delivery.dropped = true;
    moveFunds(stripe.state, dispute.id, 'reinstated');
    closeDispute(stripe.state, dispute.id, 'won');
    stripe.webhooks.delivery.dropped = false;
    await deliver(dispute.id, order);
    await mirrored(dispute.id, 'won', 0);
    await deliver(dispute.id, order, 3);
    expect(await sellerOf(id)).toEqual({ net: 1_804, refunded: 0, fee: 94 });
    expect((await orderOf(client, id)).state).toBe('captured');
  });
});
