import { createHash, randomBytes } from 'node:crypto';
import { importTypescript } from './import-typescript.mjs';

/**
 * Starts the tests' double of Stripe on loopback; it delivers no webhooks on its own.
 *
 * @returns {Promise<{ url: string, env: Record<string, string>, state: unknown, calls: unknown[], events: () =>
 *   unknown[],
 *   pay: (redirectUrl: string) => Promise<void>, deliver: (origin: string, event: unknown, ageSeconds?: number) =>
 *   Promise<number>, stop: () => Promise<void> }>}
 *   `deliver`: sends an event whose signature has this age; resolves to the status, or 0 without a response
 */
export async function startStripe() {
  const { StripeDouble, signatureOf } = await importTypescript(
    'fakes/stripe/stripe-double',
    'fakes/stripe/webhook-sender',
  );
  const stripe = await StripeDouble.start();
  stripe.webhooks.delivery.dropped = true;
  return {
    url: stripe.url,
    env: stripe.env,
    state: stripe.state,
    calls: stripe.calls,
    events: () => stripe.state.events,
    async pay(redirectUrl) {
      const body = new URLSearchParams({ card: 'pm_card_visa' });
      await (await fetch(redirectUrl, { method: 'POST', body, redirect: 'manual' })).text();
    },
    async deliver(origin, event, ageSeconds = 0) {
      const body = JSON.stringify(event);
      const signature = signatureOf(body, stripe.webhooks.secret, Math.floor(Date.now() / 1_000) - ageSeconds);
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const response = await fetch(`${origin}/api/webhooks/stripe`, { method: 'POST', headers, body }).catch(
        () => null,
      );
      await response?.text().catch(() => undefined);
      return response?.status ?? 0;
    },
    stop: () => stripe.stop(),
  };
}

/**
 * Starts a top-up by card for a user created by `startParley`, up to Stripe's page.
 *
 * @param {{ origin: string, client: import('pg').Pool, user: number, amount: number }} topUp
 * @returns {Promise<{ id: string, redirectUrl: string }>}
 */
export async function startTopUp({ origin, client, user, amount }) {
  const cookie = await signIn(client, user);
  const response = await fetch(`${origin}/api/wallet/top-ups`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'EUR', amount }),
  });
  if (!response.ok) throw new Error(`a top-up responded ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Returns the cookie of a new session of the n-th user created by `startParley`. */
export async function signIn(client, number) {
  const secret = randomBytes(32).toString('base64url');
  await client.query(`INSERT INTO session (id, session_token, user_id, expires) VALUES ($1, $2, $3, now() + '1 day')`, [
    `ses_${randomBytes(10).toString('hex')}`,
    createHash('sha256').update(secret).digest('hex'),
    userId(number),
  ]);
  return `parley=${secret}`;
}

/** Returns the id of the n-th user created by `startParley`. */
const userId = (number) => `usr_${String(number).padStart(20, '0')}`;

/**
 * Checks that the ledger is consistent and matches the payments.
 *
 * @param {import('pg').Pool} client
 * @param {Map<string, number>} paid amounts in minor units by the id of the top-up
 * @returns {Promise<string | null>} the deviation; null if there is none
 */
export async function auditLedger(client, paid) {
  const { rows: sums } = await client.query(
    'SELECT a.currency, sum(e.amount)::bigint AS sum FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id GROUP BY 1',
  );
  const unbalanced = sums.find(({ sum }) => Number(sum) !== 0);
  if (unbalanced) return `the ledger in ${unbalanced.currency} adds up to ${unbalanced.sum}`;
  const { rows: accounts } = await client.query(
    `SELECT a.kind, a.owner FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
     GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  );
  if (accounts[0]) return `the balance of ${accounts[0].kind} ${accounts[0].owner} is not the sum of its entries`;
  const { rows: posted } = await client.query(
    'SELECT key, count(*)::int AS count FROM ledger_transaction GROUP BY key',
  );
  const problems = [...paid.keys()].filter((id) => posted.filter(({ key }) => key.includes(id)).length !== 1);
  return problems.length === 0
    ? null
    : `${problems.length} of ${paid.size} payments were not posted once: ${problems[0]}`;
}
