import { randomUUID } from 'node:crypto';
import { importTypescript } from './import-typescript.mjs';
import { signIn, startTopUp } from './stripe.mjs';
import { until } from './wait.mjs';

const walletMinor = 50_000;

/**
 * Starts a merchant whose carts are paid by users of a Parley: the tests' agent, listed by the first user.
 *
 * @param {object} options
 * @param {Awaited<ReturnType<import('../../lib/parley.mjs').startParley>>} options.parley
 * @param {Awaited<ReturnType<import('./stripe.mjs').startStripe>>} options.stripe
 * @param {import('pg').Pool} options.client
 */
export async function startShop({ parley, stripe, client }) {
  const { MerchantAgent } = await importTypescript('fakes/merchant-agent');
  const merchant = await MerchantAgent.start();
  merchant.sellAt(parley.origin);
  const slug = await parley.list(merchant.url);

  /** Creates a signed-in user with money in the wallet, who can buy at any node. */
  async function addBuyer(number) {
    const cookie = await signIn(client, number);
    const { id, redirectUrl } = await startTopUp({ origin: parley.origin, client, user: number, amount: walletMinor });
    await stripe.pay(redirectUrl);
    for (const event of stripe.events().filter(({ data }) => data.object.metadata?.top_up_id === id))
      await stripe.deliver(parley.origin, event);
    return createBuyer({ parley, slug, cookie });
  }

  return { merchant, addBuyer, sell: sellerOf(parley), stop: () => merchant.stop() };
}

function createBuyer({ parley, slug, cookie }) {
  const ask = (node, path, { body, headers, method = 'POST' } = {}) =>
    request(`${node}${path}`, { method, body, headers: { cookie, origin: parley.origin, ...headers } });
  const orderOf = async (id) => (await ask(parley.origin, `/api/orders/${id}`, { method: 'GET' })).order;
  return {
    orderOf,
    /** Requests a cart; returns the order that awaits approval. */
    async order() {
      const text = { agentSlug: slug, messageId: randomUUID(), text: 'One pizza, please' };
      const { taskId } = await ask(parley.origin, '/api/chat/messages', { body: text });
      let found;
      await until(
        async () => {
          [found] = (await ask(parley.origin, `/api/orders?taskId=${taskId}`, { method: 'GET' })).items;
          return found !== undefined;
        },
        { withinMs: 60_000, what: 'an order' },
      );
      return found;
    },
    /** Approves an order at a node, which may die as soon as it has stored the approval. */
    async approve(node, { id }, method) {
      const { approvalId, approval } = await ask(parley.origin, `/api/orders/${id}/review`);
      const { amount, currency } = approval;
      const headers = { 'idempotency-key': randomUUID() };
      const sent = { body: { approvalId, amount, currency, method }, headers };
      const path = `/api/orders/${id}/approve`;
      await ask(node, path, sent).catch((error) => {
        if (!(error instanceof TypeError)) throw error;
      });
    },
    requestRefund: (id) => ask(parley.origin, `/api/orders/${id}/refund`, { body: { reason: 'cold' } }),
  };
}

function sellerOf({ origin, accessToken }) {
  const headers = { authorization: `Bearer ${accessToken}` };
  return {
    /** Refunds an order at a node, or at the first node if that one does not respond. */
    async refund(node, id) {
      const sent = { method: 'POST', headers, body: { give: true } };
      const decide = (at) => request(`${at}/api/sales/${id}/refund`, sent);
      // A repeated decision is a conflict.
      await decide(node).catch(() => decide(origin).catch(() => undefined));
    },
  };
}

async function request(url, { method, body, headers }) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: { ...headers, ...json }, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
  return response.json();
}
