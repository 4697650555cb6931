import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, send } from '../support/fixtures';
import { auditDisputedLedger, DisputeShop } from './disputes-fixture';
import { mailsTo } from './moderation-fixture';

let shop: DisputeShop;

beforeAll(async () => {
  shop = await DisputeShop.start();
});
afterEach(async () => {
  expect(await auditDisputedLedger()).toEqual([]);
});
afterAll(() => shop?.fixture.close());

/** What the buyer sees of the only charge. */
async function chargeOf(buyer: Parameters<DisputeShop['priced']['chargesOf']>[0]) {
  const [charge] = await shop.priced.chargesOf(buyer);
  if (!charge) throw new Error('no charge');
  return charge;
}

describe('a refund of a charge', () => {
  test('PAY-5 goes to the wallet that paid it, in parts and as a whole, and the fee is returned with it', async () => {
    const { buyer, saleId } = await shop.charge();
    const { id } = await shop.earning(saleId);
    const wallet = await shop.balance('wallet', buyer.userId);
    const pending = (await shop.euros()).pending;
    const part = await shop.refund(shop.seller, id, { amount: 200, refunded: 0, reason: 'Half of it' });
    expect(part.status).toBe(200);
    expect(part.body).toMatchObject({ kind: 'charge', gross: 500, refunded: 200, fee: 15, net: 285, state: 'pending' });
    expect(await shop.balance('wallet', buyer.userId)).toBe(wallet + 200);
    expect(pending - (await shop.euros()).pending).toBe(190);
    expect(await chargeOf(buyer)).toMatchObject({
      captured: { minor: 500 },
      refunded: { currency: 'EUR', minor: 200 },
      refunds: [{ amount: 200, reason: 'Half of it' }],
    });
    const rest = await shop.refund(shop.seller, id, { refunded: 200 });
    expect(rest.body).toMatchObject({ refunded: 500, fee: 0, net: 0, state: 'refunded' });
    expect(await shop.balance('wallet', buyer.userId)).toBe(wallet + 500);
    expect((await shop.refund(shop.seller, id, { refunded: 500 })).status).toBe(409);
    const mails = mailsTo(shop.fixture, buyer.email).filter((mail) => mail.includes(saleId));
    expect(mails).toHaveLength(2);
    expect(mails[0]).toContain('2.00');
    expect(mails.join()).not.toContain('Half of it');
  });

  test('PAY-5 is taken from available after the release', async () => {
    const { saleId } = await shop.charge();
    await shop.release(saleId);
    const before = (await shop.euros()).available;
    const { id } = await shop.earning(saleId);
    expect((await shop.refund(shop.seller, id, { refunded: 0 })).body).toMatchObject({ refunded: 500, net: 0 });
    expect((await shop.euros()).available).toBe(before - 475);
  });

  test('of a seller without money makes the balance negative', async () => {
    const { saleId } = await shop.charge();
    await shop.release(saleId);
    const left = await shop.balance('available', shop.seller.userId);
    await shop.payOut(left);
    const { id } = await shop.earning(saleId);
    expect((await shop.refund(shop.seller, id, { refunded: 0, amount: 100 })).status).toBe(200);
    expect((await shop.euros()).available).toBe(-95);
  });

  test('is made once by requests that know the same refunded amount', async () => {
    const { buyer, saleId } = await shop.charge();
    const { id } = await shop.earning(saleId);
    const ask = () => shop.refund(shop.seller, id, { amount: 100, refunded: 0 });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await chargeOf(buyer)).refunded.minor).toBe(100);
  });

  test.each([
    [{ refunded: 0, amount: 501 }, 409, 'conflict'],
    [{ refunded: 0, amount: 0 }, 400, 'invalid_request'],
    [{ refunded: 0, amount: 1.5 }, 400, 'invalid_request'],
    [{ refunded: 0, amount: '100' }, 400, 'invalid_request'],
    [{ amount: 100 }, 400, 'invalid_request'],
    [{ refunded: 1, amount: 100 }, 409, 'conflict'],
    [{ refunded: 0, currency: 'USD' }, 400, 'invalid_request'],
  ])('with %j is refused and changes nothing', async (body, status, code) => {
    const { buyer, saleId } = await shop.charge();
    const { id } = await shop.earning(saleId);
    expect(await shop.refund(shop.seller, id, body)).toMatchObject({ status, body: { code } });
    expect((await chargeOf(buyer)).refunded.minor).toBe(0);
  });

  test('AUZ-1 AUZ-3 is its seller’s, with a credential that may change agents', async () => {
    const { buyer, saleId } = await shop.charge();
    const { id } = await shop.earning(saleId);
    const stranger = await createPerson(shop.fixture.url, 'Sid');
    for (const person of [buyer, stranger, shop.moderator])
      expect((await shop.refund(person, id, { refunded: 0 })).status).toBe(404);
    expect((await shop.refund(null, id, { refunded: 0 })).status).toBe(401);
    const bearer = await shop.token(shop.seller, 'agents:read');
    const call = { bearer, body: { refunded: 0 } };
    expect((await send(`${shop.fixture.url}/api/earnings/${id}/refund`, call)).status).toBe(403);
    for (const unknown of ['ern_0', 'x', saleId])
      expect((await shop.refund(shop.seller, unknown, { refunded: 0 })).status, unknown).toBe(404);
    expect((await chargeOf(buyer)).refunded.minor).toBe(0);
  });
});

describe('the same request for a sale of the other kind', () => {
  test('refunds an order as it was paid', async () => {
    const { buyer, saleId } = await shop.order();
    const { id } = await shop.earning(saleId);
    const wallet = await shop.balance('wallet', buyer.userId);
    expect((await shop.refund(shop.seller, id, { amount: 898, refunded: 0 })).status).toBe(200);
    await shop.refunded(saleId, 898);
    expect(await shop.balance('wallet', buyer.userId)).toBe(wallet + 898);
    expect(await shop.earning(saleId)).toMatchObject({ refunded: 898, fee: 49, net: 951 });
  });
});
