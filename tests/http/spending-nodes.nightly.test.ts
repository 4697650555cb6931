import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import {
  approve,
  ask,
  type OwnPaymentsFixture,
  offerOf,
  review,
  startPaymentsFixture,
} from '../contract/payments-fixture';
import { createPerson } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { ChatClient } from './chat-fixture';

/** The price of the fixture's carts. */
const price = 1_898;

let fixture: OwnPaymentsFixture;
let second: Parley;

beforeAll(async () => {
  fixture = await startPaymentsFixture();
  second = await startParley({
    databaseUrl: fixture.parley.databaseUrl,
    env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: fixture.url },
  });
});

afterAll(async () => {
  await second?.kill('SIGKILL');
  await fixture?.close();
});

/** Approves the orders at once, on both nodes in turn; the codes of the responses, `lost` without one. */
async function approveOnBoth(nodes: ChatClient[], orders: OrderView[]): Promise<string[]> {
  const attempts = orders.map(async ({ id }, at) => {
    const node = nodes[at % nodes.length] as ChatClient;
    const reviewed = await review(node, id);
    const { status, body } = await approve(node, reviewed.body);
    return status === 200 ? 'paid' : body.code;
  });
  const results = await Promise.allSettled(attempts);
  return results.map((result) => (result.status === 'fulfilled' ? result.value : 'lost'));
}

test('parallel approvals on two nodes use a limit fully but never exceed it, even if one node is killed', async () => {
  const person = await createPerson(fixture.url, 'Nell');
  const nodes = [fixture.url, second.url].map((url) => new ChatClient(url, person, fixture.url));
  const [first = fixture.buyer] = nodes;
  const limit = { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount: 3 * price };
  expect((await ask(first, '/api/spending/limits', { method: 'PUT', body: limit })).status).toBe(200);
  const used = async (): Promise<number> => {
    const { body } = await ask<{ limits: { period: string; scope: string; used: number; currency: string }[] }>(
      first,
      '/api/spending',
    );
    return (
      body.limits.find(({ scope, period, currency }) => scope === 'account' && period === 'month' && currency === 'EUR')
        ?.used ?? 0
    );
  };
  const offers = (count: number) =>
    Promise.all(Array.from({ length: count }, () => offerOf(fixture, { client: first })));

  const codes = await approveOnBoth(nodes, await offers(6));
  expect(codes.filter((code) => code === 'paid')).toHaveLength(3);
  expect(codes.filter((code) => code === 'spending_limit_exceeded')).toHaveLength(3);
  expect(await used()).toBe(3 * price);

  expect(
    (await ask(first, '/api/spending/limits', { method: 'PUT', body: { ...limit, amount: 5 * price + 1 } })).status,
  ).toBe(200);
  const more = await offers(6);
  const attempt = approveOnBoth(nodes, more);
  await second.kill('SIGKILL');
  const after = await attempt;
  expect(after.filter((code) => code !== 'lost' && code !== 'paid' && code !== 'spending_limit_exceeded')).toEqual([]);
  expect(await used()).toBeLessThanOrEqual(5 * price);
  // The amount that the killed node did not approve is still available.
  for (const { id } of more) {
    const reviewed = await review(first, id);
    if (reviewed.status === 200) await approve(first, reviewed.body);
  }
  await waitFor(async () => (await used()) === 5 * price, { what: 'the limit to be used up' });
});
