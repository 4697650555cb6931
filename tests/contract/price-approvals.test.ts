import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PriceReview } from '@/lib/payments/schema-plans';
import { db } from '@/lib/platform/db/db';
import { PRICE_EXTENSION } from '@/lib/protocol/a2a/price-extension';
import { ChatClient } from '../http/chat-fixture';
import { connectTo, createPerson, message03, rpc } from '../support/fixtures';
import { OwnAccount } from './account-fixture';
import { type ChainsFixture, createChainsFixture, hire, setHiring, startRoot } from './chains-fixture';
import { addPasskey } from './payments-fixture';
import { PricedAgents, perTask } from './price-fixture';

let fixture: ChainsFixture;
let shop: PricedAgents;

beforeAll(async () => {
  fixture = await createChainsFixture();
  shop = new PricedAgents(fixture.url, await createPerson(fixture.url, 'Sella'));
});
afterAll(() => fixture?.close());

test('the card that Parley serves states the prices, and nothing that the agent itself claims about them', async () => {
  const { slug } = await shop.list({ ...perTask, amount: 75 });
  for (const version of ['0.3', '1.0']) {
    const headers = { 'a2a-version': version };
    const found = await fetch(`${shop.url}/agents/${slug}/.well-known/agent-card.json`, { headers });
    const { capabilities } = (await found.json()) as {
      capabilities: { extensions: { uri: string; params: object }[] };
    };
    const stated = capabilities.extensions.filter(({ uri }) => uri === PRICE_EXTENSION);
    expect(stated).toEqual([
      expect.objectContaining({
        params: {
          plans: [expect.objectContaining({ kind: 'task', currency: 'EUR', amount: 75 })],
          approveUrl: `${shop.url}/agents/${slug}/pay`,
        },
      }),
    ]);
  }
});

test('the catalog shows a price plan, and its filter by price finds it as paid, or as free if it is', async () => {
  const paid = await shop.list({ kind: 'unit', currency: 'USD', amount: 3, unit: 'page', per: 2 });
  const free = await shop.list({ kind: 'free', currency: 'EUR' });
  const find = async (price: string): Promise<Map<string, object>> => {
    const response = await fetch(`${shop.url}/api/agents?price=${price}&limit=100`);
    const { items } = (await response.json()) as { items: { slug: string; price: object }[] };
    return new Map(items.map((item) => [item.slug, item.price]));
  };
  const [withPrice, without] = [await find('paid'), await find('free')];
  expect(withPrice.get(paid.slug)).toEqual({ kind: 'plan', amount: 3, currency: 'USD', unit: 'page', per: 2 });
  expect(without.get(free.slug)).toMatchObject({ kind: 'free', amount: 0 });
  expect([withPrice.has(free.slug), without.has(paid.slug)]).toEqual([false, false]);
});

test('what was charged counts in the sums of the month, the agent and the conversation', async () => {
  const { slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug);
  const { conversationId } = await new ChatClient(shop.url, buyer).say({ agentSlug: slug });
  const paid = { currency: 'EUR', minor: 50 };
  const read = async (path: string): Promise<unknown> => (await shop.ask(buyer, `/api/spending/${path}`)).json();
  await expect.poll(() => read(`conversations/${conversationId}`)).toEqual({ paid: [paid] });
  expect(await read(`agents/${slug}`)).toMatchObject({ month: [paid] });
  const sum = { amount: 50, orders: 1 };
  expect(await read('sums')).toMatchObject({
    sums: [{ currency: 'EUR', ...sum, agents: [{ slug, ...sum }], conversations: [{ id: conversationId, ...sum }] }],
  });
});

test('PAY-2 a total above the user’s limit needs a passkey that signs exactly these terms', async () => {
  const { slug } = await shop.list(perTask);
  const buyer = new ChatClient(shop.url, await createPerson(shop.url, 'Bea'));
  const key = await addPasskey(buyer, shop.url);
  const settings = { method: 'PUT', body: { passkeyAbove: 500 } };
  expect((await shop.ask(buyer.person, '/api/payments/settings', settings)).status).toBe(200);
  const { plans } = await shop.termsFor(buyer.person, slug);
  const terms = { agent: slug, planId: plans[0]?.id, total: 501 };
  const code = async (more: object): Promise<string | undefined> => {
    const response = await shop.ask(buyer.person, '/api/price-approvals', { body: { ...terms, ...more } });
    return ((await response.json()) as { code?: string }).code;
  };
  const sign = async (): Promise<object> => {
    const response = await shop.ask(buyer.person, '/api/price-approvals/review', { body: terms });
    const { passkeyRequired, passkey } = (await response.json()) as PriceReview;
    expect(passkeyRequired).toBe(true);
    return key.assert({ challenge: String(passkey?.challenge) });
  };
  expect(await code({})).toBe('passkey_required');
  expect(await code({ assertion: await sign(), total: 502 })).toBe('passkey_refused');
  expect(await code({ assertion: await sign() })).toBeUndefined();
  expect((await shop.termsFor(buyer.person, slug)).approval).toMatchObject({ total: 501, state: 'active' });
});

test('an agent that acts for the user may use an approval only if the user said so', async () => {
  const boss = await fixture.createAgent('Boss');
  const { slug, agent } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug);
  await setHiring(shop.url, buyer, { agent: boss, hire: 'yes' });
  const root = await startRoot(shop.url, buyer, boss);
  const hired = { slug, agent: boss.agent, app: boss.app };
  const { body } = await hire(shop.url, [boss, hired], { root, text: 'Chart this' });
  expect(JSON.stringify(body)).toContain(`/agents/${slug}/pay`);
  expect(agent.messages).toEqual([]);
  expect((await shop.approve(buyer, slug, { agentsMayUse: true })).status).toBe(200);
  await hire(shop.url, [boss, hired], { root, text: 'Chart that' });
  expect(await shop.settledCharge(buyer)).toMatchObject({ captured: { minor: 50 } });
});

test('an export has the user’s approvals and charges, and a deleted account leaves none of its ids there', async () => {
  const { slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug);
  await rpc(await connectTo(shop.url, buyer, slug), 'message/send', message03('Chart this'));
  const charge = await shop.settledCharge(buyer);
  const account = new OwnAccount(shop.url, buyer);
  const exported = JSON.parse(await account.export()) as { priceApprovals: { items: object[] }; taskCharges: object[] };
  expect(exported.priceApprovals.items).toHaveLength(1);
  expect(exported.taskCharges).toEqual([charge]);
  expect((await account.delete()).status).toBe(204);
  const rows = [await db().priceApproval.findMany(), await db().taskCharge.findMany()];
  expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    buyer.userId,
  );
  const kept = await db().taskCharge.findUniqueOrThrow({ where: { id: charge.id } });
  expect(kept).toMatchObject({ state: 'captured', captured: 50n });
});
