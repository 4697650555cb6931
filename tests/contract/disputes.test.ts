import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DisputeEvidence, DisputePage } from '@/lib/payments/schema-disputes';
import { createPerson, type Person, send } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { auditDisputedLedger, DisputeShop } from './disputes-fixture';
import { mailsTo } from './moderation-fixture';
import { ageSignIns } from './payments-fixture';

let shop: DisputeShop;

beforeAll(async () => {
  shop = await DisputeShop.start();
});
afterEach(async () => {
  expect(await auditDisputedLedger()).toEqual([]);
});
afterAll(() => shop?.fixture.close());

/** A dispute of 3.00 euros of a charge of 5.00, of which the seller gets 4.75. */
async function disputed(released = false): Promise<{ buyer: Person; saleId: string; id: string }> {
  const { buyer, saleId } = await shop.charge();
  if (released) await shop.release(saleId);
  const { status, body } = await shop.open(buyer, { kind: 'charge', saleId });
  expect(status).toBe(201);
  return { buyer, saleId, id: body.id };
}

async function walletOf({ userId }: Person): Promise<number> {
  return shop.balance('wallet', userId);
}

function days(from: string, to: string | null): number {
  return Math.round((Date.parse(to ?? '') - Date.parse(from)) / 86_400_000);
}

describe('an open dispute', () => {
  test('holds pending money with its reason and the date of the deadline', async () => {
    const { buyer, saleId, id } = await disputed();
    const { body } = await shop.view(buyer, id);
    expect(body).toMatchObject({
      ...{
        role: 'buyer',
        kind: 'charge',
        saleId,
        state: 'open',
        wanted: 300,
        paid: 500,
        outcome: null,
        proposal: null,
      },
      entries: [{ author: 'buyer', kind: 'opened', text: 'The chart is empty.', amount: 300 }],
      actions: ['message', 'propose', 'withdraw'],
    });
    expect(days(body.createdAt, body.dueAt)).toBe(7);
    expect(await shop.earning(saleId)).toMatchObject({ state: 'held', hold: 'dispute', availableAt: body.dueAt });
    await query('test-end-hold', 'UPDATE earning SET available_at = now() WHERE sale_id = $1', [saleId]);
    await shop.charge();
    expect(await shop.earning(saleId)).toMatchObject({ state: 'held' });
  });

  test('moves the seller’s part of available money to reserve, and back when it is withdrawn', async () => {
    const { buyer, saleId } = await shop.charge();
    await shop.release(saleId);
    const before = await shop.euros();
    const { id } = (await shop.open(buyer, { kind: 'charge', saleId })).body;
    const during = await shop.euros();
    expect(before.available - during.available).toBe(285);
    expect(during.held - before.held).toBe(285);
    expect(during.holds.find(({ reason, amount }) => reason === 'dispute' && amount === 285)).toBeDefined();
    expect(await shop.earning(saleId)).toMatchObject({ state: 'held', hold: 'dispute' });
    const { body } = await shop.act(buyer, id, { action: 'withdraw', text: 'My mistake.' });
    expect(body).toMatchObject({ state: 'closed', outcome: 'withdrawn', awarded: 0, actions: [] });
    expect((await shop.euros()).available).toBe(before.available);
    expect(await shop.earning(saleId)).toMatchObject({ state: 'available', hold: null, net: 475 });
    expect((await shop.open(buyer, { kind: 'charge', saleId })).status).toBe(201);
  });

  test('exists once for a sale, also if it is opened at the same time', async () => {
    const { buyer, saleId } = await shop.charge();
    const open = () => shop.open(buyer, { kind: 'charge', saleId });
    const answers = await Promise.all([open(), open(), open()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('prevents other refunds of the sale', async () => {
    const { saleId } = await disputed();
    const { id } = await shop.earning(saleId);
    expect((await shop.refund(shop.seller, id, { refunded: 0 })).status).toBe(409);
    const { buyer, saleId: orderId } = await shop.order();
    await shop.open(buyer, { kind: 'order', saleId: orderId });
    const give = await shop.ask(shop.seller, `/api/sales/${orderId}/refund`, { give: true });
    expect(give.status).toBe(409);
    expect((await shop.ask(buyer, `/api/orders/${orderId}/refund`, { reason: 'Now' })).status).toBe(409);
  });
});

describe('a dispute ends', () => {
  test.each([false, true])('by agreement on the other party’s proposal (money available: %s)', async (released) => {
    const { buyer, saleId, id } = await disputed(released);
    const wallet = await walletOf(buyer);
    const proposed = await shop.act(shop.seller, id, { action: 'propose', amount: 100, text: 'The bars are there.' });
    expect(proposed.body).toMatchObject({ role: 'seller', state: 'answered', proposal: { by: 'seller', amount: 100 } });
    expect(days(proposed.body.entries.at(-1)?.at ?? '', proposed.body.dueAt)).toBe(7);
    expect((await shop.act(shop.seller, id, { action: 'accept', amount: 100 })).status).toBe(409);
    await shop.act(buyer, id, { action: 'propose', amount: 200 });
    expect((await shop.act(buyer, id, { action: 'accept', amount: 100 })).status).toBe(409);
    expect((await shop.act(shop.seller, id, { action: 'accept', amount: 100 })).status).toBe(409);
    const { body } = await shop.act(shop.seller, id, { action: 'accept', amount: 200 });
    expect(body).toMatchObject({ state: 'closed', outcome: 'agreed', awarded: 200, refunded: 200 });
    expect(await walletOf(buyer)).toBe(wallet + 200);
    expect(await shop.earning(saleId)).toMatchObject({
      ...{ refunded: 200, net: 285, hold: released ? null : 'refund_window' },
      state: released ? 'available' : 'pending',
    });
  });

  test('by a refund of all that is wanted, which the seller gives once', async () => {
    const { buyer, id } = await disputed(true);
    const wallet = await walletOf(buyer);
    const refund = () => shop.act(shop.seller, id, { action: 'refund' });
    const answers = await Promise.all([refund(), refund(), shop.act(buyer, id, { action: 'withdraw' })]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { body } = await shop.view(buyer, id);
    expect(body.state).toBe('closed');
    expect(await walletOf(buyer)).toBe(wallet + (body.outcome === 'refunded' ? 300 : 0));
  });

  test('by a refund of an order as it was paid, until which the money is held', async () => {
    const { buyer, saleId } = await shop.order();
    await shop.release(saleId);
    const wallet = await walletOf(buyer);
    const { id } = (await shop.open(buyer, { kind: 'order', saleId }, { wanted: 898 })).body;
    const answered = await shop.act(shop.seller, id, { action: 'refund', text: 'Sorry.' });
    expect(['refunding', 'closed']).toContain(answered.body.state);
    const closed = await shop.reaches(buyer, id, 'closed');
    expect(closed).toMatchObject({ outcome: 'refunded', awarded: 898, refunded: 898 });
    expect(closed.entries.map(({ kind }) => kind)).toEqual(['opened', 'refunded', 'refund_paid']);
    expect(await walletOf(buyer)).toBe(wallet + 898);
    expect(await shop.earning(saleId)).toMatchObject({ refunded: 898, net: 951, state: 'available' });
    expect((await shop.open(buyer, { kind: 'order', saleId }, { wanted: 100 })).status).toBe(409);
  });

  test.each([
    [0, 475],
    [120, 361],
    [300, 190],
  ])('by a decision of a moderator that gives back %i', async (amount, net) => {
    const { buyer, saleId, id } = await disputed(true);
    const wallet = await walletOf(buyer);
    expect((await shop.decide(shop.moderator, id, amount)).status).toBe(409);
    await shop.act(shop.seller, id, { action: 'message', text: 'The chart has bars.' });
    expect((await shop.act(buyer, id, { action: 'escalate' })).body).toMatchObject({ state: 'review' });
    expect((await shop.decide(shop.moderator, id, 301)).status).toBe(409);
    const decided = await shop.decide(shop.moderator, id, amount);
    expect(decided.body).toMatchObject({ role: 'moderator', state: 'closed', outcome: 'decided', awarded: amount });
    for (const person of [buyer, shop.seller]) {
      const { entries } = (await shop.view(person, id)).body;
      expect(entries.at(-1)).toMatchObject({ author: 'moderator', kind: 'decided', text: 'The chart has no bars.' });
    }
    expect(await walletOf(buyer)).toBe(wallet + amount);
    expect((await shop.earning(saleId)).net).toBe(net);
    expect((await shop.decide(shop.moderator, id, amount)).status).toBe(409);
  });
});

describe('deadlines', () => {
  test('an unanswered dispute is given to the moderators, whose date is postponed until they decide', async () => {
    const { buyer, saleId, id } = await disputed();
    await shop.pass(id);
    const review = await shop.reaches(buyer, id, 'review');
    expect(review.entries.at(-1)).toMatchObject({ author: 'parley', kind: 'escalated' });
    expect((await shop.earning(saleId)).availableAt).toBe(review.dueAt);
    const { body } = await shop.ask<DisputePage>(shop.moderator, '/api/disputes?role=moderator&state=review');
    expect(body.items.map((item) => item.id)).toContain(id);
    await shop.pass(id);
    expect(await shop.reaches(buyer, id, 'review')).toMatchObject({ state: 'review' });
    expect((await shop.act(shop.seller, id, { action: 'refund' })).body).toMatchObject({
      state: 'closed',
      outcome: 'refunded',
    });
  });

  test('the seller is reminded a day before, once, and both parties get an email at each step', async () => {
    const { id } = await disputed();
    const mails = () => mailsTo(shop.fixture, shop.seller.email).filter((mail) => mail.includes(id));
    await expect.poll(mails, { timeout: 30_000 }).toHaveLength(1);
    await query('test-remind', `UPDATE dispute SET due_at = now() + interval '23 hours' WHERE id = $1`, [id]);
    // An idle node does not look for a deadline that changed in the database: work wakes it.
    await shop.charge();
    await expect.poll(mails, { timeout: 30_000 }).toHaveLength(2);
    expect(mails()[1]).toContain('One day');
  });
});

describe('the evidence', () => {
  test('has the messages and artifacts of the task for both parties and the moderator', async () => {
    const { buyer, id } = await disputed();
    const path = `/api/disputes/${id}/evidence`;
    const { body } = await shop.ask<DisputeEvidence>(buyer, path);
    expect(body.transcript[0]).toMatchObject({ from: 'buyer', kind: 'message', parts: [{ text: 'Chart this' }] });
    expect(JSON.stringify(body.transcript)).toContain('Done');
    expect(body).toMatchObject({ complete: true, receipt: null });
    for (const person of [shop.seller, shop.moderator])
      expect((await shop.ask<DisputeEvidence>(person, path)).body).toEqual(body);
  });

  test('has the signed receipt of an order', async () => {
    const { buyer, saleId } = await shop.order();
    const { id } = (await shop.open(buyer, { kind: 'order', saleId })).body;
    const evidence = () => shop.ask<DisputeEvidence>(shop.seller, `/api/disputes/${id}/evidence`);
    await waitFor(async () => (await evidence()).body.receipt !== null, { what: 'the receipt' });
    expect((await evidence()).body.receipt?.split('.')).toHaveLength(3);
  });

  test('includes files of their type, which are downloads and not larger than stated', async () => {
    const { buyer, saleId } = await shop.charge();
    const file = (mediaType: string, content: string | Buffer, name = 'chart é.png') => ({
      files: [{ name, mediaType, data: Buffer.from(content).toString('base64') }],
    });
    const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(20)]);
    const sale = { kind: 'charge' as const, saleId };
    for (const [type, content, name] of [
      ['image/png', '<svg/>'],
      ['text/html', '<p>'],
      ['text/plain', Buffer.from([0xff, 0xfe])],
      ['application/pdf', Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(307_200)])],
      ['text/plain', 'x', '../x'],
    ] as const)
      expect((await shop.open(buyer, sale, file(type, content, name))).status, type).toBe(400);
    const { body } = await shop.open(buyer, sale, file('image/png', png));
    const found = body.entries[0]?.files[0];
    expect(found).toMatchObject({ name: 'chart é.png', mediaType: 'image/png', bytes: png.length });
    const path = `${shop.fixture.url}/api/disputes/${body.id}/files/${found?.id}`;
    const response = await send(path, { cookie: shop.seller.cookie });
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''chart%20%C3%A9.png");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    const stranger = await createPerson(shop.fixture.url, 'Sid');
    expect((await send(path, { cookie: stranger.cookie })).status).toBe(404);
  });
});

describe('AUZ-1 AUZ-3 who may do what', () => {
  test('only the buyer opens a dispute, of a captured sale, within 14 days', async () => {
    const { buyer, saleId } = await shop.charge();
    const sale = { kind: 'charge' as const, saleId };
    const stranger = await createPerson(shop.fixture.url, 'Sid');
    for (const person of [stranger, shop.seller, shop.moderator])
      expect((await shop.open(person, sale)).status).toBe(404);
    expect((await shop.open(buyer, { kind: 'order', saleId })).status).toBe(404);
    for (const [more, status] of [
      [{ wanted: 501 }, 409],
      [{ wanted: 0 }, 400],
      [{ wanted: -1 }, 400],
      [{ reason: 'bored' }, 400],
      [{ text: ' ' }, 400],
      [{ text: 'x'.repeat(4_001) }, 400],
      [{ sellerId: 'usr_1' }, 400],
    ] as const)
      expect((await shop.open(buyer, sale, more)).status, JSON.stringify(more)).toBe(status);
    await query('test-old', `UPDATE earning SET captured_at = now() - interval '15 days' WHERE sale_id = $1`, [saleId]);
    expect((await shop.open(buyer, sale)).body).toMatchObject({ code: 'conflict' });
  });

  test('others find no dispute, and each party can do what is theirs', async () => {
    const { buyer, id } = await disputed();
    const stranger = await createPerson(shop.fixture.url, 'Sid');
    for (const path of ['', '/evidence', '/files/dsf_0']) {
      expect((await shop.ask(stranger, `/api/disputes/${id}${path}`)).status).toBe(404);
      expect((await shop.ask(null, `/api/disputes/${id}${path}`)).status).toBe(401);
    }
    const actions = ['message', 'propose', 'accept', 'refund', 'withdraw', 'escalate'] as const;
    const more = { text: 'x', amount: 1 };
    for (const action of actions) {
      for (const person of [stranger, shop.moderator])
        expect((await shop.act(person, id, { action, ...more })).status, action).toBe(404);
      expect((await shop.act(null, id, { action, ...more })).status, action).toBe(401);
    }
    for (const action of ['refund', 'accept', 'escalate'] as const)
      expect((await shop.act(buyer, id, { action, ...more })).status, action).toBe(409);
    for (const action of ['withdraw', 'accept', 'escalate'] as const)
      expect((await shop.act(shop.seller, id, { action, ...more })).status, action).toBe(409);
    for (const person of [buyer, shop.seller, stranger]) expect((await shop.decide(person, id, 1)).status).toBe(404);
    expect((await shop.act(buyer, id, { action: 'message' })).status).toBe(400);
    expect((await shop.act(buyer, id, { action: 'propose' })).status).toBe(400);
    expect((await shop.act(buyer, id, { action: 'propose', amount: 301 })).status).toBe(409);
    expect((await shop.view(buyer, 'dsp_0')).status).toBe(404);
    expect((await shop.view(shop.moderator, 'dsp_0')).status).toBe(404);
  });

  test('lists have what is the caller’s, and only moderators read all', async () => {
    const { buyer, id } = await disputed();
    const list = (person: Person, search: string) => shop.ask<DisputePage>(person, `/api/disputes?${search}`);
    expect((await list(buyer, '')).body.items.map((item) => item.id)).toEqual([id]);
    expect((await list(buyer, 'role=seller')).body.items).toEqual([]);
    expect((await list(buyer, 'role=moderator')).status).toBe(404);
    const first = await list(shop.seller, 'role=seller&state=open&limit=1');
    expect(first.body.items).toMatchObject([{ id, role: 'seller' }]);
    expect(JSON.stringify(first.body)).not.toContain(buyer.userId);
    expect(JSON.stringify((await shop.view(shop.seller, id)).body)).not.toContain(buyer.userId);
    const next = await list(shop.seller, `role=seller&state=open&limit=1&cursor=${first.body.nextCursor}`);
    expect(next.body.items[0]?.id).not.toBe(id);
    expect((await list(buyer, 'cursor=x')).status).toBe(400);
  });

  test('tokens need the scope of their side', async () => {
    const { buyer, id } = await disputed();
    const [pay, read] = [await shop.token(buyer, 'pay'), await shop.token(buyer, 'agents:read')];
    const path = `${shop.fixture.url}/api/disputes/${id}`;
    expect((await send(path, { bearer: pay })).status).toBe(200);
    expect((await send(path, { bearer: read })).status).toBe(403);
    const sellerReads = await shop.token(shop.seller, 'agents:read');
    expect((await send(path, { bearer: sellerReads })).status).toBe(200);
    const body = { action: 'refund' };
    expect((await send(`${path}/actions`, { bearer: sellerReads, body })).status).toBe(403);
  });

  test('a moderator who is a party does not decide, and a sign-in must be recent', async () => {
    const { buyer, id } = await disputed();
    await shop.pass(id);
    await shop.reaches(buyer, id, 'review');
    await query('test-party', 'UPDATE dispute SET seller_id = $2 WHERE id = $1', [id, shop.moderator.userId]);
    expect((await shop.decide(shop.moderator, id, 1)).status).toBe(409);
    await query('test-party-back', 'UPDATE dispute SET seller_id = $2 WHERE id = $1', [id, shop.seller.userId]);
    await ageSignIns(shop.moderator);
    expect((await shop.decide(shop.moderator, id, 1)).body).toMatchObject({ code: 'sign_in_again' });
    await query('test-sign-in', 'UPDATE session SET signed_in_at = now() WHERE user_id = $1', [shop.moderator.userId]);
  });
});
