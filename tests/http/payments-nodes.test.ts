import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import { query } from '@/lib/platform/sql';
import { approve, offerOf, openPaymentsWorld, type PaymentsWorld, reaches, review } from '../contract/payments-world';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { auditLedger } from '../unit/payments/order-world';
import { ChatClient } from './chat-world';

let stripe: StripeDouble;
let world: PaymentsWorld;
const others: Parley[] = [];
/** Nodes are started and killed here. */
const patienceMs = 90_000;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  world = await openPaymentsWorld();
  const filled = await world.buyer.call('/api/wallet/top-ups', { body: { currency: 'EUR', amount: 50_000 } });
  expect(filled.status).toBe(200);
});

// A node that a failed test left would do the work of the next test's.
afterEach(async () => {
  for (const node of others.splice(0)) await node.stop();
});
afterAll(async () => {
  await world?.close();
  await stripe?.stop();
});

/** Another node of the same Parley; people know it by the address of the first. */
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
  'PAY-2 two nodes approve the same cart at once: it is charged once',
  async () => {
    const node = await anotherNode();
    for (let turn = 0; turn < 2; turn++) {
      const order = await offerOf(world);
      const reviewed = await review(world.buyer, order.id);
      const there = new ChatClient(node.url, world.buyer.person);
      const answers = await Promise.all(
        [world.buyer, there, world.buyer, there].map((client) => approve(client, reviewed.body)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await reaches(world.buyer, order.id, 'captured');
      expect(await movementsOf(order)).toEqual(['capture', 'hold']);
      await auditLedger();
    }
    await node.stop();
  },
  patienceMs,
);

const points = ['authorize.called', 'authorize.kept', 'deliver.called', 'capture.called', 'announce.called'];

test.each(points)(
  'a node that dies at %s leaves money and order in agreement',
  async (point) => {
    await world.parley.kill('SIGKILL');
    const node = await anotherNode({ FAULT_POINT: point, APP_URL: world.url });
    const order = await offerOnce(node);
    await waitFor(() => isGone(node.pid), { what: `the node to die at ${point}`, timeout: 30_000 });
    await auditLedger();
    await world.parley.restart();
    // What the dead node had claimed is free when its claim runs out.
    await query('test-lapse', 'UPDATE payment_outbox SET due_at = now() WHERE done_at IS NULL');
    await reaches(world.buyer, order.id, 'captured');
    await waitFor(async () => (await query('test-open', openWork, [order.id])).length === 0, {
      what: 'all to be done',
    });
    expect(await movementsOf(order)).toEqual(['capture', 'hold']);
    const balances = await auditLedger();
    expect(balances.get(`held ${world.buyer.person.userId}`)).toBe(0);
    const told = world.merchant.mandates.filter(({ data }) =>
      JSON.stringify(data).includes(order.offer?.detailsId ?? ''),
    );
    expect(new Set(told.map(({ messageId }) => messageId)).size).toBe(1);
  },
  patienceMs,
);

const openWork = 'SELECT 1 FROM payment_outbox WHERE order_id = $1 AND done_at IS NULL';

/** Buys on that node, which may die at any moment from the approval on. */
async function offerOnce(node: Parley): Promise<OrderView> {
  const client = new ChatClient(node.url, world.buyer.person);
  const order = await offerOf({ slug: world.slug, buyer: client });
  const reviewed = await review(client, order.id);
  await approve(client, reviewed.body).catch(() => null);
  return order;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test(
  'a card that was charged just before its node died is captured once by the next',
  async () => {
    await world.parley.kill('SIGKILL');
    const node = await anotherNode({ ...stripe.env, FAULT_POINT: 'capture.called', APP_URL: world.url });
    const client = new ChatClient(node.url, world.buyer.person);
    const order = await offerOf({ slug: world.slug, buyer: client });
    const reviewed = await review(client, order.id);
    await approve(client, reviewed.body, { body: { method: 'card' } });
    const { redirectUrl } = await reaches(client, order.id, 'action_required');
    stripe.notify(node.url);
    const form = { method: 'POST', body: new URLSearchParams({ card: 'pm_card_visa' }), redirect: 'manual' as const };
    await fetch(redirectUrl ?? '', form);
    await waitFor(() => isGone(node.pid), { what: 'the node to die', timeout: 30_000 });
    const next = await anotherNode({ ...stripe.env, APP_URL: world.url });
    await query('test-lapse', 'UPDATE payment_outbox SET due_at = now() WHERE done_at IS NULL');
    await reaches(new ChatClient(next.url, world.buyer.person), order.id, 'captured');
    const taken = [...stripe.state.intents.values()].filter(({ metadata }) => metadata.order_id === order.id);
    expect(taken.map(({ status, amount_received: received }) => [status, received])).toEqual([['succeeded', 1_898]]);
    expect(await movementsOf(order)).toEqual(['capture']);
    await auditLedger();
  },
  patienceMs,
);
