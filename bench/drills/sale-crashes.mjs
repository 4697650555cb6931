// A node kills itself while it sells: when it charges a message, makes earnings available, issues invoices, refunds, and
// changes and decides disputes; between two statements and after each commit. See lib/platform/runtime/failpoint.ts.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { setPrice } from '../lib/prices.mjs';
import { call, message } from './lib/calls.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { isAlive } from './lib/processes.mjs';
import { auditLedger, signIn } from './lib/stripe.mjs';
import { until } from './lib/wait.mjs';

const people = 12;
const moderator = people;
const price = 500;
const wanted = 300;
const settleMs = 90_000;
/** Another node may take the work of a sale. */
const maxSales = 8;

const agent = await startPeer('unary-agent');
const env = { LOG_LEVEL: 'silent', ADMIN_EMAILS: `bench-${moderator}@parley.test` };
const parley = await startParley({ people, env });
const client = new pg.Pool({ connectionString: parley.databaseUrl });
const slug = await parley.list(`http://127.0.0.1:${agent.info.port}`);
await setPrice(parley, slug, price);
const tokens = await parley.tokens(slug);
// Only an account with a verified address moderates.
await client.query(`UPDATE "user" SET email_verified = now(), password_hash = '-' WHERE email = $1`, [
  env.ADMIN_EMAILS,
]);
const cookies = [];
for (let number = 1; number <= people; number++) cookies.push(await signIn(client, number));
let sold = 0;
/** The node that dies. */
let node;

async function first(text, values = []) {
  return (await client.query(text, values)).rows[0];
}

/**
 * Sends a request of a user's browser to the node that dies, and to the other one without a response. A repeated change
 * may be a conflict.
 */
async function ask(number, path, body) {
  const headers = { cookie: cookies[number - 1], origin: parley.origin, 'content-type': 'application/json' };
  for (const origin of [node.origin, parley.origin]) {
    const sent = { method: 'POST', body: JSON.stringify(body), headers };
    const response = await fetch(`${origin}${path}`, sent).catch(() => null);
    if (response === null) continue;
    const text = await response.text();
    if (response.ok || response.status === 409) return;
    throw new Error(`${path} responded ${response.status}: ${text}`);
  }
  throw new Error(`neither node responded at ${path}`);
}

/** Sends a message that costs something, and returns its charge. Without a response, repeats it at the other node. */
async function sell(origin) {
  const buyer = 2 + (sold++ % (people - 2));
  const params = { message: message('chart', randomUUID()) };
  for (const at of [origin, parley.origin]) {
    const { status, body } = await call({ origin: at, slug, token: tokens[buyer - 1] }, 'message/send', params);
    if (status === 0) continue;
    if (!body.result) throw new Error(`the message responded ${status}: ${JSON.stringify(body)}`);
    const { id } = await first('SELECT id FROM task_charge WHERE task_id = $1', [body.result.id]);
    return { id, buyer };
  }
  throw new Error('neither node responded');
}

async function captured(sale) {
  await until(
    async () => {
      await client.query(`UPDATE task_charge SET check_at = now() WHERE id = $1 AND state = 'authorized'`, [sale.id]);
      return (await first('SELECT state FROM task_charge WHERE id = $1', [sale.id])).state === 'captured';
    },
    { withinMs: settleMs, what: `the charge ${sale.id} to be captured`, everyMs: 200 },
  );
}

const sellCaptured = async () => {
  const sale = await sell(parley.origin);
  await captured(sale);
  return sale;
};

async function openDispute({ id, buyer }) {
  const body = { kind: 'charge', saleId: id, reason: 'not_as_agreed', wanted, text: 'The chart is empty.' };
  await ask(buyer, '/api/disputes', body);
  return (await first('SELECT id FROM dispute WHERE sale_id = $1', [id])).id;
}

async function disputed(kind) {
  const sale = await sellCaptured();
  const id = await openDispute(sale);
  const act = (number, action) => ask(number, `/api/disputes/${id}/actions`, action);
  if (kind === 'changed') await act(1, { action: 'refund' });
  if (kind === 'decided') {
    await act(1, { action: 'message', text: 'It is full of bars.' });
    await act(sale.buyer, { action: 'escalate' });
    // A moderator must have signed in within the last 15 minutes.
    cookies[moderator - 1] = await signIn(client, moderator);
    await ask(moderator, `/api/disputes/${id}/decision`, { amount: wanted, text: 'The chart has no bars.' });
  }
  return { ...sale, refunded: kind === 'opened' ? 0 : wanted, isOpen: kind === 'opened' };
}

async function refund() {
  const sale = await sellCaptured();
  const { id } = await first(`SELECT id FROM earning WHERE sale_id = $1`, [sale.id]);
  await ask(1, `/api/earnings/${id}/refund`, { amount: wanted, refunded: 0, reason: 'late' });
  return { ...sale, refunded: wanted };
}

/** Sells, and waits until the work of the sale is done or the node is dead. */
async function waitingFor(isDone) {
  const sale = await sellCaptured();
  await until(async () => !isAlive(node.pid) || (await isDone(sale)), { withinMs: settleMs, what: 'the work' });
  return sale;
}

const isReleased = async ({ id }) => {
  await client.query(`UPDATE earning SET available_at = now() WHERE sale_id = $1 AND released_at IS NULL`, [id]);
  return (await first(`SELECT released_at AS at FROM earning WHERE sale_id = $1`, [id])).at !== null;
};

const isDocumented = async ({ id, refunded = 0 }) => {
  const { count } = await first(`SELECT count(*)::int FROM paper WHERE sale_id = $1`, [id]);
  return count === 1 + Number(refunded > 0);
};

/** What a node does before it dies at each point. */
const sales = {
  'charge.authorized': () => sell(node.origin),
  'charge.settling': () => sell(node.origin),
  'charge.settled': () => sell(node.origin),
  'sale.refunded': refund,
  'dispute.opened': () => disputed('opened'),
  'dispute.changed': () => disputed('changed'),
  'dispute.decided': () => disputed('decided'),
  ...Object.fromEntries(['locked', 'posted', 'released'].map((at) => [`earnings.${at}`, () => waitingFor(isReleased)])),
  ...Object.fromEntries(
    ['drafted', 'numbered', 'inserted', 'taxed'].map((at) => [`papers.${at}`, () => waitingFor(isDocumented)]),
  ),
};

/** Makes a node die at a point; returns the sales of the round. */
async function crash(point) {
  node = await parley.another({ FAULT_POINT: point });
  const made = [];
  while (isAlive(node.pid) && made.length < maxSales) {
    const sale = await sales[point]();
    // The node that dies after its response still settles the charge.
    if (point.startsWith('charge.')) await captured(sale);
    made.push(sale);
  }
  const died = !isAlive(node.pid);
  if (!died) process.kill(node.pid, 'SIGKILL');
  for (const sale of made) {
    await captured(sale);
    await until(() => isDocumented(sale), { withinMs: settleMs, what: `the papers of ${sale.id}`, everyMs: 200 });
    if (!sale.isOpen) await until(() => isReleased(sale), { withinMs: settleMs, what: `the release of ${sale.id}` });
  }
  return { died, made };
}

/** Returns the deviations in the effects of a sale; null if there are none. */
async function problemOf({ id, refunded = 0, isOpen = false }) {
  const { gross, back, released } = await first(
    `SELECT gross::int, refunded::int AS back, released_at IS NOT NULL AS released FROM earning WHERE sale_id = $1`,
    [id],
  );
  if (gross !== price || back !== refunded) return `the earning is ${gross}, of which ${back} are refunded`;
  if (released === isOpen) return isOpen ? 'it was released while it was disputed' : 'it was not released';
  const refunds = await first(`SELECT count(*)::int, sum(amount)::int FROM charge_refund WHERE charge_id = $1`, [id]);
  if (refunds.count !== Number(refunded > 0)) return `it was refunded ${refunds.count} times`;
  const kinds = (await client.query(`SELECT kind FROM paper WHERE sale_id = $1 ORDER BY kind`, [id])).rows;
  const expected = refunded > 0 ? 'credit_note,invoice' : 'invoice';
  const found = kinds.map(({ kind }) => kind).join();
  if (found !== expected) return `its papers are ${found}`;
  const disputes = await first(`SELECT count(*)::int FROM dispute WHERE sale_id = $1`, [id]);
  return disputes.count <= 1 ? null : `it has ${disputes.count} disputes`;
}

await drill(
  'A node dies while it sells: each sale is charged, released, refunded and invoiced once',
  async (report) => {
    const { figure, check } = report;
    const count = rounds(2);
    let total = 0;
    let deathsInAll = 0;
    for (const point of Object.keys(sales)) {
      let deaths = 0;
      const problems = [];
      for (let round = 0; round < count; round++) {
        const { died, made } = await crash(point);
        deaths += Number(died);
        total += made.length;
        for (const sale of made) problems.push(await problemOf(sale));
      }
      deathsInAll += deaths;
      const found = problems.filter(Boolean);
      const statement = `${point}: ${problems.length} sales, ${deaths} deaths in ${count} rounds`;
      check(statement, deaths === 0 ? 'the node did not die' : found.length === 0 || `${found.length}: ${found[0]}`);
    }
    figure('sales', total);
    figure('deaths', deathsInAll);
    check('the ledger adds up to zero', await auditLedger(client, new Map()));
    const { wrong } = await first(
      `SELECT count(*)::int AS wrong FROM ledger_account WHERE kind = 'held' AND balance <> 0`,
    );
    check('nothing is held at the end', wrong === 0 || `${wrong} accounts`);
    const paid = await first(
      `SELECT (SELECT sum(gross - refunded) FROM earning)::int AS earned,
       (SELECT -sum(e.amount) FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
        WHERE a.kind IN ('wallet', 'held') AND e.transaction_id <> 'ltx_funding')::int AS spent`,
    );
    check('what buyers paid is what was earned', paid.earned === paid.spent || JSON.stringify(paid));
    const series = await first(
      `SELECT count(*)::int AS gaps FROM (SELECT max(number) <> count(*) AS gap FROM paper GROUP BY issuer, year, test, kind) s
     WHERE gap`,
    );
    check('no series of papers has a gap', series.gaps === 0 || `${series.gaps} series`);
  },
);
await client.end();
for (const { stop } of [parley, agent]) await stop();
