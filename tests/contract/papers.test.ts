import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTaxRate } from '@/lib/payments';
import type { Billing, PaperContent, PaperPage, PaperView } from '@/lib/payments/schema-income';
import type { Statement, Statements } from '@/lib/payments/schema-payouts';
import { type Person, send, tokenFor } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { textOfPdf } from '../unit/payments/paper-fixture';
import { ask, buy, createPaymentsFixture, offerOf, type PaymentsFixture, reaches } from './payments-fixture';

let fixture: PaymentsFixture;
/** A paid order of the first buyer, its invoice, and the credit note of a refund. */
let orderId: string;
let invoice: PaperView;
let note: PaperView;

const sella = {
  name: 'Sella Verde GmbH',
  street: 'Hauptstr. 1',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
  vatId: 'de 136 695 976',
};
const bea = { name: 'Βέα Жук 🍕', street: 'Allee 2', postalCode: '', city: 'Bonn', country: 'DE', vatId: null };

beforeAll(async () => {
  fixture = await createPaymentsFixture();
  fixture.merchant.onMandate = 'confirm';
  await setTaxRate({ country: 'DE', saleKinds: ['order'], basisPoints: 1_900, from: new Date(0) }, new Date());
  expect((await put(fixture.seller, 'seller', sella)).status).toBe(200);
  expect((await put(fixture.buyer.person, 'buyer', bea)).status).toBe(200);
  orderId = (await buy(fixture.buyer, await offerOf(fixture), 'captured')).id;
  invoice = await paperOf('invoice');
  const refund = { bearer: fixture.seller.accessToken, body: { give: true, amount: 898 } };
  expect((await send(`${fixture.url}/api/sales/${orderId}/refund`, refund)).status).toBe(200);
  await reaches(fixture.buyer, orderId, 'partially_refunded');
  note = await paperOf('credit_note');
});
afterAll(() => fixture?.close());

function put({ cookie }: Person, role: string, body: object): Promise<Response> {
  return send(`${fixture.url}/api/billing/${role}`, { method: 'PUT', cookie, origin: fixture.url, body });
}

/** Waits for the paper of the order. */
function paperOf(kind: PaperView['kind']): Promise<PaperView> {
  const find = async (): Promise<PaperView | undefined> =>
    (await ask<PaperPage>(fixture.buyer, `/api/papers?sale=${orderId}`)).body.items.find((one) => one.kind === kind);
  return waitFor(find, { what: kind });
}

async function tokenOf({ cookie }: Person, scope: string): Promise<string> {
  const call = { cookie, origin: fixture.url, body: { name: scope, scopes: [scope] } };
  return ((await (await send(`${fixture.url}/api/auth/access-tokens`, call)).json()) as { token: string }).token;
}

const files = ['', '.pdf', '.xml'];

describe('the papers of a sale', () => {
  test('PAY-1 PAY-4 state who sold, who bought, and the tax in what was paid and refunded', async () => {
    const { body } = await ask<PaperContent>(fixture.buyer, `/api/papers/${invoice.id}`);
    expect(body).toMatchObject({
      number: invoice.number,
      issuer: { ...sella, vatId: 'DE136695976' },
      buyer: bea,
      currency: 'EUR',
      ...{ net: 1_595, tax: 303, gross: 1_898, basisPoints: 1_900, category: 'S' },
    });
    expect(body.lines.reduce((sum, { net }) => sum + net, 0)).toBe(body.net);
    const credit = await ask<PaperContent>(fixture.buyer, `/api/papers/${note.id}`);
    expect(credit.body).toMatchObject({ net: 755, tax: 143, gross: 898, reference: { number: invoice.number } });
  });

  test('as PDF and XML have the same totals as their content, and are the same each time', async () => {
    for (const { id, number } of [invoice, note]) {
      const [pdf, again] = await Promise.all([0, 1].map(() => fixture.buyer.call(`/api/papers/${id}.pdf`)));
      expect(pdf?.headers.get('content-type')).toBe('application/pdf');
      expect(pdf?.headers.get('content-disposition')).toBe(`attachment; filename="parley-${number}.pdf"`);
      expect(pdf?.headers.get('cache-control')).toBe('no-store');
      const bytes = Buffer.from((await pdf?.arrayBuffer()) ?? new ArrayBuffer(0));
      expect(bytes.equals(Buffer.from((await again?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(true);
      expect(textOfPdf(bytes)).toContain(number);
      const xml = await fixture.buyer.call(`/api/papers/${id}.xml`);
      expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
      const parser = new SaxesParser();
      const texts: string[] = [];
      parser.on('error', (error) => {
        throw error;
      });
      parser.on('text', (text) => void texts.push(text));
      parser.write(await xml.text()).close();
      expect(texts).toContain(number);
    }
  });

  test('AUZ-1 AUZ-4 are only for their buyer and seller: others get the answer of an unknown paper', async () => {
    const { url, seller, buyer, other } = fixture;
    const unknown = 'ppr_00000000000000000000';
    const [pays, stranger] = [await tokenOf(buyer.person, 'pay'), await tokenOf(other.person, 'pay')];
    for (const file of files) {
      const path = `${url}/api/papers/${invoice.id}${file}`;
      const statusOf = async (call: Parameters<typeof send>[1], at = path): Promise<number> =>
        (await send(at, call)).status;
      expect(await statusOf({})).toBe(401);
      expect(await statusOf({ bearer: await tokenFor(url, buyer.person, fixture.slug) })).toBe(401);
      expect(await statusOf({ bearer: pays })).toBe(200);
      expect(await statusOf({ bearer: seller.accessToken })).toBe(200);
      const theirs = await send(path, { bearer: stranger });
      const none = await send(`${url}/api/papers/${unknown}${file}`, { bearer: stranger });
      expect(theirs.status).toBe(404);
      const [{ requestId: _, ...left }, { requestId: __, ...right }] = (await Promise.all([
        theirs.json(),
        none.json(),
      ])) as [Record<string, unknown>, Record<string, unknown>];
      expect({ ...left, instance: null }).toEqual({ ...right, instance: null });
      for (const wrong of ['x', '%00', '..', `${invoice.id}'--`])
        expect([404, 400]).toContain(await statusOf({ bearer: pays }, `${url}/api/papers/${wrong}${file}`));
    }
    expect((await ask<PaperPage>(other, `/api/papers?sale=${orderId}`)).body.items).toEqual([]);
    expect((await ask<PaperPage>(other, `/api/papers?as=seller&sale=${orderId}`)).body.items).toEqual([]);
    expect((await ask<PaperPage>(buyer, `/api/papers?as=seller&sale=${orderId}`)).body.items).toEqual([]);
  });

  test('AUZ-4 need the scope of the part that a token reads them for', async () => {
    const { url, seller, buyer } = fixture;
    const [pays, reads] = [await tokenOf(buyer.person, 'pay'), await tokenOf(seller, 'agents:read')];
    const [noPart, sellerPays] = [await tokenOf(buyer.person, 'handshake'), await tokenOf(seller, 'pay')];
    const statusOf = async (path: string, bearer: string): Promise<number> =>
      (await send(`${url}${path}`, { bearer })).status;
    expect(await statusOf('/api/papers', pays)).toBe(200);
    expect(await statusOf('/api/papers?as=seller', pays)).toBe(403);
    expect(await statusOf('/api/papers?as=seller', reads)).toBe(200);
    expect(await statusOf('/api/papers', reads)).toBe(403);
    expect(await statusOf(`/api/papers/${invoice.id}`, reads)).toBe(200);
    expect(await statusOf(`/api/papers/${invoice.id}`, sellerPays)).toBe(404);
    expect(await statusOf(`/api/papers/${invoice.id}`, noPart)).toBe(403);
  });

  test.each(['as=admin', 'limit=0', 'cursor=x', `sale=${'o'.repeat(300)}`])(
    'PAY-1 reject a list with %s',
    async (wrong) => {
      expect((await ask(fixture.buyer, `/api/papers?${wrong}`)).status).toBe(400);
    },
  );
});

describe('billing details', () => {
  test('AUZ-1 AUZ-3 are of the session’s user only, and take no other member', async () => {
    const { url, other, buyer } = fixture;
    expect((await ask<Billing>(other, '/api/billing')).body).toEqual({ buyer: null, seller: null, liable: 'seller' });
    expect((await send(`${url}/api/billing`, { bearer: buyer.person.accessToken })).status).toBe(403);
    expect((await send(`${url}/api/billing`, {})).status).toBe(401);
    await put(other.person, 'buyer', { ...bea, userId: buyer.person.userId, role: 'seller' });
    expect((await ask<Billing>(other, '/api/billing')).body).toEqual({ buyer: bea, seller: null, liable: 'seller' });
    expect((await ask<Billing>(buyer, '/api/billing')).body.buyer).toEqual(bea);
    const remove = { method: 'DELETE' as const, cookie: other.person.cookie, origin: url };
    expect((await send(`${url}/api/billing/buyer`, remove)).status).toBe(200);
    expect((await ask<Billing>(other, '/api/billing')).body.buyer).toBeNull();
  });

  test.each([
    ['a wrong check digit', { vatId: 'DE136695977' }, '/vatId'],
    ['the VAT id of another country', { vatId: 'FR83404833048' }, '/vatId'],
    ['an unknown form of country', { country: 'Germany' }, '/country'],
    ['an empty name', { name: ' ' }, '/name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, '/name'],
  ])('PAY-1 reject %s', async (_, change, pointer) => {
    const response = await put(fixture.other.person, 'buyer', { ...bea, ...change });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { faults: { pointer: string }[] }).faults[0]?.pointer).toBe(pointer);
  });

  test('have two roles', async () => {
    expect((await put(fixture.other.person, 'admin', bea)).status).toBe(404);
  });
});

describe('statements', () => {
  const month = new Date().toISOString().slice(0, 7);

  function bySeller(path: string): Promise<Response> {
    return send(`${fixture.url}${path}`, { bearer: fixture.seller.accessToken });
  }

  test('PAY-4 of the month and the year add up, and agree with the ledger', async () => {
    expect(await (await bySeller('/api/statements')).json()).toEqual({ months: [month], years: [month.slice(0, 4)] });
    for (const period of [month, month.slice(0, 4)]) {
      const statement = (await (await bySeller(`/api/statements/${period}`)).json()) as Statement;
      expect(statement).toMatchObject({ period, reconciled: true, isComplete: false });
      const [euros] = statement.balances;
      expect(euros).toMatchObject({ currency: 'EUR', test: true, opening: 0, sales: 1_898, fees: -49, refunds: -898 });
      expect(euros).toMatchObject({ tax: 0, payouts: 0, corrections: 0, closing: 951, saleCount: 1 });
      const csv = await (await bySeller(`/api/statements/${period}.csv`)).text();
      expect(csv).toContain(`${period},EUR,true,1,0,1898,-49,0,-898,0,0,951`);
      const pdf = await bySeller(`/api/statements/${period}.pdf`);
      expect(textOfPdf(Buffer.from(await pdf.arrayBuffer()))).toContain('9.51');
    }
  });

  test('AUZ-1 AUZ-4 are the seller’s: others have none, and a token needs the scope', async () => {
    const { url, other, buyer } = fixture;
    expect((await ask<Statements>(other, '/api/statements')).body).toEqual({ months: [], years: [] });
    expect((await ask<Statement>(other, `/api/statements/${month}`)).body.balances).toEqual([]);
    const pays = await tokenOf(buyer.person, 'pay');
    for (const file of ['', '.pdf', '.csv']) {
      expect((await send(`${url}/api/statements/${month}${file}`, {})).status).toBe(401);
      expect((await send(`${url}/api/statements/${month}${file}`, { bearer: pays })).status).toBe(403);
    }
  });

  test.each(['2026-13', '2026-00', '1999-01', '2099-12', 'now', '2026-1', '20261'])(
    'PAY-1 there is none of %s',
    async (period) => {
      for (const file of ['', '.pdf', '.csv'])
        expect((await bySeller(`/api/statements/${period}${file}`)).status).toBe(404);
    },
  );
});
