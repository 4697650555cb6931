// A node kills itself between two steps, before and after each commit of a turn, of a push and of a payment. Another node
// continues. See lib/platform/runtime/failpoint.ts.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { call, message } from './lib/calls.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { isAlive } from './lib/processes.mjs';
import { auditLedger, startStripe, startTopUp } from './lib/stripe.mjs';
import { until, wait } from './lib/wait.mjs';

const pieces = 100;
const settleMs = 60_000;
const expectedText = Array.from({ length: pieces }, (_, at) => `${at};`).join('');

const agent = await startPeer('numbered-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const stripe = await startStripe();
const parley = await startParley({ people: 10, agentUrl, env: { ...stripe.env, LOG_LEVEL: 'silent' } });
const client = new pg.Pool({ connectionString: parley.databaseUrl });
const [token] = await parley.tokens();
const target = (origin) => ({ origin, slug: parley.slug, token });
const sends = async () => (await (await fetch(`${agentUrl}/sends`)).json()).sends;

/**
 * Sends a message to a node that dies, and again with the same id to another node, before and after the task has ended.
 */
async function crashTurn(point) {
  const node = await parley.another({ FAULT_POINT: point });
  const before = await sends();
  const params = { message: message(`count ${pieces}`, randomUUID()) };
  await call(target(node.origin), 'message/send', params);
  await until(() => !isAlive(node.pid), { withinMs: settleMs, what: `the node to die at ${point}` });
  const task = async () => {
    const { body } = await call(target(parley.origin), 'message/send', params);
    return body.result ?? { status: { state: 'failed' }, error: body.error };
  };
  let found = await task();
  await until(
    async () => {
      found = found.id ? (await call(target(parley.origin), 'tasks/get', { id: found.id })).body.result : await task();
      return found.status.state === 'completed' || found.status.state === 'failed';
    },
    { withinMs: settleMs, what: 'the task to end' },
  );
  const text = found.artifacts?.flatMap(({ parts }) => parts.map((part) => part.text)).join('') ?? '';
  const repeated = await Promise.all([task(), task(), task()]);
  const isSame = repeated.every(({ id, status }) => id === found.id && status.state === found.status.state);
  return { state: found.status.state, isWhole: text === expectedText, isSame, deliveries: (await sends()) - before };
}

/**
 * Expected result of a turn: the agent receives the message at most once, and a confirmed task completes. Repeated
 * sends return it.
 */
const turns = {
  'turn.stored': ({ state, deliveries, isSame }) => deliveries === 0 && state === 'failed' && isSame,
  'events.received': ({ state, deliveries, isSame }) => deliveries === 1 && state === 'failed' && isSame,
  'events.stored': ({ state, deliveries, isWhole, isSame }) =>
    deliveries === 1 && state === 'completed' && isWhole && isSame,
};

async function startReceiver() {
  const received = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const id = request.headers['parley-delivery'] ?? Buffer.concat(chunks).toString();
      received.set(id, (received.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/hook`, received, stop: () => server.close() };
}

/** Crashes a node while it delivers a push; returns the number of deliveries of each push. */
async function crashPush(point) {
  const receiver = await startReceiver();
  const node = await parley.another({ FAULT_POINT: point });
  const configuration = { blocking: false, pushNotificationConfig: { url: receiver.url } };
  const params = { message: message(`count ${pieces}`), configuration };
  await call(target(node.origin), 'message/send', params);
  // Another node may deliver the push; then this one survives.
  await until(() => !isAlive(node.pid) || receiver.received.size > 0, { withinMs: settleMs, what: 'a delivery' });
  const ended = `SELECT count(*)::int AS open FROM push_config WHERE NOT ended AND url = $1`;
  await until(async () => (await client.query(ended, [receiver.url])).rows[0].open === 0, {
    withinMs: 90_000,
    what: 'the last delivery',
  });
  if (isAlive(node.pid)) process.kill(node.pid, 'SIGKILL');
  receiver.stop();
  return [...receiver.received.values()];
}

const paid = new Map();

/** Crashes a node while it posts a payment. */
async function crashPayment(point) {
  const node = await parley.another({ FAULT_POINT: point });
  const user = (paid.size % 10) + 1;
  const { id, redirectUrl } = await startTopUp({ origin: parley.origin, client, user, amount: 1_000 });
  await stripe.pay(redirectUrl);
  paid.set(id, 1_000);
  // Like Stripe: sends the event to another node if there is no response.
  for (const event of stripe.events().filter(({ data }) => data.object.metadata?.top_up_id === id))
    if ((await stripe.deliver(node.origin, event)) !== 200) await stripe.deliver(parley.origin, event);
  const state = async () => (await client.query('SELECT state FROM wallet_top_up WHERE id = $1', [id])).rows[0].state;
  await until(async () => !isAlive(node.pid) || (await state()) === 'paid', {
    withinMs: settleMs,
    what: 'the payment',
  });
  const died = !isAlive(node.pid);
  if (!died) process.kill(node.pid, 'SIGKILL');
  // The dead node's claim expires after two minutes.
  await client.query('UPDATE payment_outbox SET due_at = now() WHERE completed_at IS NULL');
  const open = async () => (await client.query('SELECT 1 FROM payment_outbox WHERE completed_at IS NULL')).rowCount;
  await until(async () => (await state()) === 'paid' && (await open()) === 0, {
    withinMs: settleMs,
    what: 'the payment to be posted',
  });
  return died;
}

await drill('A node dies between two steps: nothing is done twice, and nothing is left', async ({ figure, check }) => {
  const total = rounds(5);
  for (const [point, isRight] of Object.entries(turns)) {
    const found = [];
    for (let round = 0; round < total; round++) found.push(await crashTurn(point));
    const wrong = found.filter((result) => !isRight(result));
    check(`${point} (${total} times)`, wrong.length === 0 || `${wrong.length}: ${JSON.stringify(wrong[0])}`);
  }
  for (const point of ['push.sent', 'push.recorded']) {
    const counts = [];
    for (let round = 0; round < total; round++) counts.push(...(await crashPush(point)));
    figure(`${point}: pushes, delivered twice`, `${counts.length}, ${counts.filter((count) => count > 1).length}`);
    check(
      `${point}: every push arrives, at most twice, under one id`,
      counts.length > 0 && counts.every((count) => count <= 2),
    );
  }
  for (const point of ['webhook.received', 'webhook.stored', 'retrieve.claimed', 'retrieve.called', 'retrieve.kept']) {
    let died = 0;
    for (let round = 0; round < total; round++) died += Number(await crashPayment(point));
    figure(`${point}: nodes that died`, `${died} of ${total}`);
  }
  await wait(1_000);
  check('each payment is posted once, and the ledger adds up to zero', await auditLedger(client, paid));
  const { rows } = await client.query('SELECT count(*)::int AS left FROM task WHERE run_node IS NOT NULL');
  check('no run is left behind', rows[0].left === 0 || `${rows[0].left} tasks`);
});
await client.end();
for (const { stop } of [parley, agent, stripe]) await stop();
