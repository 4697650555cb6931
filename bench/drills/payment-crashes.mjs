// A node kills itself while it moves money: after it claimed a step, between the call to the processor or merchant and
// the commit, and after the commit; for holds, deliveries, captures, releases and refunds. Half of the orders are paid
// by card, half from the wallet. See lib/platform/runtime/failpoint.ts.
import pg from 'pg';
import { startParley } from '../lib/parley.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { isAlive } from './lib/processes.mjs';
import { startShop } from './lib/shop.mjs';
import { auditLedger, startStripe } from './lib/stripe.mjs';
import { until } from './lib/wait.mjs';

const people = 31;
const totalMinor = 1_898;
const settleMs = 90_000;
/** Another node may take the step of an order. */
const maxOrders = 20;
const kinds = ['authorize', 'deliver', 'capture', 'release', 'refund'];
const moments = ['claimed', 'called', 'kept'];

const stripe = await startStripe();
const parley = await startParley({ people, env: { ...stripe.env, LOG_LEVEL: 'silent' } });
const client = new pg.Pool({ connectionString: parley.databaseUrl });
const shop = await startShop({ parley, stripe, client });
const buyers = [];
// The first user is the seller.
for (let number = 2; number <= people; number++) buyers.push(await shop.addBuyer(number));
let ordered = 0;
/** The node that dies. */
let node;

/** Expected final effects of an order, by the kind of step at which the node died and the payment method. */
const outcomes = {
  captured: { wallet: ['capture', 'hold'], card: ['capture'], intent: ['succeeded', totalMinor], refunds: 0 },
  merchant_rejected: { wallet: ['hold', 'release'], card: [], intent: ['canceled', 0], refunds: 0 },
  refunded: {
    wallet: ['capture', 'hold', 'refund'],
    card: ['capture', 'refund'],
    intent: ['succeeded', totalMinor],
    refunds: 1,
  },
};
const endOf = (kind) => ({ release: 'merchant_rejected', refund: 'refunded' })[kind] ?? 'captured';

async function waitFor({ id, buyer }, wanted) {
  let state;
  await until(
    async () => {
      await freeClaims();
      ({ state } = await buyer.orderOf(id));
      return state === wanted;
    },
    { withinMs: settleMs, what: `order ${id} to be ${wanted}`, everyMs: 200 },
  ).catch((error) => {
    throw new Error(`${error.message}; it is ${state}`);
  });
}

/** Delivers the events of an order. Like Stripe, repeats a delivery at another node if there is no response. */
async function deliverEvents(id) {
  for (const event of stripe.events().filter(({ data }) => data.object.metadata?.order_id === id))
    if ((await stripe.deliver(node.origin, event)) !== 200) await stripe.deliver(parley.origin, event);
}

/** Places and pays an order at a node, up to the given kind of step. */
async function place(kind) {
  const buyer = buyers[ordered % buyers.length];
  const method = ordered++ % 2 === 0 ? 'wallet' : 'card';
  const { id, offer } = await buyer.order();
  const order = { id, buyer, method, detailsId: offer.detailsId };
  await buyer.approve(kind === 'refund' ? parley.origin : node.origin, order, method);
  return order;
}

/** Returns the cardholder pays on the page of Stripe. */
async function payByCard(order) {
  if (order.method === 'wallet') return;
  await waitFor(order, 'action_required');
  await stripe.pay((await order.buyer.orderOf(order.id)).redirectUrl);
  await deliverEvents(order.id);
}

/** Expires the claims of a dead node immediately; otherwise they expire after two minutes. */
async function freeClaims() {
  if (node && isAlive(node.pid)) return;
  await client.query(`UPDATE payment_outbox SET due_at = now() WHERE completed_at IS NULL AND kind <> 'watch-delivery'
    AND due_at < now() + interval '3 minutes'`);
}

/** Makes a node die at a point; returns the orders that it was processing. */
async function crash(kind, moment) {
  shop.merchant.onMandate = kind === 'release' ? 'refuse' : 'confirm';
  node = await parley.another({ FAULT_POINT: `${kind}.${moment}` });
  const orders = [];
  while (isAlive(node.pid) && orders.length < maxOrders) {
    const order = await place(kind);
    orders.push(order);
    await payByCard(order);
    if (kind === 'refund') {
      await waitFor(order, 'captured');
      await order.buyer.requestRefund(order.id);
      await shop.sell.refund(node.origin, order.id);
    }
    await until(async () => !isAlive(node.pid) || (await openSteps(order)) === 0, {
      withinMs: settleMs,
      what: 'a step',
    });
  }
  const died = !isAlive(node.pid);
  if (!died) process.kill(node.pid, 'SIGKILL');
  for (const order of orders) await settle(order, endOf(kind));
  return { died, orders };
}

async function openSteps({ id }) {
  const text = `SELECT count(*)::int AS open FROM payment_outbox WHERE order_id = $1 AND completed_at IS NULL AND kind = ANY($2)`;
  return (await client.query(text, [id, [...kinds, 'announce']])).rows[0].open;
}

async function settle(order, end) {
  await waitFor(order, end);
  await until(
    async () => {
      await freeClaims();
      return (await openSteps(order)) === 0;
    },
    { withinMs: settleMs, what: 'the steps to be done', everyMs: 1_000 },
  );
}

/** Returns the deviations in the effects of an order; null if there are none. */
async function problemOf({ id, method, detailsId }, end) {
  const expected = outcomes[end];
  const { rows } = await client.query('SELECT kind FROM ledger_transaction WHERE order_id = $1 ORDER BY kind', [id]);
  const movements = rows.map(({ kind }) => kind);
  if (movements.join() !== expected[method].join()) return `${method}: the ledger has ${movements.join()}`;
  const mandates = shop.merchant.mandates.filter(({ data }) => JSON.stringify(data).includes(detailsId));
  const messages = new Set(mandates.map(({ messageId }) => messageId)).size;
  if (messages !== 1) return `the mandates arrived in ${messages} messages`;
  if (method === 'wallet') return null;
  const ofOrder = ({ metadata }) => metadata?.order_id === id;
  const intents = [...stripe.state.intents.values()].filter(ofOrder);
  const found = intents.map(({ status, amount_received: received }) => [status, received ?? 0].join());
  if (found.join(' ') !== expected.intent.join()) return `Stripe has ${found.join(' ')}`;
  const refunds = [...stripe.state.refunds.values()].filter(ofOrder).length;
  return refunds === expected.refunds ? null : `Stripe has ${refunds} refunds`;
}

await drill(
  'A node dies while it moves money: each order is held, captured, released and refunded once',
  async (report) => {
    const { figure, check } = report;
    const count = rounds(5);
    let total = 0;
    for (const kind of kinds) {
      for (const moment of moments) {
        let deaths = 0;
        const problems = [];
        for (let round = 0; round < count; round++) {
          const { died, orders } = await crash(kind, moment);
          deaths += Number(died);
          total += orders.length;
          for (const order of orders) problems.push(await problemOf(order, endOf(kind)));
        }
        const found = problems.filter(Boolean);
        const statement = `${kind}.${moment}: ${problems.length} orders, ${deaths} deaths in ${count} rounds`;
        check(statement, deaths === 0 ? 'the node did not die' : found.length === 0 || `${found.length}: ${found[0]}`);
      }
    }
    figure('orders', total);
    check('the ledger adds up to zero', await auditLedger(client, new Map()));
    const text = `SELECT count(*)::int AS wrong FROM ledger_account WHERE kind = 'held' AND balance <> 0`;
    const { rows } = await client.query(text);
    check('nothing is held at the end', rows[0].wrong === 0 || `${rows[0].wrong} accounts`);
  },
);
await client.end();
for (const { stop } of [shop, parley, stripe]) await stop();
