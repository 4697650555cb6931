import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { listAgent } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { type ChainsFixture, createChainsFixture, hire, holdAnswers, setHiring } from './chains-fixture';
import { ask, buy, offerOf, ordersOf } from './payments-fixture';
import {
  createSpendingFixture,
  newBuyer,
  type SpendingFixture,
  setLimit,
  spendingAt,
  spentIn,
  sumsOf,
} from './spending-fixture';

let fixture: SpendingFixture;
let chains: ChainsFixture;

beforeAll(async () => {
  [fixture, chains] = [await createSpendingFixture(), await createChainsFixture()];
});

afterAll(async () => {
  await chains?.close();
  await fixture?.close();
});

describe('a conversation’s spending', () => {
  test('includes orders from agents that were hired in it', async () => {
    const buyer = await newBuyer(fixture);
    const { client, person } = buyer;
    const boss = await chains.createAgent('Boss');
    await setHiring(chains.url, person, { agent: boss, hire: 'yes' });
    const finish = holdAnswers(boss);
    const { conversationId } = await client.say({ agentSlug: boss.slug, text: 'Get me a pizza.' });
    const call = await waitFor(() => boss.agent.received[0], { what: 'the call of the boss' });
    const token = String(call.headers.authorization).replace('Bearer ', '');
    const merchant = { slug: fixture.slug, agent: boss.agent, app: boss.app };
    const { body } = await hire(chains.url, [boss, merchant], { root: { token }, text: 'One pizza, please' });
    const hired = await waitFor(async () => (await ordersOf(client, String(body.result?.id)))[0], {
      what: 'the order',
    });
    expect(await spentIn(buyer, conversationId)).toEqual([]);
    const paid = await buy(client, hired, 'captured');
    expect(paid).toMatchObject({ conversationId, conversationTitle: 'Get me a pizza.' });
    expect(await spentIn(buyer, conversationId)).toEqual([{ currency: 'EUR', minor: 1_898 }]);
    expect((await sumsOf(buyer)).sums).toMatchObject([
      {
        agents: [{ slug: fixture.slug, amount: 1_898 }],
        conversations: [{ id: conversationId, agent: { slug: boss.slug }, amount: 1_898 }],
      },
    ]);
    finish();
  });

  test('includes the orders in all its branches, which begin with an edited message', async () => {
    const buyer = await newBuyer(fixture);
    const { client } = buyer;
    const first = await buy(client, await offerOf(fixture, { client }), 'captured');
    const { conversationId, source } = first;
    const { taskId } = await client.say({ conversationId, edits: source.taskId, text: 'Two pizzas, please' });
    const offer = await waitFor(async () => (await ordersOf(client, taskId))[0], { what: 'the order' });
    expect(offer.source.contextId).not.toBe(source.contextId);
    expect(await buy(client, offer, 'captured')).toMatchObject({ conversationId });
    expect(await spentIn(buyer, conversationId)).toEqual([{ currency: 'EUR', minor: 3_796 }]);
    expect((await sumsOf(buyer)).sums).toMatchObject([{ conversations: [{ id: conversationId, amount: 3_796 }] }]);
  });

  test('returns the same 404 for a deleted, an unknown and another user’s conversation', async () => {
    const buyer = await newBuyer(fixture);
    const { client } = buyer;
    const { conversationId } = await buy(client, await offerOf(fixture, { client }), 'captured');
    const path = `/api/spending/conversations/${conversationId}`;
    const answers = [
      await ask<{ title: string }>(fixture.other, path),
      await ask<{ title: string }>(client, '/api/spending/conversations/cnv_none'),
      await ask<{ title: string }>(client, '/api/spending/conversations/cnv_%27%20or%201'),
    ];
    await ask(client, `/api/chat/conversations/${conversationId}`, { method: 'DELETE' });
    answers.push(await ask<{ title: string }>(client, path));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => body.title)).size).toBe(1);
    // The payment still counts.
    expect((await sumsOf(buyer)).sums).toMatchObject([{ conversations: [{ id: null, title: null, amount: 1_898 }] }]);
  });
});

describe('the spending shown before a message is sent to an agent', () => {
  test('includes the tightest limit of the account or the agent in each currency', async () => {
    const buyer = await newBuyer(fixture);
    const { client } = buyer;
    expect(await spendingAt(buyer, fixture.slug)).toEqual({ limits: [], month: [] });
    await setLimit(buyer, { amount: 5_000 });
    await setLimit(buyer, { scope: 'agent', subject: fixture.agentId, period: 'day', amount: 2_000 });
    await setLimit(buyer, { currency: 'USD', period: 'order', amount: 700 });
    await buy(client, await offerOf(fixture, { client }), 'captured');
    expect(await spendingAt(buyer, fixture.slug)).toEqual({
      limits: [
        {
          ...{ scope: 'agent', period: 'day', currency: 'EUR', amount: 2_000, left: 102 },
          resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
        },
        { scope: 'account', period: 'order', currency: 'USD', amount: 700, left: 700, resetsAt: null },
      ],
      month: [{ currency: 'EUR', minor: 1_898 }],
    });
  });

  test('is the same for another user’s private agent as for a missing agent', async () => {
    const agent = await ScriptedAgent.start({ name: 'Secret' });
    const slug = await listAgent(fixture.url, fixture.seller, { url: agent.url, visibility: 'private' });
    const hidden = await ask<{ title: string }>(fixture.buyer, `/api/spending/agents/${slug}`);
    const unknown = await ask<{ title: string }>(fixture.buyer, '/api/spending/agents/nobody-has-this');
    expect([hidden.status, hidden.body.title]).toEqual([404, unknown.body.title]);
    expect(unknown.status).toBe(404);
    await agent.stop();
  });
});
