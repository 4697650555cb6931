import { createMerchant, type Merchant, type SignedCheckout } from '@parley/agent';
import { FlattenedSign } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';
import { waitFor } from '../support/wait-for';
import { pizzaCheckout } from '../unit/ap2/merchant-world';
import { buy, offerOf, openPaymentsWorld, orderOf, type PaymentsWorld } from './payments-world';

let world: PaymentsWorld;
/** The merchant's side as the SDK does it. */
let shop: Merchant;

beforeAll(async () => {
  world = await openPaymentsWorld();
  const { privateKey, kid } = world.merchant.key;
  const jwk = privateKey.export({ format: 'jwk' });
  const key = { ...jwk, kty: 'EC', kid, alg: 'ES256' };
  shop = createMerchant({ url: world.url, agent: world.slug, issuer: world.merchant.url, key });
});

afterAll(() => world?.close());

/** A checkout of UCP for 18.98 EUR, for a quarter of an hour. */
function newCheckout(): JsonObject & { id: string } {
  const { name, issuer: website } = world.merchant.seller;
  return {
    ...pizzaCheckout(),
    id: `chk_${newUuid()}`,
    expires_at: new Date(Date.now() + 900_000).toISOString(),
    merchant: { id: 'trattoria', name, website },
  };
}

/** UCP's AP2 extension: the signature of a JWS stands beside what it covers. */
async function signUcp(checkout: JsonObject): Promise<JsonObject> {
  const { privateKey, kid } = world.merchant.key;
  const { protected: head, signature } = await new FlattenedSign(new TextEncoder().encode(canonicalJson(checkout)))
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(privateKey);
  return { ...checkout, ap2: { merchant_authorization: `${head}..${signature}` } };
}

interface Form {
  name: string;
  /** The data of a part with a checkout, and what the merchant keeps of it. */
  offer: (checkout: JsonObject & { id: string }) => Promise<{ data: JsonObject; kept?: SignedCheckout }>;
  /** What its mandates are sent under. */
  keys: string[];
}

const forms: Form[] = [
  {
    name: 'a checkout of AP2 0.2',
    async offer(checkout) {
      const kept = await shop.signCheckout(checkout);
      return { data: { 'ap2.checkout': { ...kept } }, kept };
    },
    keys: ['ap2.mandates.CheckoutMandateSdJwt', 'ap2.mandates.PaymentMandateSdJwt'],
  },
  {
    name: 'a checkout of UCP',
    offer: async (checkout) => ({ data: { 'a2a.ucp.checkout': await signUcp(checkout) } }),
    keys: ['ap2.checkout_mandate', 'ap2.mandates.PaymentMandateSdJwt'],
  },
];

describe.each(forms)('$name', ({ offer, keys }) => {
  test('is bought like any cart: shown, approved, paid by mandates that the merchant verifies, confirmed', async () => {
    const { data, kept } = await offer(newCheckout());
    world.merchant.nextCarts.push(data);
    const order = await offerOf(world);
    expect(order).toMatchObject({ state: 'verified', offer: { total: { currency: 'EUR', minor: 1_898 } } });
    await buy(world.buyer, order, 'captured');
    const mandate = world.merchant.mandates.at(-1)?.data ?? {};
    expect(Object.keys(mandate).sort()).toEqual(keys);
    if (kept) expect(await shop.verifyMandate(mandate, kept)).toMatchObject({ ok: true });
    const told = async (): Promise<boolean> => (await orderOf(world.buyer, order.id)).receipts.length === 2;
    await waitFor(told, { what: 'the receipts of both sides' });
  });

  test('PAY-1 that says something else than was signed is shown, named and never payable', async () => {
    const { data } = await offer(newCheckout());
    const text = JSON.stringify(data);
    const altered = text.includes('checkout_jwt')
      ? text.replace('"checkout_hash":"', '"checkout_hash":"x')
      : text.replace('"amount":1898', '"amount":1897').replace('"amount":350', '"amount":349');
    world.merchant.nextCarts.push(altered);
    const order = await offerOf(world);
    expect(order.state).toBe('rejected');
    expect(['cart_hash_mismatch', 'merchant_authorization_invalid']).toContain(order.code);
  });
});
