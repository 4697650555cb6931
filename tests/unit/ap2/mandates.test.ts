import { createMerchant, type SignedCart, type SignedCheckout } from '@parley/agent';
import { hashText, type JWK, verifyJws, verifyMandate } from '@parley/agent/ap2';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkCart } from '@/lib/protocol/ap2/check-cart';
import { readConfirmation } from '@/lib/protocol/ap2/read-confirmation';
import {
  type MandateFacts,
  signPaymentReceipt,
  toPaymentReceipt,
  type WrittenMandates,
  writeMandates,
} from '@/lib/protocol/ap2/write-mandates';
import type { JsonObject } from '@/lib/protocol/json';
import { changeAt, pathsOf } from './change-at';
import {
  newKey,
  noon,
  noonSeconds,
  PARLEY,
  pizzaCheckout,
  pizzaContents,
  publicOf,
  SHOP,
  signer,
} from './merchant-fixture';

const shopKey = newKey('shop-1');
const parleyKey = newKey('ap2-1');
const cardKey = newKey('card-1');
const clock = { now: noon.getTime() };

/** A merchant whose Parley publishes these keys. */
function merchantAt(keys: JWK[], more: { issuer?: string; agent?: string } = {}) {
  return createMerchant({
    url: PARLEY,
    agent: more.agent ?? 'pizzeria',
    issuer: more.issuer ?? SHOP,
    key: shopKey,
    now: () => clock.now,
    fetch: async () => Response.json({ keys: keys.map(publicOf) }),
  });
}

const merchant = () => merchantAt([parleyKey, cardKey]);

interface Sale {
  offer: SignedCart | SignedCheckout;
  written: WrittenMandates;
}

const dialects = ['ap2-0.1', 'ap2-0.2'] as const;
const sales = {} as Record<(typeof dialects)[number], Sale>;

/** Returns the mandates that Parley signs for an offer approved by a user. */
async function pay(
  offer: SignedCart | SignedCheckout,
  change: Partial<MandateFacts> = {},
  key = parleyKey,
): Promise<Sale> {
  const data = 'contents' in offer ? { 'ap2.mandates.CartMandate': { ...offer } } : { 'ap2.checkout': { ...offer } };
  const trust = { keys: [publicOf(shopKey)], issuer: SHOP, subject: null, audience: PARLEY, now: noon };
  const checked = await checkCart(JSON.stringify(data), trust);
  if (!checked.offer) throw new Error(`the cart cannot be paid: ${checked.code}`);
  const facts: MandateFacts = {
    issuer: PARLEY,
    audience: SHOP,
    merchantAgent: 'pizzeria',
    merchantName: 'Trattoria',
    orderId: 'ord_1',
    offer: checked.offer,
    cartHash: checked.cartHash,
    approvalHash: 'approved',
    instrument: { id: 'ord_1', type: 'parley', description: 'Held at Parley' },
    now: noon,
    expiresAt: new Date(noon.getTime() + 600_000),
    ...change,
  };
  const signing = { sign: signer(key), publicJwk: publicOf(key), newId: () => crypto.randomUUID() };
  return { offer, written: await writeMandates(facts, { checkoutJwt: checked.checkoutJwt, signing }) };
}

beforeAll(async () => {
  sales['ap2-0.1'] = await pay(await merchant().signCart(pizzaContents()));
  sales['ap2-0.2'] = await pay(await merchant().signCheckout(pizzaCheckout()));
});

async function verdict(data: unknown, offer: Sale['offer'], at = merchant()): Promise<string> {
  const found = await at.verifyMandate(data, offer);
  return found.ok ? 'ok' : found.code;
}

describe.each(dialects)('PAY-2: a mandate that Parley signs for an offer in %s', (dialect) => {
  const sale = (): Sale => sales[dialect];

  test('pays the offer once at its merchant', async () => {
    const at = merchant();
    expect(await verdict(sale().written.data, sale().offer, at)).toBe('ok');
    expect(await verdict(sale().written.data, sale().offer, at)).toBe('replayed_mandate');
  });

  test('pays none of that merchant’s other offers', async () => {
    const other =
      dialect === 'ap2-0.1'
        ? await merchant().signCart({ ...pizzaContents(), id: 'cart_2' })
        : await merchant().signCheckout(pizzaCheckout());
    const code = dialect === 'ap2-0.1' ? 'transaction_mismatch' : 'checkout_superseded';
    expect(await verdict(sale().written.data, other)).toBe(code);
  });

  test('pays no other merchant', async () => {
    const other = merchantAt([parleyKey], { issuer: 'https://other.example' });
    expect(await verdict(sale().written.data, sale().offer, other)).toBe('wrong_audience');
  });

  test('can be verified only with Parley’s mandate keys', async () => {
    const invalid = await pay(sale().offer, {}, cardKey);
    expect(await verdict(invalid.written.data, invalid.offer)).toBe('unknown_key');
  });

  test('expires after ten minutes', async () => {
    clock.now = noon.getTime() + 600_000;
    expect(await verdict(sale().written.data, sale().offer)).toBe('mandate_expired');
    clock.now = noon.getTime();
  });

  test('fails verification with another amount, currency or payee', async () => {
    const { offer } = sale();
    const total = { currency: 'EUR', minor: 1_897 };
    const of = (
      await checkCart(JSON.stringify({ ...offer }), { keys: [], issuer: '', subject: null, audience: '', now: noon })
    ).offer;
    if (!of) throw new Error('no offer');
    const cheaper = await pay(offer, { offer: { ...of, total } });
    expect(await verdict(cheaper.written.data, offer)).toBe('amount_mismatch');
    const dollars = await pay(offer, { offer: { ...of, total: { currency: 'USD', minor: 1_898 } } });
    expect(await verdict(dollars.written.data, offer)).toBe('currency_mismatch');
  });

  test('fails verification if any member or part is changed', async () => {
    const { data } = sale().written;
    const { risk_data: _, ...paying } = data;
    const values = fc.constantFrom<unknown>(0, '', 'x', null, {}, []);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pathsOf(paying)),
        fc.constantFrom('set', 'drop', 'add'),
        values,
        async (location, how, value) => {
          const changed = structuredClone(paying);
          changeAt(changed, location, { how, value });
          // Unsigned content may appear next to signed content and is ignored.
          fc.pre(
            isOtherwise(changed, paying) &&
              (how !== 'add' || location.slice(0, -1).includes('payment_mandate_contents')),
          );
          expect(await verdict(changed, sale().offer)).not.toBe('ok');
        },
      ),
      { numRuns: 150 },
    );
  });

  test('fails verification if a token character changes, or a part is duplicated, omitted or moved', async () => {
    const { risk_data: _, ...paying } = sale().written.data;
    const locations = pathsOf(paying).filter((location) => String(at(paying, location)).includes('~'));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...locations),
        fc.nat(),
        fc.constantFrom('flip', 'drop', 'double'),
        async (location, where, how) => {
          const changed = structuredClone(paying);
          changeAt(changed, location, { how: 'set', value: corrupt(String(at(paying, location)), where, how) });
          expect(await verdict(changed, sale().offer)).not.toBe('ok');
        },
      ),
      { numRuns: 150 },
    );
  });

  test('is confirmed by a receipt with either form of its reference', async () => {
    const { data, mandates } = sale().written;
    const references = mandates.flatMap(({ reference, leafReference }) => [reference, leafReference]);
    const token = await merchant().receipt(data, { orderId: 'TP-1' });
    const trust = { keys: [publicOf(shopKey)], issuer: SHOP, references, cartId: 'cart_1', now: noon };
    expect(await readConfirmation({ 'ap2.CheckoutReceipt': token }, trust)).toMatchObject({
      outcome: 'confirmed',
      merchantOrderId: 'TP-1',
      token,
    });
    const leaf = await signer(shopKey)('JWT', {
      result: 'success',
      iss: SHOP,
      iat: noonSeconds,
      reference: mandates[0]?.leafReference,
      order_id: 'TP-1',
    });
    expect(await readConfirmation({ 'ap2.CheckoutReceipt': leaf }, trust)).toMatchObject({ outcome: 'confirmed' });
    const refusal = await merchant().receipt(data, { error: 'invalid_mandate', description: 'No oven' });
    expect(await readConfirmation({ 'ap2.CheckoutReceipt': refusal }, trust)).toMatchObject({
      outcome: 'rejected',
      code: 'invalid_mandate',
      text: 'No oven',
    });
  });
});

function at(root: unknown, location: (string | number)[]): unknown {
  return location.reduce<unknown>((value, step) => Object(value)[step], root);
}

/** A text different from the original: JSON serializes some distinct values identically. */
function isOtherwise(changed: object, before: object): boolean {
  return JSON.stringify(changed) !== JSON.stringify(before);
}

function corrupt(token: string, where: number, how: string): string {
  const parts = token.split('~');
  if (how === 'flip') {
    const location = where % token.length;
    return `${token.slice(0, location)}${token[location] === 'A' ? 'B' : 'A'}${token.slice(location + 1)}`;
  }
  const location = where % parts.length;
  return how === 'drop'
    ? parts.toSpliced(location, 1).join('~')
    : parts.toSpliced(location, 0, parts[location] ?? '').join('~');
}

describe('a merchant’s receipt', () => {
  const trust = { keys: [publicOf(shopKey)], issuer: SHOP, references: ['ref'], cartId: 'chk_1', now: noon };
  const good = { status: 'Success', iss: SHOP, iat: noonSeconds, reference: 'ref', order_id: 'TP-1' };
  const read = async (claims: JsonObject, key = shopKey): Promise<string | undefined> => {
    const found = await readConfirmation({ 'ap2.CheckoutReceipt': await signer(key)('JWT', claims) }, trust);
    return found?.outcome === 'invalid' ? found.code : found?.outcome;
  };

  test.each<[string, string, JsonObject]>([
    ['another reference', 'wrong_reference', { ...good, reference: 'other' }],
    ['no reference', 'wrong_reference', { ...good, reference: undefined }],
    ['another issuer', 'wrong_issuer', { ...good, iss: 'https://other.example' }],
    ['no order', 'malformed_receipt', { ...good, order_id: undefined }],
    ['no outcome', 'malformed_receipt', { ...good, status: undefined }],
    ['a time in the future', 'malformed_receipt', { ...good, iat: noonSeconds + 120 }],
  ])('with %s is rejected', async (_what, code, claims) => {
    expect(await read(claims)).toBe(code);
  });

  test('signed with another key is rejected', async () => {
    expect(await read(good, newKey('shop-1'))).toBe('bad_signature');
    expect(await read(good, newKey('shop-2'))).toBe('unknown_key');
  });

  test('is rejected if it is unsigned', async () => {
    expect(
      await readConfirmation({ 'ap2.PaymentReceipt': { payment_status: {} }, orderId: 'x', total: 1 }, trust),
    ).toBeNull();
    expect(await readConfirmation(null, trust)).toBeNull();
  });

  test('in UCP is rejected if its checkout is not signed', async () => {
    const checkout = { ...pizzaCheckout(), status: 'completed', order: { id: 'TP-1' } };
    expect(await readConfirmation({ 'a2a.ucp.checkout': checkout }, trust)).toEqual({
      outcome: 'invalid',
      code: 'bad_signature',
    });
  });
});

describe('Parley’s receipt', () => {
  const facts = {
    issuer: PARLEY,
    reference: 'ref',
    mandateId: 'm',
    paymentId: 'ord_1',
    amount: { currency: 'EUR', minor: 1_898 },
    merchantConfirmationId: 'TP-1',
    processorConfirmationId: 'pi_1',
    error: null,
    now: noon,
  };

  test('is signed, and has the same content as the AP2 0.1 object', async () => {
    const token = await signPaymentReceipt(facts, signer(parleyKey));
    const receiptClaims = { status: 'Success', iss: PARLEY, iat: noonSeconds, reference: 'ref', payment_id: 'ord_1' };
    expect(await verifyJws(token, { keys: [publicOf(parleyKey)] })).toMatchObject({ ok: true, payload: receiptClaims });
    expect(toPaymentReceipt(facts)).toEqual({
      payment_mandate_id: 'm',
      timestamp: noon.toISOString(),
      payment_id: 'ord_1',
      amount: { currency: 'EUR', value: 18.98 },
      payment_status: { merchant_confirmation_id: 'TP-1', psp_confirmation_id: 'pi_1' },
    });
  });

  test('states the error', async () => {
    const failed = { ...facts, error: { code: 'declined', text: 'The card was declined.' } };
    const token = await signPaymentReceipt(failed, signer(parleyKey));
    const receiptClaims = { status: 'Error', error: 'declined', error_description: 'The card was declined.' };
    expect(await verifyJws(token, { keys: [publicOf(parleyKey)] })).toMatchObject({ payload: receiptClaims });
    expect(toPaymentReceipt(failed).payment_status).toEqual({ error_message: 'The card was declined.' });
  });
});

test('a reference to a mandate is the hash of the token as it was sent', async () => {
  const [mandate] = sales['ap2-0.2'].written.mandates;
  expect(mandate?.reference).toBe(await hashText(mandate?.token ?? ''));
  expect(mandate?.leafReference).toBe(await hashText(mandate?.token.split('~')[0] ?? ''));
});

describe('PAY-2: the mandate reader', () => {
  const sign = signer(parleyKey);
  const trust = { keys: [publicOf(parleyKey)], vct: 'mandate.payment.1', audience: SHOP, now: noon };
  const outer = { iss: PARLEY, aud: SHOP, iat: noonSeconds, exp: noonSeconds + 600, jti: 'j' };
  const mandate = { vct: 'mandate.payment.1', transaction_id: 'x', iat: noonSeconds, exp: noonSeconds + 600 };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  /** A mandate by our key, with the given disclosures. */
  async function write(inner: JsonObject, change: JsonObject = {}, more: string[] = []): Promise<string> {
    const disclosure = encode(['salt', inner]);
    const digest = await hashText(disclosure);
    const jwt = await sign('dc+sd-jwt', { ...outer, delegate_payload: [{ '...': digest }], ...change });
    return `${[jwt, disclosure, ...more].join('~')}~`;
  }

  async function codeOf(token: string): Promise<string> {
    const read = await verifyMandate(token, trust);
    return read.ok ? 'ok' : read.code;
  }

  test('accepts a valid mandate', async () => {
    expect(await codeOf(await write(mandate))).toBe('ok');
  });

  test.each<[string, string, () => Promise<string>]>([
    [
      'an inner exp in the past and an outer exp in the future',
      'mandate_expired',
      () => write({ ...mandate, exp: noonSeconds - 1 }),
    ],
    ['no outer exp', 'mandate_expired', () => write(mandate, { exp: undefined })],
    ['no jti', 'mandate_expired', () => write(mandate, { jti: undefined })],
    ['an open mandate given as closed', 'wrong_vct', () => write({ ...mandate, vct: 'mandate.payment.open.1' })],
    ['another version', 'wrong_vct', () => write({ ...mandate, vct: 'mandate.payment.1.1' })],
    ['an unreferenced disclosure', 'unreferenced_disclosure', () => write(mandate, {}, [encode(['salt', 'x', 1])])],
    ['a duplicate disclosure', 'duplicate_disclosure', () => write(mandate, {}, [encode(['salt', mandate])])],
    [
      'an altered disclosure',
      'unreferenced_disclosure',
      async () => (await write(mandate)).replace(/~.*~$/, `~${encode(['salt', { ...mandate, transaction_id: 'y' }])}~`),
    ],
    ['a missing disclosure', 'not_one_mandate', async () => (await write(mandate)).replace(/~.*~$/, '~')],
    [
      'two mandates',
      'not_one_mandate',
      () => write(mandate, { delegate_payload: [mandate, mandate] }).then((token) => token.replace(/~.*~$/, '~')),
    ],
    ['no mandate', 'not_one_mandate', async () => `${await sign('dc+sd-jwt', outer)}~`],
    ['another hash', 'malformed_sd_jwt', () => write(mandate, { _sd_alg: 'sha-512' })],
    ['a disclosure that names _sd', 'malformed_sd_jwt', () => write(mandate, {}, [encode(['salt', '_sd', []])])],
    ['a disclosure that is not a list', 'malformed_sd_jwt', () => write(mandate, {}, [encode({ salt: 1 })])],
    ['no trailing tilde', 'malformed_sd_jwt', async () => (await write(mandate)).slice(0, -1)],
    ['an empty disclosure', 'malformed_sd_jwt', async () => `${await write(mandate)}~`],
    ['another audience', 'wrong_audience', () => write(mandate, { aud: 'https://other.example' })],
    ['audiences in a list', 'wrong_audience', () => write(mandate, { aud: [SHOP] })],
  ])('rejects an invalid mandate: %s', async (_what, code, make) => {
    expect(await codeOf(await make())).toBe(code);
  });

  test('does not let a disclosure override an existing member', async () => {
    const hidden = encode(['salt', 'vct', 'mandate.checkout.1']);
    const token = await write({ ...mandate, _sd: [await hashText(hidden)] }, {}, [hidden]);
    expect(await codeOf(token)).toBe('malformed_sd_jwt');
  });
});
