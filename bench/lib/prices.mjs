import pg from 'pg';

/** What each buyer has, and may spend, in minor units. */
const wallet = 100_000_000;

/**
 * Gives an agent of the first user a price per message in test credits, and every user a wallet and an approval.
 *
 * @param {{ origin: string, databaseUrl: string, accessToken: string }} parley
 * @param {string} slug
 * @param {number} amount minor units of euros
 */
export async function setPrice({ origin, databaseUrl, accessToken }, slug, amount) {
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ pricePlans: [{ kind: 'message', currency: 'EUR', amount }] });
  const response = await fetch(`${origin}/api/agents/${slug}`, { method: 'PATCH', headers, body });
  if (!response.ok) throw new Error(`the price was not set: ${await response.text()}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const funding = 'ltx_funding';
  await client.query(`INSERT INTO ledger_transaction (id, key, kind, at) VALUES ($1, $1, 'top-up', now())`, [funding]);
  const accounts = `INSERT INTO ledger_account (id, kind, owner, currency, test, balance)`;
  await client.query(
    `${accounts} SELECT 'lac_' || kind || id, kind, id, 'EUR', true, CASE kind WHEN 'wallet' THEN $1 ELSE 0 END
     FROM "user", unnest(ARRAY['wallet', 'held']) AS kind`,
    [wallet],
  );
  await client.query(
    `${accounts} SELECT 'lac_outside', 'outside', 'parley', 'EUR', true, -$1::bigint * count(*) FROM "user"`,
    [wallet],
  );
  await client.query(
    `INSERT INTO ledger_entry (transaction_id, account_id, amount) SELECT $1, id, balance FROM ledger_account
     WHERE balance <> 0`,
    [funding],
  );
  await client.query(
    `INSERT INTO price_approval (id, user_id, agent_id, plan_id, plan, currency, test, amount, total, agents_may_use,
       method, credential_id, created_at, expires_at)
     SELECT 'pap_' || u.id, u.id, a.id, p.plan ->> 'id', p.plan, 'EUR', true, $2, $3, false, 'session', '', now(),
       now() + interval '1 day' FROM "user" u, agent a, jsonb_array_elements(a.price_plans) AS p(plan) WHERE a.slug = $1`,
    [slug, amount, wallet],
  );
  await client.end();
}
