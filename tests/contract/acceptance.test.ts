import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import type { AcceptanceView, AwaitedResultPage, DisputeEvidence } from '@/lib/payments/schema-disputes';
import type { PriceTerms, TaskCharges } from '@/lib/payments/schema-plans';
import { PRICE_EXTENSION } from '@/lib/protocol/a2a/price-extension';
import type { JsonObject } from '@/lib/protocol/json';
import { cartData } from '../fakes/merchant-carts';
import { ChatClient } from '../http/chat-fixture';
import { connectTo, createPerson, message03, type Person, rpc, send } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { type Answer, auditDisputedLedger, DisputeShop } from './disputes-fixture';
import { mailsTo } from './moderation-fixture';
import { buy, offerOf, orderOf, review } from './payments-fixture';
import { completing, type Listed } from './price-fixture';

const terms = { deliverable: 'A chart\nas <b>SVG</b>', check: 'It has bars', days: 3 };
const plan = { kind: 'task', currency: 'EUR', amount: 500, acceptance: terms };
const dayMs = 86_400_000;

let shop: DisputeShop;
let agent: Listed;

beforeAll(async () => {
  shop = await DisputeShop.start();
  agent = await shop.priced.list(plan);
});
afterEach(async () => {
  expect(await auditDisputedLedger()).toEqual([]);
});
afterAll(() => shop?.fixture.close());

type Sale = { kind: 'order' | 'charge'; saleId: string };

function accept(
  person: Person | null,
  sale: object,
): Promise<Answer<AcceptanceView & { code: string; title: string }>> {
  return shop.ask(person, '/api/acceptances', sale);
}

async function awaitedBy(person: Person): Promise<AwaitedResultPage['items']> {
  return (await shop.ask<AwaitedResultPage>(person, '/api/acceptances')).body.items;
}

async function charged(): Promise<{ buyer: Person; sale: Sale }> {
  const { buyer, saleId } = await shop.charge(agent);
  return { buyer, sale: { kind: 'charge', saleId } };
}

/** An order of a cart with these terms, and its buyer. */
async function offered(acceptance: unknown, more: JsonObject = {}): Promise<{ client: ChatClient; order: OrderView }> {
  const { merchant, url } = shop.fixture;
  const member = { [PRICE_EXTENSION]: { acceptance, ...more } } as JsonObject;
  merchant.nextCarts.push(cartData(merchant.seller, 'none', member));
  const client = new ChatClient(url, await createPerson(url, 'Bo'));
  return { client, order: await offerOf(shop.fixture, { client }) };
}

/** Moves a sale into the past, as far as its acceptance is concerned. */
async function passDays(saleId: string, days: number): Promise<void> {
  await query(
    'test-pass-days',
    `UPDATE sale_acceptance SET accept_by = accept_by - $2 * interval '1 day',
       email_due_at = email_due_at - $2 * interval '1 day' WHERE sale_id = $1`,
    [saleId, days],
  );
  const earlier = `UPDATE earning SET available_at = available_at - $2 * interval '1 day' WHERE sale_id = $1`;
  await query('test-pass-hold', earlier, [saleId, days]);
  // An idle node does not look for what changed in the database: work wakes it.
  await shop.charge();
}

describe('the acceptance terms of a price', () => {
  test('are in the card, before the approval, with the charge and with the sale, as the buyer approved them', async () => {
    const card = await (await fetch(`${shop.fixture.url}/agents/${agent.slug}/.well-known/agent-card.json`)).json();
    const { extensions } = (card as { capabilities: { extensions: { uri: string; params: PriceTerms }[] } })
      .capabilities;
    expect(extensions.find(({ uri }) => uri === PRICE_EXTENSION)?.params.plans).toMatchObject([{ acceptance: terms }]);
    const { buyer, sale } = await charged();
    const { plans, approval } = await shop.priced.termsFor(buyer, agent.slug);
    expect(plans).toMatchObject([{ acceptance: terms }]);
    expect(approval).toMatchObject({ plan: { acceptance: terms }, state: 'active' });
    expect((await shop.priced.setPlans(agent.slug, [{ ...plan, acceptance: { ...terms, days: 1 } }])).status).toBe(200);
    expect((await shop.priced.termsFor(buyer, agent.slug)).approval?.state).toBe('outdated');
    const [charge] = (await shop.ask<TaskCharges>(buyer, '/api/task-charges')).body.items;
    expect(charge).toMatchObject({ id: sale.saleId, acceptance: { terms, state: 'awaiting', acceptedAt: null } });
    expect(await awaitedBy(buyer)).toMatchObject([
      { ...sale, paid: { currency: 'EUR', minor: 500 }, agent: { slug: agent.slug }, acceptance: { terms } },
    ]);
    expect((await shop.priced.setPlans(agent.slug, [plan])).status).toBe(200);
  });

  test.each([
    ['no words', { ...terms, deliverable: ' ' }, 'deliverable'],
    ['too many words', { ...terms, check: 'x'.repeat(501) }, 'check'],
    ['NUL', { ...terms, check: 'bars\u0000' }, 'check'],
    ['no days', { ...terms, days: 0 }, 'days'],
    ['fifteen days', { ...terms, days: 15 }, 'days'],
    ['days as text', { ...terms, days: '3' }, 'days'],
    ['a missing member', { deliverable: 'x', check: 'y' }, 'days'],
    ['an unknown member', { ...terms, penalty: 5 }, 'penalty'],
  ])('are refused with %s, and the fault names the member', async (_name, acceptance, member) => {
    const response = await shop.priced.setPlans(agent.slug, [{ ...plan, acceptance }]);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(member);
  });

  test.each([['message'], ['free']])('are refused for a price of the kind %s', async (kind) => {
    const { amount, ...rest } = { ...plan, kind };
    const response = await shop.priced.setPlans(agent.slug, [kind === 'free' ? rest : { ...rest, amount }]);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('acceptance');
  });
});

describe('a charge with acceptance terms', () => {
  test('is held with that reason until the stated time', async () => {
    const { sale } = await charged();
    const earning = await shop.earning(sale.saleId);
    expect(earning).toMatchObject({ state: 'held', hold: 'acceptance', acceptance: { state: 'awaiting', terms } });
    expect(Date.parse(earning.availableAt) - Date.parse(earning.capturedAt)).toBe(3 * dayMs);
    const { holds } = await shop.euros();
    expect(holds.find(({ reason }) => reason === 'acceptance')?.endsAt).toBe(earning.availableAt);
  });

  test('is accepted by its buyer, once, and then held and released as without terms', async () => {
    const { buyer, sale } = await charged();
    const answers = await Promise.all([accept(buyer, sale), accept(buyer, sale)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await accept(buyer, sale)).body).toMatchObject({ state: 'accepted', terms });
    expect(await shop.earning(sale.saleId)).toMatchObject({
      ...{ state: 'pending', hold: 'refund_window' },
      acceptance: { state: 'accepted' },
    });
    expect(await awaitedBy(buyer)).toEqual([]);
    const subject = 'Subject: A result was accepted';
    await waitFor(() => mailsTo(shop.fixture, shop.seller.email).some((mail) => mail.includes(subject)), {
      what: 'the email to the seller',
    });
    await shop.release(sale.saleId);
  });

  test('reminds its buyer, and is accepted by itself', async () => {
    const { buyer, sale } = await charged();
    await passDays(sale.saleId, 2.5);
    const subject = 'Subject: A result waits for your answer';
    await waitFor(() => mailsTo(shop.fixture, buyer.email).some((mail) => mail.includes(subject)), {
      what: 'the reminder',
      timeout: 20_000,
    });
    expect((await shop.earning(sale.saleId)).state).toBe('held');
    await passDays(sale.saleId, 0.5);
    await waitFor(async () => (await shop.earning(sale.saleId)).state === 'available', { what: 'the release' });
    const { acceptance } = await shop.earning(sale.saleId);
    expect(acceptance).toMatchObject({ state: 'accepted_by_itself', acceptedAt: acceptance?.acceptBy });
    expect((await accept(buyer, sale)).body).toMatchObject({ state: 'accepted_by_itself' });
    const { status, body } = await shop.open(buyer, sale);
    expect({ status, body }).toMatchObject({ status: 409, body: { closed: ['not_as_agreed'] } });
    expect((await shop.open(buyer, sale, { reason: 'not_delivered' })).status).toBe(201);
  });

  test('that is not as agreed becomes a dispute with the terms on top, for both parties and the moderator', async () => {
    const { buyer, sale } = await charged();
    const { body } = await shop.open(buyer, sale);
    for (const person of [buyer, shop.seller, shop.moderator]) {
      expect((await shop.view(person, body.id)).body.acceptance).toMatchObject({ terms, state: 'disputed' });
      const evidence = await shop.ask<DisputeEvidence>(person, `/api/disputes/${body.id}/evidence`);
      expect(evidence.body.terms).toEqual(terms);
    }
    const refused = await accept(buyer, sale);
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', dispute: body.id } });
    await shop.act(shop.seller, body.id, { action: 'refund' });
    expect(await shop.earning(sale.saleId)).toMatchObject({ hold: 'refund_window', acceptance: { state: 'settled' } });
    expect((await accept(buyer, sale)).status).toBe(409);
  });

  test('that was refunded in full has nothing to accept', async () => {
    const { buyer, sale } = await charged();
    await shop.refund(shop.seller, (await shop.earning(sale.saleId)).id, { refunded: 0 });
    expect(await accept(buyer, sale)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await awaitedBy(buyer)).toEqual([]);
  });

  test('is accepted by nobody else: other buyers, the seller, a moderator, a stranger, tokens without `pay`', async () => {
    const { buyer, sale } = await charged();
    const other = await createPerson(shop.fixture.url, 'Otto');
    for (const person of [other, shop.seller, shop.moderator]) expect((await accept(person, sale)).status).toBe(404);
    expect((await accept(null, sale)).status).toBe(401);
    expect(await awaitedBy(other)).toEqual([]);
    const bearer = await shop.token(buyer, 'agents:read');
    const response = await send(`${shop.fixture.url}/api/acceptances`, { bearer, body: sale });
    expect(response.status).toBe(403);
    expect((await shop.earning(sale.saleId)).acceptance?.state).toBe('awaiting');
    const paying = await shop.token(buyer, 'pay');
    expect((await send(`${shop.fixture.url}/api/acceptances`, { bearer: paying, body: sale })).status).toBe(200);
  });

  test.each([
    ['nothing', {}, 400],
    ['an unknown kind', { kind: 'gift', saleId: 'tch_1' }, 400],
    ['an ID that is not one', { kind: 'charge', saleId: "tch_'1" }, 400],
    ['an unknown sale', { kind: 'charge', saleId: 'tch_1' }, 404],
    ['a member too many', { kind: 'charge', saleId: 'tch_1', note: 'Fine' }, 400],
  ])('is not accepted by a request with %s', async (_name, body, status) => {
    expect((await accept(await createPerson(shop.fixture.url, 'Wrong'), body)).status).toBe(status);
  });

  test('has a list of what awaits an answer with pages, and refuses another list’s cursor', async () => {
    const { buyer, sale } = await charged();
    await rpc(await connectTo(shop.fixture.url, buyer, agent.slug), 'message/send', message03('And another'));
    await waitFor(async () => (await awaitedBy(buyer)).length === 2, { what: 'the second charge' });
    const first = await shop.ask<AwaitedResultPage>(buyer, '/api/acceptances?limit=1');
    expect(first.body.items).toMatchObject([{ saleId: sale.saleId }]);
    const rest = await shop.ask<AwaitedResultPage>(buyer, `/api/acceptances?limit=1&cursor=${first.body.nextCursor}`);
    expect(rest.body).toMatchObject({ items: [{ kind: 'charge' }], nextCursor: null });
    expect(rest.body.items).not.toMatchObject([{ saleId: sale.saleId }]);
    expect((await shop.ask(buyer, '/api/acceptances?limit=0')).status).toBe(400);
    expect((await shop.ask(buyer, '/api/acceptances?cursor=x')).status).toBe(400);
    expect((await shop.ask(null, '/api/acceptances')).status).toBe(401);
  });

  test('that captured nothing has nothing to accept', async () => {
    completing(agent.agent, { state: 'failed' });
    const buyer = await shop.priced.newBuyer(agent.slug);
    await rpc(await connectTo(shop.fixture.url, buyer, agent.slug), 'message/send', message03('Chart this'));
    expect(await shop.priced.settledCharge(buyer)).toMatchObject({ state: 'released', acceptance: null });
    expect(await awaitedBy(buyer)).toEqual([]);
    completing(agent.agent);
  });
});

test('a charge without terms is held, and can be disputed, as before', async () => {
  const { buyer, saleId } = await shop.charge();
  expect(await shop.earning(saleId)).toMatchObject({ state: 'pending', hold: 'refund_window', acceptance: null });
  expect((await accept(buyer, { kind: 'charge', saleId })).status).toBe(404);
  const { body } = await shop.open(buyer, { kind: 'charge', saleId });
  expect(body.acceptance).toBeNull();
});

describe('the acceptance terms of a cart', () => {
  test('are shown before the approval, kept with the order, and held to', async () => {
    shop.fixture.merchant.onMandate = 'confirm';
    const { client, order } = await offered(terms);
    expect(order).toMatchObject({ state: 'verified', offer: { acceptance: terms }, acceptance: null });
    expect((await review(client, order.id)).body.order.offer?.acceptance).toEqual(terms);
    const paid = await buy(client, order, 'captured');
    expect(paid.acceptance).toMatchObject({ terms, state: 'awaiting' });
    expect(await shop.earning(order.id)).toMatchObject({ hold: 'acceptance' });
    expect((await accept(client.person, { kind: 'order', saleId: order.id })).status).toBe(200);
    expect((await orderOf(client, order.id)).acceptance).toMatchObject({ state: 'accepted' });
    expect(await shop.earning(order.id)).toMatchObject({ hold: 'refund_window' });
  });

  test.each([
    ['no days', { deliverable: 'Pizza', check: 'It is hot' }, 'days'],
    ['days above the limit', { ...terms, days: 15 }, 'days'],
    ['a deliverable that is no text', { ...terms, deliverable: 5 }, 'deliverable'],
    ['an unknown member', { ...terms, penalty: 5 }, 'penalty'],
    ['no object', 'until Friday', 'acceptance'],
    ['nothing', null, 'acceptance'],
  ])('with %s refuse the cart, and the reason names the member', async (_name, acceptance, member) => {
    const { client, order } = await offered(acceptance);
    expect(order).toMatchObject({ state: 'rejected', code: 'malformed_cart' });
    const { text } = order.checks.at(-1) ?? {};
    expect(text).toContain(PRICE_EXTENSION);
    expect(text).toContain(member);
    expect((await review(client, order.id)).status).toBe(422);
  });

  test('refuse the cart with an unknown member of the extension', async () => {
    const { order } = await offered(terms, { escrow: true });
    expect(order).toMatchObject({ state: 'rejected', code: 'malformed_cart' });
    expect(order.checks.at(-1)?.text).toContain('escrow');
  });
});
