// Stripe webhooks: 100 parallel copies on two nodes, in reverse order, with an old signature, and lost.
import pg from 'pg';
import { startParley } from '../lib/parley.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { auditLedger, startStripe, startTopUp } from './lib/stripe.mjs';
import { until, wait } from './lib/wait.mjs';

const copies = 100;
const perRound = 4;
/** Interval at which undelivered events are searched; see STRIPE_RECONCILE_INTERVAL_MS. */
const reconcileMs = 300_000;
/** Each user may top up ten times. */
const people = 20;

const stripe = await startStripe();
const parley = await startParley({ people, env: { ...stripe.env, LOG_LEVEL: 'silent' } });
const other = await parley.another();
const client = new pg.Pool({ connectionString: parley.databaseUrl });
const nodes = [parley.origin, other.origin];
const paid = new Map();
let started = 0;

/** Pays a top-up; returns its id and its events. */
async function pay() {
  const amount = 1_000 + started;
  const user = (started++ % people) + 1;
  const { id, redirectUrl } = await startTopUp({ origin: parley.origin, client, user, amount });
  await stripe.pay(redirectUrl);
  paid.set(id, amount);
  const events = stripe.events().filter((event) => event.data.object.metadata?.top_up_id === id);
  if (events.length === 0) throw new Error(`Stripe has no event of ${id}`);
  return { id, events };
}

async function stateOf(id) {
  const { rows } = await client.query('SELECT state FROM wallet_top_up WHERE id = $1', [id]);
  return rows[0].state;
}

const isPaid = (ids) => async () => (await Promise.all(ids.map(stateOf))).every((state) => state === 'paid');
const untilPaid = (ids, withinMs = 30_000) => until(isPaid(ids), { withinMs, what: 'the payments to be posted' });
const deliverAll = (deliveries) => Promise.all(deliveries.map(([event, at]) => stripe.deliver(nodes[at % 2], event)));

/** Sends all copies at the same time, alternating between the nodes. */
async function parallel(statuses) {
  const { id, events } = await pay();
  const deliveries = Array.from({ length: copies }, (_, at) => [events[at % events.length], at]);
  for (const status of await deliverAll(deliveries)) statuses.push(status);
  await untilPaid([id]);
}

/** Returns the events of several payments, latest first. */
async function reordered(statuses) {
  const all = [];
  for (let count = 0; count < perRound; count++) all.push(await pay());
  const events = all.flatMap((payment) => payment.events).reverse();
  for (const [at, event] of events.entries()) statuses.push(await stripe.deliver(nodes[at % 2], event));
  await untilPaid(all.map(({ id }) => id));
}

/**
 * Sends events with an old signature or one from the future, which are refused, and repeats them, which are accepted.
 */
async function late(statuses, refusals) {
  const { id, events } = await pay();
  for (const age of [301, 3_600, -310]) refusals.push(await stripe.deliver(nodes[0], events[0], age));
  await wait(100);
  refusals.push((await stateOf(id)) === 'pending' ? 400 : 200);
  for (const [at, event] of events.entries()) statuses.push(await stripe.deliver(nodes[at % 2], event, 290));
  await untilPaid([id]);
}

await drill(
  'Webhooks arrive many times, in any order, late or never: each has one effect',
  async ({ figure, check }) => {
    const total = rounds(10);
    const [statuses, refusals] = [[], []];
    const lost = await pay();
    const lostAt = performance.now();
    for (let round = 0; round < total; round++) {
      await parallel(statuses);
      await reordered(statuses);
      await late(statuses, refusals);
    }
    const found = await until(isPaid([lost.id]), { withinMs: reconcileMs, what: 'the lost event', everyMs: 500 }).catch(
      () => null,
    );
    const lostMs = performance.now() - lostAt;
    await wait(3_000);
    const problem = await auditLedger(client, paid);
    const failed = statuses.filter((status) => status !== 200);
    figure('rounds, payments, deliveries', `${total}, ${paid.size}, ${statuses.length + refusals.length}`);
    figure('lost event found after, s', found === null ? 'never' : (lostMs / 1_000).toFixed(0));
    check('each payment is posted once, and the ledger adds up to zero', problem);
    check('every valid delivery is accepted', failed.length === 0 || `${failed.length}: ${failed.slice(0, 5)}`);
    check(
      'signatures older or newer than 300 s are refused',
      refusals.every((status) => status === 400) || refusals.join(),
    );
    check('the lost event is found within the interval of the search', found !== null);
  },
);
await client.end();
for (const { stop } of [parley, stripe]) await stop();
