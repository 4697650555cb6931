// CPU of a message to an agent with a price per message, compared with the same agent without one, at the same node: the
// charge is authorized before the send and captured after it. Goal: at most 1.25 times. The CPU of the settlements
// that follow the responses counts too.
import pg from 'pg';
import { compare } from './lib/compare.mjs';
import { sendingMessages } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

/** The limit per user is ten messages per second, with a burst of a hundred. */
const people = 250;
const count = 6_000;
const connections = 24;
const goal = 1.25;
const amount = 2;

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const priced = await startPeer('unary-agent');
const parley = await startParley({ people, agentUrl });

/** Gives the agent a price, and every user but its owner a wallet and an approval. */
async function setPrice(slug) {
  const headers = { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ pricePlans: [{ kind: 'message', currency: 'EUR', amount }] });
  const response = await fetch(`${parley.origin}/api/agents/${slug}`, { method: 'PATCH', headers, body });
  if (!response.ok) throw new Error(`the price was not set: ${await response.text()}`);
  const client = new pg.Client({ connectionString: parley.databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO ledger_account (id, kind, owner, currency, test, balance)
     SELECT 'lac_' || kind || id, kind, id, 'EUR', true, CASE kind WHEN 'wallet' THEN 100000000 ELSE 0 END
     FROM "user", unnest(ARRAY['wallet', 'held']) AS kind`,
  );
  await client.query(
    `INSERT INTO price_approval (id, user_id, agent_id, plan_id, plan, currency, test, amount, total, agents_may_use,
       method, credential_id, created_at, expires_at)
     SELECT 'pap_' || u.id, u.id, a.id, p.plan ->> 'id', p.plan, 'EUR', true, $2, 100000000, false, 'session', '', now(),
       now() + interval '1 day' FROM "user" u, agent a, jsonb_array_elements(a.price_plans) AS p(plan) WHERE a.slug = $1`,
    [slug, amount],
  );
  await client.end();
}

try {
  const slug = await parley.list(`http://127.0.0.1:${priced.info.port}`);
  await setPrice(slug);
  const sendingTo = async (to) => {
    // The owner of an agent pays nothing.
    const [, ...tokens] = await parley.tokens(to);
    return sendingMessages(parley, { path: `/agents/${to}/a2a/jsonrpc`, tokens, count, connections });
  };
  const isMet = await compare({
    name: 'priced',
    rounds: 7,
    warmUps: 4,
    targets: [
      { name: 'without a price', measure: await sendingTo(parley.slug) },
      { name: 'with a price', measure: await sendingTo(slug), goal },
    ],
  });
  process.exitCode = isMet ? 0 : 1;
} finally {
  for (const { stop } of [parley, priced, agent]) await stop();
}
