// A node kills itself while it pays sellers out: before each request to Stripe, between the request and the commit, and
// after the commit; for transfers, payouts to the bank, their results and reversals. See
// lib/platform/runtime/failpoint.ts.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startParley } from '../lib/parley.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { importTypescript } from './lib/import-typescript.mjs';
import { isAlive } from './lib/processes.mjs';
import { auditLedger, startStripe } from './lib/stripe.mjs';
import { until } from './lib/wait.mjs';

const people = 31;
const settleMs = 90_000;
/** Another node may take a step of a payout. */
const maxPayouts = 8;
const steps = ['transfer', 'send', 'check', 'return'];
const points = [...steps.flatMap((step) => [`payout-${step}.claimed`, `payout-${step}.called`]), 'payout.kept'];
const goodBank = '000123456789';
const closedBank = '000111111113';

const { completeAccount, createAccount, fundPlatform, settlePayout } = await importTypescript(
  'fakes/stripe/accounts',
  'fakes/stripe/balances',
  'fakes/stripe/payouts',
);
const stripe = await startStripe();
const env = { ...stripe.env, LOG_LEVEL: 'silent', PAYOUT_CANCEL_SECONDS: '0' };
const parley = await startParley({ people, env });
const client = new pg.Pool({ connectionString: parley.databaseUrl });
fundPlatform(stripe.state, 100_000_000);
const sellers = [];
for (let number = 1; number <= people; number++) sellers.push(await addSeller(number));
let requested = 0;
/** The node that dies. */
let node;

/** Gives the n-th user a connected account whose details are complete. */
async function addSeller(number) {
  const userId = `usr_${String(number).padStart(20, '0')}`;
  const responsibilities = { fees_collector: 'application', losses_collector: 'application' };
  const account = createAccount(stripe.state, {
    contact_email: `${userId}@example.com`,
    defaults: { responsibilities },
  });
  await client.query(
    `INSERT INTO seller_account (id, user_id, rail, account_id, details_submitted, payouts_enabled, interval, minimum,
       created_at, updated_at) VALUES ($1, $2, 'stripe_test', $3, true, true, 'manual', 100, now(), now())`,
    [`sla_${randomBytes(10).toString('hex')}`, userId, account.id],
  );
  return { userId, accountId: account.id, token: parley.accessTokens[number - 1], earned: 0 };
}

/** Adds what a seller earned, in one transaction of the ledger. */
async function earn(seller, amount) {
  const connection = await client.connect();
  try {
    await connection.query('BEGIN');
    const id = `ltx_${randomBytes(10).toString('hex')}`;
    await connection.query(`INSERT INTO ledger_transaction (id, key, kind, at) VALUES ($1, $1, 'earning', now())`, [
      id,
    ]);
    for (const [kind, owner, change] of [
      ['available', seller.userId, amount],
      ['outside', 'parley', -amount],
    ])
      await connection.query(
        `WITH account AS (INSERT INTO ledger_account (id, kind, owner, currency, test, balance)
             VALUES ($1, $2, $3, 'EUR', true, $4::bigint)
           ON CONFLICT (kind, owner, currency, test) DO UPDATE SET balance = ledger_account.balance + $4::bigint
           RETURNING id)
         INSERT INTO ledger_entry (transaction_id, account_id, amount) SELECT $5, id, $4::bigint FROM account`,
        [`lac_${randomBytes(10).toString('hex')}`, kind, owner, change, id],
      );
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
  seller.earned += amount;
}

async function stateOf(id) {
  return (await client.query('SELECT state FROM payout WHERE id = $1', [id])).rows[0].state;
}

/** Requests a payout at a node. */
async function request(origin, bank) {
  const seller = sellers[requested++ % sellers.length];
  completeAccount(stripe.state, seller.accountId, bank);
  await client.query(
    `UPDATE seller_account SET payouts_enabled = true, details_submitted = true, requirements = '[]' WHERE user_id = $1`,
    [seller.userId],
  );
  await earn(seller, 1_000 + requested);
  const response = await fetch(`${origin}/api/payouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'EUR' }),
  });
  if (!response.ok) throw new Error(`a payout responded ${response.status}: ${await response.text()}`);
  return { id: (await response.json()).id, seller };
}

/** The bank answers, and the next step is due: the leases of a dead node expire, and the next regular check. */
async function turn() {
  for (const payout of stripe.state.payouts.values()) settlePayout(stripe.state, payout);
  const isDead = node && !isAlive(node.pid);
  await client.query(
    `UPDATE payout_job j SET due_at = now() FROM payout p WHERE p.id = j.payout_id AND j.due_at > now()
       AND ($1 OR (p.state = 'in_transit' AND j.due_at > now() + interval '5 minutes'))`,
    [isDead],
  );
}

async function settle({ id }) {
  let state;
  await until(
    async () => {
      await turn();
      state = await stateOf(id);
      return state === 'paid' || state === 'failed';
    },
    { withinMs: settleMs, what: `payout ${id} to end`, everyMs: 200 },
  ).catch((error) => {
    throw new Error(`${error.message}; it is ${state}`);
  });
}

/** Makes a node die at a point; returns the payouts of the round. */
async function crash(point) {
  const bank = point.includes('return') ? closedBank : goodBank;
  node = await parley.another({ FAULT_POINT: point });
  const payouts = [];
  while (isAlive(node.pid) && payouts.length < maxPayouts) {
    const payout = await request(parley.origin, bank);
    payouts.push(payout);
    await until(
      async () => {
        await turn();
        const state = await stateOf(payout.id);
        return !isAlive(node.pid) || state === 'paid' || state === 'failed';
      },
      { withinMs: settleMs, what: 'a step', everyMs: 100 },
    );
  }
  const died = !isAlive(node.pid);
  if (!died) process.kill(node.pid, 'SIGKILL');
  for (const payout of payouts) await settle(payout);
  return { died, payouts };
}

const ofPayout =
  (id) =>
  ({ metadata }) =>
    metadata?.payout_id === id;

/** Returns the deviations in the effects of a payout; null if there are none. */
async function problemOf({ id }, end) {
  const state = await stateOf(id);
  if (state !== end) return `it is ${state}`;
  const { rows } = await client.query(`SELECT kind FROM ledger_transaction WHERE key LIKE $1 ORDER BY kind`, [
    `payout:${id}:%`,
  ]);
  const movements = rows.map(({ kind }) => kind).join();
  const expected = end === 'paid' ? 'payout,payout-paid' : 'payout,payout-returned';
  if (movements !== expected) return `the ledger has ${movements}`;
  const sent = [...stripe.state.payouts.values()].filter(ofPayout(id)).map(({ status }) => status);
  if (sent.join() !== end) return `the bank has ${sent.join()}`;
  const transfers = [...stripe.state.transfers.values()].filter(ofPayout(id));
  if (transfers.length !== 1) return `Stripe has ${transfers.length} transfers`;
  const reversed = transfers[0].amount_reversed;
  return reversed === (end === 'paid' ? 0 : transfers[0].amount) ? null : `${reversed} was taken back`;
}

/** Returns the sellers whose money is not available, on the way or at the bank. */
async function losses() {
  const text = `SELECT coalesce(sum(balance), 0)::int AS held FROM ledger_account WHERE owner = $1 AND kind IN ('available', 'transit')`;
  const wrong = [];
  for (const { userId, accountId, earned } of sellers) {
    const { held } = (await client.query(text, [userId])).rows[0];
    const received = [...stripe.state.payouts.values()]
      .filter(({ account, status }) => account === accountId && status === 'paid')
      .reduce((sum, { amount }) => sum + amount, 0);
    if (held + received !== earned) wrong.push(`${userId} earned ${earned}, has ${held} and received ${received}`);
  }
  return wrong;
}

await drill('A node dies while it pays sellers out: nothing is paid twice, and nothing is lost', async (report) => {
  const { figure, check } = report;
  const count = rounds(2);
  let total = 0;
  let deathsInAll = 0;
  for (const point of points) {
    let deaths = 0;
    const problems = [];
    for (let round = 0; round < count; round++) {
      const { died, payouts } = await crash(point);
      deaths += Number(died);
      total += payouts.length;
      const end = point.includes('return') ? 'failed' : 'paid';
      for (const payout of payouts) problems.push(await problemOf(payout, end));
    }
    deathsInAll += deaths;
    const found = problems.filter(Boolean);
    const statement = `${point}: ${problems.length} payouts, ${deaths} deaths in ${count} rounds`;
    check(statement, deaths === 0 ? 'the node did not die' : found.length === 0 || `${found.length}: ${found[0]}`);
  }
  figure('payouts', total);
  figure('deaths', deathsInAll);
  check('the ledger adds up to zero', await auditLedger(client, new Map()));
  const wrong = await losses();
  check('every cent is available, on the way or at the bank', wrong.length === 0 || wrong[0]);
  const { rows } = await client.query(
    `SELECT count(*)::int AS wrong FROM ledger_account WHERE kind = 'transit' AND balance <> 0`,
  );
  check('nothing is in transit at the end', rows[0].wrong === 0 || `${rows[0].wrong} accounts`);
});
await client.end();
for (const { stop } of [parley, stripe]) await stop();
