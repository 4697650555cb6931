import { createMerchant, type Merchant, type SignedCheckout } from '@parley/agent';
import { FlattenedSign } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';
import { waitFor } from '../support/wait-for';
import { pizzaCheckout } from '../unit/ap2/merchant-fixture';
import { buy, createPaymentsFixture, offerOf, orderOf, type PaymentsFixture } from './payments-fixture';

let fixture: PaymentsFixture;
/** The merchant's side as the SDK does it. */
let shop: Merchant;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
  const { privateKey, kid } = fixture.merchant.key;
  const jwk = privateKey.export({ format: 'jwk' });
  const key = { ...jwk, kty: 'EC', kid, alg: 'ES256' };
  shop = createMerchant({ url: fixture.url, agent: fixture.slug, issuer: fixture.merchant.url, key });
});

afterAll(() => fixture?.close());

/** A UCP checkout for 18.98 EUR, valid for a quarter of an hour. */
function newCheckout(): JsonObject & { id: string } {
  const { name, issuer: website } = fixture.merchant.seller;
  return {
    ...pizzaCheckout(),
    id: `chk_${newUuid()}`,
    expires_at: new Date(Date.now() + 900_000).toISOString(),
    merchant: { id: 'trattoria', name, website },
  };
}

/** UCP's AP2 extension: a detached JWS next to the signed members. */
async function signUcp(checkout: JsonObject): Promise<JsonObject> {
  const { privateKey, kid } = fixture.merchant.key;
  const { protected: head, signature } = await new FlattenedSign(new TextEncoder().encode(canonicalJson(checkout)))
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(privateKey);
  return { ...checkout, ap2: { merchant_authorization: `${head}..${signature}` } };
}

interface Form {
  name: string;
  /** A data part with a checkout, and the data that the merchant stores. */
  offer: (checkout: JsonObject & { id: string }) => Promise<{ data: JsonObject; kept?: SignedCheckout }>;
  /** The mandate key that it expects. */
  keys: string[];
}

const forms: Form[] = [
  {
    name: 'an AP2 0.2 checkout',
    async offer(checkout) {
      const signedCheckout = await shop.signCheckout(checkout);
      return { data: { 'ap2.checkout': { ...signedCheckout } }, kept: signedCheckout };
    },
    keys: ['ap2.mandates.CheckoutMandateSdJwt', 'ap2.mandates.PaymentMandateSdJwt'],
  },
  {
    name: 'a UCP checkout',
    offer: async (checkout) => ({ data: { 'a2a.ucp.checkout': await signUcp(checkout) } }),
    keys: ['ap2.checkout_mandate', 'ap2.mandates.PaymentMandateSdJwt'],
  },
];

describe.each(forms)('$name', ({ offer, keys }) => {
  test('is bought like any cart: shown, approved, paid by mandates that the merchant verifies, and confirmed', async () => {
    const { data, kept } = await offer(newCheckout());
    fixture.merchant.nextCarts.push(data);
    const order = await offerOf(fixture);
    expect(order).toMatchObject({ state: 'verified', offer: { total: { currency: 'EUR', minor: 1_898 } } });
    await buy(fixture.buyer, order, 'captured');
    const mandate = fixture.merchant.mandates.at(-1)?.data ?? {};
    expect(Object.keys(mandate).sort()).toEqual(keys);
    if (kept) expect(await shop.verifyMandate(mandate, kept)).toMatchObject({ ok: true });
    const hasReceipts = async (): Promise<boolean> => (await orderOf(fixture.buyer, order.id)).receipts.length === 2;
    await waitFor(hasReceipts, { what: 'the receipts of both sides' });
  });

  test('PAY-1 is shown with how it differs from the signed content, and can never be paid', async () => {
    const { data } = await offer(newCheckout());
    const text = JSON.stringify(data);
    const altered = text.includes('checkout_jwt')
      ? text.replace('"checkout_hash":"', '"checkout_hash":"x')
      : text.replace('"amount":1898', '"amount":1897').replace('"amount":350', '"amount":349');
    fixture.merchant.nextCarts.push(altered);
    const order = await offerOf(fixture);
    expect(order.state).toBe('rejected');
    expect(['cart_hash_mismatch', 'merchant_authorization_invalid']).toContain(order.code);
  });
});
