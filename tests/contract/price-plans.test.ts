import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { db } from '@/lib/platform/db/db';
import { newUuid } from '@/lib/platform/ids';
import { PRICE_EXTENSION } from '@/lib/protocol/a2a/price-extension';
import * as agent03 from '../fakes/a2a03';
import { ChatClient } from '../http/chat-fixture';
import { call01, connectToAll, say } from '../support/dialects';
import {
  connectTo,
  createPerson,
  message03,
  message10,
  type Person,
  rpc,
  send,
  withHeaders,
} from '../support/fixtures';
import { connectToRest, restJson } from '../support/rest';
import { waitFor } from '../support/wait-for';
import { callMcp } from './mcp-fixture';
import { type OwnPaymentsFixture, startPaymentsFixture } from './payments-fixture';
import { completing, PricedAgents, perTask } from './price-fixture';

let fixture: OwnPaymentsFixture;
let url: string;
let seller: Person;
let shop: PricedAgents;

beforeAll(async () => {
  fixture = await startPaymentsFixture({ CONCIERGE: 'on' });
  ({ url, seller } = fixture);
  shop = new PricedAgents(url, seller);
});

afterEach(async () => {
  expect(await ledgerSum()).toBe(0);
});

afterAll(() => fixture?.close());

async function ledgerSum(): Promise<number> {
  const { _sum } = await db().ledgerAccount.aggregate({ _sum: { balance: true } });
  return Number(_sum.balance ?? 0);
}

const perMessage = { kind: 'message', currency: 'EUR', amount: 20 };
const perPage = { kind: 'unit', currency: 'EUR', amount: 3, unit: 'page', per: 2, cap: 100 };

async function balancesOf({ userId }: Person): Promise<Record<string, number>> {
  const rows = await db().ledgerAccount.findMany({ where: { owner: userId, currency: 'EUR' } });
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, Number(balance)]));
}

/** What the seller of an agent earned, after the platform's fee. */
async function earnedBy(agentId: string): Promise<number> {
  const rows = await db().earning.findMany({ where: { agentId } });
  return rows.reduce((sum, { gross, fee }) => sum + Number(gross - fee), 0);
}

const text = 'Chart this';

type Wire = [string, (slug: string, person: Person, messageId: string) => Promise<unknown>];

/** Every way to send a message to an agent. */
const wires: Wire[] = [
  [
    'the chat',
    async (agentSlug, person, messageId) =>
      (await new ChatClient(url, person).post({ agentSlug, text, messageId })).json(),
  ],
  [
    'A2A 0.1',
    async (slug, person, id) =>
      (await call01((await connectToAll(url, person, slug)).orloj, 'tasks/send', say(id, text))).body,
  ],
  [
    'A2A 0.3',
    async (slug, person, messageId) =>
      (await rpc(await connectTo(url, person, slug), 'message/send', message03(text, { messageId }))).body,
  ],
  [
    'A2A 1.0',
    async (slug, person, messageId) => {
      const connection = withHeaders(await connectTo(url, person, slug), { 'a2a-version': '1.0' });
      return (await rpc(connection, 'SendMessage', message10(text, { messageId }))).body;
    },
  ],
  [
    'HTTP+JSON',
    async (slug, person, messageId) =>
      restJson(await connectToRest(url, person, slug), 'POST /message:send', {
        body: message10(text, { messageId }),
        headers: { 'a2a-version': '1.0' },
      }),
  ],
  [
    '/v1/chat/completions',
    async (model, person, key) => {
      const body = { model, messages: [{ role: 'user', content: text }] };
      const headers = { 'idempotency-key': key };
      return (await send(`${url}/v1/chat/completions`, { bearer: person.accessToken, body, headers })).json();
    },
  ],
  [
    '/mcp',
    async (agent, person) =>
      callMcp(url, ['tools/call', { name: 'send_message', arguments: { agent, message: text } }], { person }),
  ],
  [
    'the concierge',
    async (agent, person, messageId) => {
      const concierge = await connectTo(url, person, 'concierge');
      return (await rpc(concierge, 'message/send', { ...message03(text, { messageId }), metadata: { agent } })).body;
    },
  ],
];

describe.each(wires)('over %s', (name, by) => {
  test('a message to an agent with a price that the user has not approved names the price and the page, and nothing is sent', async () => {
    const { agent, slug } = await shop.list(perTask);
    const buyer = await createPerson(url, 'Bea');
    const answer = JSON.stringify(await by(slug, buyer, newUuid()));
    expect(answer).toContain(`/agents/${slug}/pay`);
    expect(answer).toContain('0.50');
    expect(agent.messages).toEqual([]);
    expect(await shop.chargesOf(buyer)).toEqual([]);
  });

  test('an approved price is held before the send and captured once the task completes, also if the message is repeated', async () => {
    const { agent, slug, id } = await shop.list(perTask);
    const buyer = await shop.newBuyer(slug);
    const before = await balancesOf(buyer);
    const messageId = newUuid();
    await by(slug, buyer, messageId);
    if (name !== '/mcp') await by(slug, buyer, messageId);
    expect(await shop.settledCharge(buyer)).toMatchObject({
      state: 'captured',
      authorized: { currency: 'EUR', minor: 50 },
      captured: { currency: 'EUR', minor: 50 },
    });
    expect(agent.messages).toHaveLength(1);
    expect(await balancesOf(buyer)).toEqual({ ...before, wallet: (before.wallet ?? 0) - 50, held: 0 });
    expect(await earnedBy(id)).toBe(48);
  });
});

test.each([
  ['failed', 'Half of it', 'failed'],
  ['rejected', '', 'rejected'],
  ['completed', '', 'no_output'],
])('a task that ends as %s with the output "%s" costs nothing', async (state, output, reason) => {
  const { agent, slug, id } = await shop.list(perTask);
  completing(agent, { state, output });
  const buyer = await shop.newBuyer(slug);
  const before = await balancesOf(buyer);
  await rpc(await connectTo(url, buyer, slug), 'message/send', message03(text));
  expect(await shop.settledCharge(buyer)).toMatchObject({ state: 'released', captured: { minor: 0 }, reason });
  expect(await balancesOf(buyer)).toEqual(before);
  expect(await earnedBy(id)).toBe(0);
});

test('a price per message is charged for each message that the agent answers', async () => {
  const { agent, slug } = await shop.list(perMessage);
  completing(agent, { state: 'input-required', output: 'Which one?' });
  const buyer = await shop.newBuyer(slug);
  const connection = await connectTo(url, buyer, slug);
  const { body } = await rpc(connection, 'message/send', message03(text));
  completing(agent);
  const { id: taskId } = body.result as { id: string };
  await rpc(connection, 'message/send', message03('The first', { taskId }));
  const charges = await waitFor(
    async () => {
      const items = await shop.chargesOf(buyer);
      return items.length === 2 && items.every(({ state }) => state === 'captured') ? items : null;
    },
    { what: 'both charges' },
  );
  expect(charges.map(({ captured }) => captured.minor)).toEqual([20, 20]);
});

test('units cost their price up to the cap that the buyer approved', async () => {
  const { agent, slug } = await shop.list(perPage);
  const buyer = await shop.newBuyer(slug, { cap: 60 });
  const connection = await connectTo(url, buyer, slug);
  completing(agent, { metadata: { [PRICE_EXTENSION]: { unit: 'page', total: 7 } } });
  await rpc(connection, 'message/send', message03(text));
  expect(await shop.settledCharge(buyer)).toMatchObject({
    units: 7,
    authorized: { minor: 60 },
    captured: { minor: 11 },
  });
  const other = await shop.newBuyer(slug, { cap: 60 });
  completing(agent, { metadata: { [PRICE_EXTENSION]: { unit: 'page', total: 70_000 } } });
  await rpc(await connectTo(url, other, slug), 'message/send', message03(text));
  expect(await shop.settledCharge(other)).toMatchObject({ captured: { minor: 60 }, reason: 'cap_reached' });
});

test('the team of the agent pays nothing, and units on a free agent cost nothing', async () => {
  const { slug } = await shop.list(perTask);
  const { body } = await rpc(await connectTo(url, seller, slug), 'message/send', message03(text));
  expect(body.result).toMatchObject({ status: { state: 'completed' } });
  expect(await shop.approve(seller, slug).then(({ status }) => status)).toBe(409);
  const free = await shop.list({ kind: 'free', currency: 'EUR' });
  completing(free.agent, { metadata: { [PRICE_EXTENSION]: { unit: 'page', total: 7 } } });
  const buyer = await createPerson(url, 'Bea');
  await rpc(await connectTo(url, buyer, free.slug), 'message/send', message03(text));
  expect(await shop.chargesOf(buyer)).toEqual([]);
});

test('the approved total, the wallet and the spending limits bound what is charged', async () => {
  const { agent, slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug, { total: 99 });
  const connection = await connectTo(url, buyer, slug);
  await rpc(connection, 'message/send', message03(text));
  await shop.settledCharge(buyer);
  const second = await rpc(connection, 'message/send', message03(text));
  expect(second.body.error).toMatchObject({ data: { reason: 'payment_required' } });
  expect(second.body.error?.message).toContain('approved total');
  expect(agent.messages).toHaveLength(1);

  const poor = await shop.newBuyer(slug);
  await db().ledgerAccount.updateMany({ where: { owner: poor.userId, kind: 'wallet' }, data: { balance: 49 } });
  const refused = await rpc(await connectTo(url, poor, slug), 'message/send', message03(text));
  expect(refused.body.error?.message).toContain('/settings/payments');
  await db().ledgerAccount.updateMany({ where: { owner: poor.userId, kind: 'wallet' }, data: { balance: 10_000 } });

  const careful = await createPerson(url, 'Cara');
  const limit = { scope: 'account', subject: '', period: 'day', currency: 'EUR', amount: 200 };
  expect((await shop.ask(careful, '/api/spending/limits', { method: 'PUT', body: limit })).status).toBe(200);
  expect((await shop.approve(careful, slug, { total: 201 })).status).toBe(403);
  expect((await shop.approve(careful, slug, { total: 200 })).status).toBe(200);
});

test('a changed price needs a new approval, and an authorized charge keeps its plan', async () => {
  const { agent, slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug);
  const connection = await connectTo(url, buyer, slug);
  let finish: () => void = () => undefined;
  agent.answer(async ({ json, received }) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task(newUuid(), 'completed', ['Done']) });
  });
  const sent = rpc(connection, 'message/send', message03(text));
  await waitFor(() => agent.messages.length === 1, { what: 'the agent to receive the message' });
  expect((await shop.setPlans(slug, [{ ...perTask, amount: 500 }])).status).toBe(200);
  const next = await rpc(connection, 'message/send', message03(text));
  expect(next.body.error?.message).toContain('5.00');
  finish();
  await sent;
  expect(await shop.settledCharge(buyer)).toMatchObject({ captured: { minor: 50 } });
  expect((await shop.termsFor(buyer, slug)).approval).toMatchObject({ state: 'outdated', spent: 50, held: 0 });
});

test('an ended approval pays nothing more, and belongs to its user only', async () => {
  const { slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug);
  const other = await createPerson(url, 'Otto');
  const { approval } = await shop.termsFor(buyer, slug);
  const end = (person: Person): Promise<Response> =>
    shop.ask(person, `/api/price-approvals/${approval?.id}`, { method: 'DELETE' });
  expect((await end(other)).status).toBe(404);
  expect((await end(buyer)).status).toBe(200);
  expect((await end(buyer)).status).toBe(404);
  const { body } = await rpc(await connectTo(url, buyer, slug), 'message/send', message03(text));
  expect(body.error).toMatchObject({ data: { reason: 'payment_required' } });
});

test('concurrent sends of one message on several connections are authorized once', async () => {
  const { agent, slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug);
  const connection = await connectTo(url, buyer, slug);
  const message = message03(text);
  const answers = await Promise.all(Array.from({ length: 8 }, () => rpc(connection, 'message/send', message)));
  for (const { body } of answers) expect(body.error).toBeUndefined();
  expect(await shop.settledCharge(buyer)).toMatchObject({ captured: { minor: 50 } });
  expect(agent.messages).toHaveLength(1);
});

test('concurrent messages use an approved total fully and never exceed it', async () => {
  const { agent, slug } = await shop.list(perTask);
  const buyer = await shop.newBuyer(slug, { total: 250 });
  const connection = await connectTo(url, buyer, slug);
  const answers = await Promise.all(Array.from({ length: 9 }, () => rpc(connection, 'message/send', message03(text))));
  expect(answers.filter(({ body }) => body.error === undefined)).toHaveLength(5);
  expect(agent.messages).toHaveLength(5);
});

test('wrong plans and terms are rejected with the member and what is expected', async () => {
  const { slug } = await shop.list(perTask);
  const plansOf = async (plans: object[]): Promise<number> => (await shop.setPlans(slug, plans)).status;
  const wrong = [
    { amount: 0 },
    { amount: -1 },
    { amount: 1.5 },
    { currency: 'XXX' },
    { currency: 'eur' },
    { unit: 'page' },
  ];
  for (const members of wrong) expect([members, await plansOf([{ ...perTask, ...members }])]).toEqual([members, 400]);
  expect(await plansOf([perTask, perMessage])).toBe(400);
  expect(await plansOf([{ ...perPage, unit: 'a page' }])).toBe(400);
  expect(
    await plansOf([
      { kind: 'free', currency: 'EUR' },
      { ...perTask, currency: 'USD' },
    ]),
  ).toBe(400);
  const buyer = await createPerson(url, 'Bea');
  for (const members of [{ total: 49 }, { total: 0 }, { days: 0 }, { days: 367 }])
    expect([members, (await shop.approve(buyer, slug, members)).status]).toEqual([members, 400]);
  expect((await shop.approve(buyer, slug, { planId: 'pln_0' })).status).toBe(409);
  const units = await shop.list(perPage);
  expect((await shop.approve(buyer, units.slug)).status).toBe(400);
});
