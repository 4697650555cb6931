import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import {
  approve,
  type OwnPaymentsFixture,
  offerOf,
  reaches,
  review,
  startPaymentsFixture,
} from '../contract/payments-fixture';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { isGone } from '../support/is-gone';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { auditLedger } from '../unit/payments/order-fixture';
import { ChatClient } from './chat-fixture';

let stripe: StripeDouble;
let fixture: OwnPaymentsFixture;
const others: Parley[] = [];
/** Nodes are started and killed here. */
const patienceMs = 90_000;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  fixture = await startPaymentsFixture();
  const filled = await fixture.buyer.call('/api/wallet/top-ups', { body: { currency: 'EUR', amount: 50_000 } });
  expect(filled.status).toBe(200);
});

// A node left by a failed test would process the work of the next test.
afterEach(async () => {
  for (const node of others.splice(0)) await node.stop();
});
afterAll(async () => {
  await fixture?.close();
  await stripe?.stop();
});

/** Another node of the same Parley, under the first one's address. */
async function anotherNode(env: Record<string, string> = {}): Promise<Parley> {
  const node = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', ...env } });
  others.push(node);
  return node;
}

async function movementsOf({ id }: OrderView): Promise<string[]> {
  const rows = await query<{ kind: string }>(
    'test-movements',
    'SELECT kind FROM ledger_transaction WHERE order_id = $1 ORDER BY at, key',
    [id],
  );
  return rows.map(({ kind }) => kind).sort();
}

test(
  'PAY-2 a cart that two nodes approve concurrently is charged once',
  async () => {
    const node = await anotherNode();
    for (let turn = 0; turn < 2; turn++) {
      const order = await offerOf(fixture);
      const reviewed = await review(fixture.buyer, order.id);
      const there = new ChatClient(node.url, fixture.buyer.person);
      const responses = await Promise.all(
        [fixture.buyer, there, fixture.buyer, there].map((client) => approve(client, reviewed.body)),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      await reaches(fixture.buyer, order.id, 'captured');
      expect(await movementsOf(order)).toEqual(['capture', 'hold']);
      await auditLedger();
    }
    await node.stop();
  },
  patienceMs,
);

const points = ['authorize.called', 'authorize.kept', 'deliver.called', 'capture.called', 'announce.called'];

test.each(points)(
  'a node that crashes at %s leaves the money and the order consistent',
  async (point) => {
    await fixture.parley.kill('SIGKILL');
    const node = await anotherNode({ FAULT_POINT: point, APP_URL: fixture.url });
    const order = await offerOnce(node);
    await waitFor(() => isGone(node.pid), { what: `the node to die at ${point}`, timeout: 30_000 });
    await auditLedger();
    await fixture.parley.restart();
    // The claims of the killed node are released when they expire.
    await query('test-lapse', 'UPDATE payment_outbox SET due_at = now() WHERE completed_at IS NULL');
    await reaches(fixture.buyer, order.id, 'captured');
    await waitFor(async () => (await query('test-open', openWork, [order.id])).length === 0, {
      what: 'all to be done',
    });
    expect(await movementsOf(order)).toEqual(['capture', 'hold']);
    const balances = await auditLedger();
    expect(balances.get(`held ${fixture.buyer.person.userId}`)).toBe(0);
    const sentMandates = fixture.merchant.mandates.filter(({ data }) =>
      JSON.stringify(data).includes(order.offer?.detailsId ?? ''),
    );
    expect(new Set(sentMandates.map(({ messageId }) => messageId)).size).toBe(1);
  },
  patienceMs,
);

const openWork = 'SELECT 1 FROM payment_outbox WHERE order_id = $1 AND completed_at IS NULL';

/** Buys on that node, which may die at any moment from the approval on. */
async function offerOnce(node: Parley): Promise<OrderView> {
  const client = new ChatClient(node.url, fixture.buyer.person);
  const order = await offerOf({ slug: fixture.slug, buyer: client });
  const reviewed = await review(client, order.id);
  await approve(client, reviewed.body).catch(() => null);
  return order;
}

test(
  'a card payment captured just before the node crashed is recorded by the next node, not captured again',
  async () => {
    await fixture.parley.kill('SIGKILL');
    const node = await anotherNode({ ...stripe.env, FAULT_POINT: 'capture.called', APP_URL: fixture.url });
    const client = new ChatClient(node.url, fixture.buyer.person);
    const order = await offerOf({ slug: fixture.slug, buyer: client });
    const reviewed = await review(client, order.id);
    await approve(client, reviewed.body, { body: { method: 'card' } });
    const { redirectUrl } = await reaches(client, order.id, 'action_required');
    stripe.notify(node.url);
    const form = { method: 'POST', body: new URLSearchParams({ card: 'pm_card_visa' }), redirect: 'manual' as const };
    await fetch(redirectUrl ?? '', form);
    await waitFor(() => isGone(node.pid), { what: 'the node to die', timeout: 30_000 });
    const next = await anotherNode({ ...stripe.env, APP_URL: fixture.url });
    await query('test-lapse', 'UPDATE payment_outbox SET due_at = now() WHERE completed_at IS NULL');
    await reaches(new ChatClient(next.url, fixture.buyer.person), order.id, 'captured');
    const taken = [...stripe.state.intents.values()].filter(({ metadata }) => metadata.order_id === order.id);
    expect(taken.map(({ status, amount_received: received }) => [status, received])).toEqual([['succeeded', 1_898]]);
    expect(await movementsOf(order)).toEqual(['capture']);
    await auditLedger();
  },
  patienceMs,
);
