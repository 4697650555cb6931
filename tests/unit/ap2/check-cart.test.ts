import { createHmac } from 'node:crypto';
import { createMerchant } from '@parley/agent';
import { hashJson } from '@parley/agent/ap2';
import fc from 'fast-check';
import { FlattenedSign, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { type CheckedCart, checkCart } from '@/lib/protocol/ap2/check-cart';
import type { CartTrust } from '@/lib/protocol/ap2/check-signature';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject, JsonValue } from '@/lib/protocol/json';
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

const key = newKey('shop-1');
const merchant = createMerchant({ url: PARLEY, agent: 'pizzeria', issuer: SHOP, key, now: () => noon.getTime() });
const trust: CartTrust = { keys: [publicOf(key)], issuer: SHOP, subject: null, audience: PARLEY, now: noon };
const sign = signer(key);

function check(value: JsonValue, more: Partial<CartTrust> = {}): Promise<CheckedCart> {
  return checkCart(JSON.stringify(value), { ...trust, ...more });
}

async function codeOf(value: JsonValue, more: Partial<CartTrust> = {}): Promise<string> {
  return (await check(value, more)).code ?? 'ok';
}

async function signed(contents = pizzaContents()): Promise<JsonObject> {
  return { ...(await merchant.signCart(contents)) };
}

/** A cart whose claims are changed before signing. */
async function claiming(change: JsonObject, contents = pizzaContents()): Promise<JsonObject> {
  const iat = noonSeconds - 5;
  const claims = {
    iss: SHOP,
    sub: SHOP,
    aud: PARLEY,
    iat,
    exp: iat + 600,
    jti: 'j',
    cart_hash: await hashJson(contents),
  };
  return { contents, merchant_authorization: await sign('JWT', { ...claims, ...change }) };
}

/** A cart with one change made before signing. */
async function selling(change: (details: { [name: string]: JsonObject }, contents: JsonObject) => void) {
  const contents = pizzaContents();
  const details = (contents.payment_request as JsonObject).details as { [name: string]: JsonObject };
  change(details, contents);
  return signed(contents);
}

describe('a valid cart', () => {
  test('passes every check in order, and displays its signed contents', async () => {
    const checked = await check({ 'ap2.mandates.CartMandate': await signed(), risk_data: 'x' });
    expect(checked.checks.map(({ code }) => code)).toEqual([
      'malformed_cart',
      'missing_signature',
      'alg_not_allowed',
      'unknown_key',
      'bad_signature',
      'wrong_issuer',
      'wrong_audience',
      'missing_claim',
      'signature_expired',
      'signature_lifetime',
      'cart_hash_mismatch',
      'cart_expired',
      'currency_mismatch',
      'amount_precision',
      'total_mismatch',
    ]);
    expect(checked.checks.every(({ ok }) => ok)).toBe(true);
    expect(checked).toMatchObject({
      code: null,
      issuer: SHOP,
      cartHash: await hashJson(pizzaContents()),
      checkoutJwt: null,
    });
    expect(checked.jti).toBeTruthy();
    const line = { kind: 'item', quantity: 1, pending: false, refundDays: 1 };
    expect(checked.offer).toEqual({
      cartId: 'cart_1',
      detailsId: 'order_1',
      dialect: 'ap2-0.1',
      merchantName: 'Trattoria',
      lines: [
        { ...line, label: 'Margherita', minor: 1_648 },
        { ...line, label: 'Delivery', minor: 250 },
      ],
      total: { currency: 'EUR', minor: 1_898 },
      expiresAt: '2026-11-20T12:15:00.000Z',
      address: ['12 Via Roma'],
    });
  });

  test('may contain a hexadecimal hash', async () => {
    const hash = Buffer.from(await hashJson(pizzaContents()), 'base64url').toString('hex');
    expect(await codeOf(await claiming({ cart_hash: hash }))).toBe('ok');
  });

  test('may list other audiences', async () => {
    expect(await codeOf(await claiming({ aud: ['https://else.example', PARLEY] }))).toBe('ok');
  });

  test.each(['kind', 'type'])('is found in a part wrapped by %s', async (label) => {
    expect(await codeOf({ [label]: 'data', data: { 'ap2.mandates.CartMandate': await signed() } })).toBe('ok');
  });

  test('may be a checkout signed according to AP2 0.2', async () => {
    const checkout = await merchant.signCheckout(pizzaCheckout());
    const checked = await check({ 'ap2.checkout': { ...checkout, amount_cents: 1_898 } });
    expect(checked).toMatchObject({ code: null, checkoutJwt: checkout.checkout_jwt, cartHash: checkout.checkout_hash });
    expect(checked.offer).toMatchObject({
      dialect: 'ap2-0.2',
      cartId: 'chk_1',
      total: { currency: 'EUR', minor: 1_898 },
    });
    expect(checked.offer?.lines.map(({ label, kind, minor, quantity }) => [label, kind, minor, quantity])).toEqual([
      ['Margherita', 'item', 1_648, 2],
      ['Lunch', 'discount', -100, 1],
      ['Delivery', 'shipping', 350, 1],
    ]);
  });

  test('may be a UCP checkout, whose signature becomes the mandate’s JWT', async () => {
    const checked = await check({ 'a2a.ucp.checkout': await detached(pizzaCheckout()) });
    expect(checked).toMatchObject({ code: null, jti: null, offer: { dialect: 'ucp', expiresAt: null } });
    const [, payload = ''] = checked.checkoutJwt?.split('.') ?? [];
    expect(Buffer.from(payload, 'base64url').toString()).toBe(canonicalJson(pizzaCheckout()));
  });
});

/** UCP's AP2 extension: a detached JWS over everything but `ap2`. */
async function detached(checkout: JsonObject): Promise<JsonObject> {
  const { protected: head, signature } = await new FlattenedSign(new TextEncoder().encode(canonicalJson(checkout)))
    .setProtectedHeader({ alg: 'ES256', kid: key.kid })
    .sign(key);
  return { ...checkout, ap2: { merchant_authorization: `${head}..${signature}` } };
}

describe('C1, C2: the cart parser', () => {
  const text = JSON.stringify(pizzaContents());
  test.each([
    ['text that is not JSON', '{'],
    ['a duplicate member', `{"contents":${text.replace('"id":"cart_1"', '"id":"cart_1","id":"cart_2"')}}`],
    [
      'a duplicate member with an escape',
      `{"contents":${text.replace('"id":"cart_1"', '"id":"cart_1","\\u0069d":"cart_2"')}}`,
    ],
    [
      'a duplicate total',
      `{"contents":${text.replace('"total":', '"total":{"label":"","amount":{"currency":"EUR","value":1}},"total":')}}`,
    ],
    ['__proto__', `{"contents":${text},"__proto__":{}}`],
    ['an unpaired surrogate', `{"contents":${text.replace('Trattoria', '\\ud83d')}}`],
    ['U+0000', `{"contents":${text.replace('Trattoria', '\\u0000')}}`],
    ['a number out of range', `{"contents":${text.replace('16.48', '1e999')}}`],
    ['more than 64 levels', `{"contents":${text},"x":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['more than 256 KiB', `{"contents":${text},"x":"${'x'.repeat(262_144)}"}`],
    ['another shape', '{"contents":{"id":"c","payment_request":{}}}'],
    ['a list', '[]'],
    [
      'a checkout with two totals',
      JSON.stringify({
        ...pizzaCheckout(),
        totals: [...(pizzaCheckout().totals as JsonValue[]), { type: 'total', amount: 1 }],
      }),
    ],
    ['an invalid checkout_jwt', '{"ap2.checkout":{"checkout_jwt":"x"}}'],
  ])('rejects an ambiguous cart as malformed: %s', async (_what, cart) => {
    expect(await checkCart(cart, trust)).toMatchObject({
      code: 'malformed_cart',
      offer: null,
      issuer: null,
      jti: null,
    });
  });
});

describe('C3 to C6: the signature check', () => {
  async function signedBy(make: (header: string, payload: string) => string): Promise<JsonObject> {
    const { contents, merchant_authorization: token } = await claiming({});
    const [, payload = ''] = String(token).split('.');
    return { contents, merchant_authorization: make('', payload) };
  }
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each<[string, string, () => Promise<JsonObject>]>([
    ['unsigned', 'missing_signature', async () => ({ contents: pizzaContents() })],
    [
      'an empty signature',
      'missing_signature',
      async () => ({ contents: pizzaContents(), merchant_authorization: '' }),
    ],
    [
      'flat, as Web42 sends it',
      'missing_signature',
      async () => ({ ...pizzaContents(), user_signature_required: true }),
    ],
    [
      'ap2.cart',
      'missing_signature',
      async () => ({ 'ap2.cart': { cart_id: 'c', item_label: 'x', amount: 1.5, currency: 'EUR' } }),
    ],
    [
      'a placeholder from the samples',
      'bad_signature',
      async () => ({ ...(await signed()), merchant_authorization: 'sig_merchant_1' }),
    ],
    [
      'HS256, keyed with the public key',
      'alg_not_allowed',
      () =>
        signedBy((_header, payload) => {
          const input = `${encode({ alg: 'HS256', kid: key.kid })}.${payload}`;
          return `${input}.${createHmac('sha256', JSON.stringify(publicOf(key)))
            .update(input)
            .digest('base64url')}`;
        }),
    ],
    [
      'alg none',
      'alg_not_allowed',
      () => signedBy((_header, payload) => `${encode({ alg: 'none', kid: key.kid })}.${payload}.`),
    ],
    [
      'alg in another case',
      'alg_not_allowed',
      () => signedBy((_h, payload) => `${encode({ alg: 'es256', kid: key.kid })}.${payload}.AA`),
    ],
    [
      'crit',
      'bad_signature',
      () => signedBy((_h, payload) => `${encode({ alg: 'ES256', kid: key.kid, crit: ['x'], x: 1 })}.${payload}.AA`),
    ],
    [
      'b64 false',
      'bad_signature',
      () => signedBy((_h, payload) => `${encode({ alg: 'ES256', kid: key.kid, b64: false })}.${payload}.AA`),
    ],
    [
      'no kid',
      'unknown_key',
      () => signedBy((_h, payload) => `${encode({ alg: 'ES256', jwk: publicOf(key) })}.${payload}.AA`),
    ],
  ])('trusts only keys pinned for the listing: %s', async (_what, code, make) => {
    expect(await codeOf(await make())).toBe(code);
  });

  test('rejects EdDSA even with a valid signature', async () => {
    const { privateKey } = await generateKeyPair('EdDSA');
    const token = await new SignJWT({ iss: SHOP }).setProtectedHeader({ alg: 'EdDSA', kid: key.kid }).sign(privateKey);
    expect(await codeOf({ contents: pizzaContents(), merchant_authorization: token })).toBe('alg_not_allowed');
  });

  test('rejects another key under a pinned key id', async () => {
    const other = createMerchant({
      url: PARLEY,
      agent: 'p',
      issuer: SHOP,
      key: newKey('shop-1'),
      now: () => noon.getTime(),
    });
    expect(await codeOf({ ...(await other.signCart(pizzaContents())) })).toBe('bad_signature');
  });

  test('accepts exactly one encoding of a signature', async () => {
    const cart = await signed();
    expect(await codeOf({ ...cart, merchant_authorization: `${cart.merchant_authorization}==` })).toBe('bad_signature');
  });

  test('reports a UCP checkout’s errors in UCP’s terms', async () => {
    const checkout = await detached(pizzaCheckout());
    expect(await codeOf({ 'a2a.ucp.checkout': pizzaCheckout() })).toBe('merchant_authorization_missing');
    expect(await codeOf({ 'a2a.ucp.checkout': { ...checkout, currency: 'USD' } })).toBe(
      'merchant_authorization_invalid',
    );
    expect(await codeOf({ 'a2a.ucp.checkout': checkout }, { keys: [] })).toBe('merchant_authorization_invalid');
  });
});

describe('C7, C8: the check of signed claims', () => {
  test.each<[string, string, JsonObject]>([
    ['another issuer', 'wrong_issuer', { iss: 'https://other.example' }],
    ['another audience', 'wrong_audience', { aud: 'https://else.example' }],
    ['a list of other audiences', 'wrong_audience', { aud: ['https://else.example'] }],
    ['no iss', 'missing_claim', { iss: undefined }],
    ['no sub', 'missing_claim', { sub: undefined }],
    ['no aud', 'missing_claim', { aud: undefined }],
    ['no iat', 'missing_claim', { iat: undefined }],
    ['no exp', 'missing_claim', { exp: undefined }],
    ['exp as text', 'missing_claim', { exp: '9999999999' }],
    ['no jti', 'missing_claim', { jti: undefined }],
    ['no cart_hash', 'missing_claim', { cart_hash: undefined }],
    ['expired', 'signature_expired', { iat: noonSeconds - 700, exp: noonSeconds }],
    ['a lifetime of a year', 'signature_lifetime', { exp: noonSeconds + 31_536_000 }],
    ['issued in the future', 'signature_lifetime', { iat: noonSeconds + 120, exp: noonSeconds + 600 }],
    ['not yet valid', 'signature_lifetime', { nbf: noonSeconds + 120 }],
  ])('rejects a cart with invalid claims: %s', async (_what, code, change) => {
    expect(await codeOf(await claiming(change))).toBe(code);
  });

  test('requires the signed listing if Parley signs the cart', async () => {
    const platform = { issuer: PARLEY, subject: 'agt_1' };
    expect(await codeOf(await claiming({ iss: PARLEY, sub: 'agt_1' }), platform)).toBe('ok');
    expect(await codeOf(await claiming({ iss: PARLEY, sub: 'agt_2' }), platform)).toBe('wrong_issuer');
  });
});

describe('C9: the hash check', () => {
  test.each<[string, (contents: JsonObject) => void]>([
    ['the merchant’s name', (contents) => Object.assign(contents, { merchant_name: 'Other' })],
    ['a member that is null', (contents) => Object.assign(contents, { note: null })],
    ['an address', (contents) => Object.assign(contents.payment_request as JsonObject, { shipping_address: null })],
  ])('rejects a cart that was changed after signing: %s', async (_what, change) => {
    const cart = await signed();
    change(cart.contents as JsonObject);
    expect(await codeOf(cart)).toBe('cart_hash_mismatch');
  });

  test('requires unsigned copies of a signed checkout to match it', async () => {
    const checkout = { ...(await merchant.signCheckout(pizzaCheckout())) };
    expect(await codeOf({ 'ap2.checkout': { ...checkout, amount_cents: 1 } })).toBe('cart_hash_mismatch');
    expect(await codeOf({ 'ap2.checkout': { ...checkout, checkout_hash: 'x' } })).toBe('cart_hash_mismatch');
  });

  test('PAY-2: rejects a cart with any member changed, removed or added', async () => {
    const cart = await signed();
    const paths = pathsOf(cart);
    const change = fc.constantFrom<unknown>(0, 1, -1, '', 'x', null, true, [], {});
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom('set', 'drop', 'add'),
        change,
        async (location, how, value) => {
          const changed = structuredClone(cart);
          const before = JSON.stringify(changed);
          changeAt(changed, location, { how, value });
          fc.pre(JSON.stringify(changed) !== before);
          expect(await codeOf(changed)).not.toBe('ok');
        },
      ),
      { numRuns: 400 },
    );
  });

  test('PAY-2: rejects a cart with any signature bit changed, and ignores white space', async () => {
    const cart = await signed();
    const token = String(cart.merchant_authorization);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.nat(5), async (at, bit) => {
        const other = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
        const changed = { ...cart, merchant_authorization: token.slice(0, at) + other + token.slice(at + 1) };
        expect(await codeOf(changed)).not.toBe('ok');
      }),
      { numRuns: 200 },
    );
    expect((await checkCart(JSON.stringify(cart, null, 2), trust)).code).toBeNull();
  });

  test('ignores the order of members', async () => {
    const cart = await signed();
    const reversed = (value: JsonValue | undefined): JsonValue => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value ?? null;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    expect(await codeOf(reversed(cart))).toBe('ok');
  });
});

describe('C10 to C13: the offer check', () => {
  test.each<[string, string, Parameters<typeof selling>[0]]>([
    [
      'an expired offer',
      'cart_expired',
      (_details, contents) => Object.assign(contents, { cart_expiry: '2026-11-20T11:59:59Z' }),
    ],
    [
      'an invalid currency',
      'currency_mismatch',
      ({ total }) => Object.assign(total?.amount ?? {}, { currency: 'EURO' }),
    ],
    [
      'a total in another currency',
      'currency_mismatch',
      ({ total }) => Object.assign(total?.amount ?? {}, { currency: 'USD' }),
    ],
    [
      'more decimals than the currency has',
      'amount_precision',
      ({ total }) => Object.assign(total?.amount ?? {}, { value: 18.981 }),
    ],
    ['a negative total', 'amount_precision', ({ total }) => Object.assign(total?.amount ?? {}, { value: -18.98 })],
    ['a total that can still change', 'amount_precision', ({ total }) => Object.assign(total ?? {}, { pending: true })],
    [
      'a total that is not the sum',
      'total_mismatch',
      ({ total }) => Object.assign(total?.amount ?? {}, { value: 18.97 }),
    ],
  ])('rejects an invalid offer: %s', async (_what, code, change) => {
    expect(await codeOf(await selling(change))).toBe(code);
  });

  test.each([
    ['JPY', 100.5],
    ['KWD', 1.0005],
  ])('rejects a fraction that %s does not have', async (currency, value) => {
    const cart = await selling((details) => {
      const amount = { currency, value };
      Object.assign(details, { display_items: [{ label: 'x', amount }], total: { label: 'Total', amount } });
    });
    expect(await codeOf(cart)).toBe('amount_precision');
  });

  test.each([['canceled'], ['completed'], ['requires_escalation']])('rejects a checkout that is %s', async (status) => {
    expect(await codeOf({ 'a2a.ucp.checkout': await detached({ ...pizzaCheckout(), status }) })).toBe('cart_expired');
  });

  test('rejects a checkout whose lines do not add up to its subtotal', async () => {
    const totals = [
      { type: 'subtotal', amount: 1_500 },
      { type: 'tax', amount: 398 },
      { type: 'total', amount: 1_898 },
    ];
    expect(await codeOf({ 'a2a.ucp.checkout': await detached({ ...pizzaCheckout(), totals }) })).toBe('total_mismatch');
  });
});
