import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MerchantView } from '@/lib/payments/schema-merchants';
import { db } from '@/lib/platform/db/db';
import type { JsonObject } from '@/lib/protocol/json';
import { MerchantAgent } from '../fakes/merchant-agent';
import { cartData, newContents, newMerchantKey } from '../fakes/merchant-carts';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, listAgent, send } from '../support/fixtures';
import { buy, createPaymentsFixture, offerOf, type PaymentsFixture } from './payments-fixture';
import { basic, createApp } from './tokens-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  fixture.merchant.fault = 'none';
});

type ResponseBody = MerchantView & { code?: string; title?: string };

async function merchant(
  input?: object,
  bearer = fixture.seller.accessToken,
): Promise<{ status: number; body: ResponseBody }> {
  const path = `${fixture.url}/api/agents/${fixture.slug}/merchant`;
  const response = await send(path, { bearer, ...(input && { method: 'PUT', body: input }) });
  return { status: response.status, body: (await response.json()) as ResponseBody };
}

describe('a merchant’s listing', () => {
  test('uses the keys from the agent’s own host by default, pinned at first use', async () => {
    const { body } = await merchant();
    expect(body).toMatchObject({
      signing: 'own',
      issuer: fixture.merchant.url,
      jwksUrl: `${fixture.merchant.url}/.well-known/jwks.json`,
    });
    expect((await offerOf(fixture)).state).toBe('verified');
    expect((await merchant()).body.keys).toMatchObject([{ kid: 'shop-1', retiresAt: null }]);
  });

  test('pins its keys once for concurrent first carts', async () => {
    const shop = await MerchantAgent.start({ name: 'Newly opened' });
    try {
      shop.sellAt(fixture.url);
      const slug = await listAgent(fixture.url, fixture.seller, { url: shop.url });
      const offers = await Promise.all(Array.from({ length: 16 }, () => offerOf({ ...fixture, slug })));
      expect(offers.map(({ state, code }) => code ?? state)).toEqual(offers.map(() => 'verified'));
    } finally {
      await shop.stop();
    }
  });

  test('accepts a cart signed with a key to which the shop has just rotated', async () => {
    const shop = await MerchantAgent.start({ name: 'Newly locked' });
    try {
      shop.sellAt(fixture.url);
      const slug = await listAgent(fixture.url, fixture.seller, { url: shop.url });
      expect(await offerOf({ ...fixture, slug })).toMatchObject({ state: 'verified' });
      for (const key of [newMerchantKey('shop-2'), newMerchantKey('shop-3')]) {
        shop.agent.pages['/.well-known/jwks.json'] = { keys: [key.jwk] };
        shop.nextCarts.push(cartData({ ...shop.seller, key }));
        expect(await offerOf({ ...fixture, slug })).toMatchObject({ state: 'verified' });
      }
    } finally {
      await shop.stop();
    }
  });

  test('KEY-4 accepts no keys from a set in which a key has a duplicate member', async () => {
    const jwk = JSON.stringify(newMerchantKey('shop-9').jwk).replace('{', '{"kid":"shop-1",');
    fixture.merchant.agent.pages['/twice.json'] = `{"keys":[${jwk}]}`;
    const { status, body } = await merchant({ signing: 'own', jwksUrl: `${fixture.merchant.url}/twice.json` });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('\\"kid\\" twice');
  });

  test('AUZ-1 lets only its owner read and set the signing mode', async () => {
    const other = fixture.other.person.accessToken;
    expect((await merchant(undefined, other)).status).toBe(404);
    expect((await merchant({ signing: 'platform' }, other)).status).toBe(404);
    const anybody = await send(`${fixture.url}/api/agents/${fixture.slug}/merchant`, {});
    expect(anybody.status).toBe(401);
  });

  test('SSRF-1 fetches no keys from addresses that Parley must not call', async () => {
    for (const jwksUrl of ['http://169.254.169.254/keys', 'http://localhost:1/keys', 'file:///etc/passwd']) {
      const { status, body } = await merchant({ signing: 'own', jwksUrl });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(['url_refused', 'invalid_request']).toContain(body.code);
    }
  });

  test('accepts only public keys for ES256', async () => {
    const good = newMerchantKey('good').jwk;
    const bad: JsonObject[] = [
      { ...good, d: 'c2VjcmV0' },
      { ...good, crv: 'P-384' },
      { ...good, alg: 'EdDSA' },
      { ...good, kid: undefined },
      { ...good, x: good.y },
      { ...good, use: 'enc' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric' },
    ];
    for (const key of bad) {
      const { status, body } = await merchant({ signing: 'own', keys: [key] });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.title).not.toContain('c2VjcmV0');
    }
    for (const keys of [[], [good, good], Array.from({ length: 11 }, (_, at) => newMerchantKey(`k${at}`).jwk)]) {
      expect((await merchant({ signing: 'own', keys })).status).toBe(400);
    }
    expect((await merchant({ signing: 'own', issuer: fixture.url, keys: [good] })).status).toBe(400);
  });

  test('KEY-6 rotates keys with an overlap, after which a removed key is invalid', async () => {
    const [old, next] = [newMerchantKey('old'), newMerchantKey('next')];
    const signedBy = (key: typeof old): JsonObject | string => cartData({ ...fixture.merchant.seller, key });
    await merchant({ signing: 'own', keys: [old.jwk], overlapHours: 0 });
    const { body } = await merchant({ signing: 'own', keys: [next.jwk], overlapHours: 1 });
    expect(body.keys.map(({ kid, retiresAt }) => [kid, retiresAt !== null])).toEqual([
      ['old', true],
      ['next', false],
    ]);
    fixture.merchant.nextCarts.push(signedBy(old), signedBy(next));
    expect([(await offerOf(fixture)).state, (await offerOf(fixture)).state]).toEqual(['verified', 'verified']);
    const impostor = newMerchantKey('next');
    expect((await merchant({ signing: 'own', keys: [impostor.jwk] })).status).toBe(400);
    await db().merchantKey.updateMany({ where: { kid: 'old' }, data: { retiresAt: new Date() } });
    fixture.merchant.nextCarts.push(signedBy(old));
    expect(await offerOf(fixture)).toMatchObject({ state: 'rejected', code: 'unknown_key' });
  });
});

describe('a cart that Parley signs', () => {
  function sign(contents: object, credentials = fixture.app): Promise<Response> {
    return send(`${fixture.url}/api/ap2/carts`, {
      body: { agent: fixture.slug, contents },
      headers: { authorization: basic(credentials) },
    });
  }

  test('requires a listing that opted in, its own app and name, and a correct total', async () => {
    const name = fixture.merchant.agent.options.name;
    await merchant({ signing: 'own', keys: [fixture.merchant.key.jwk], overlapHours: 0 });
    expect((await sign(newContents({ name }))).status).toBe(403);
    await merchant({ signing: 'platform' });
    const otherApp = await createApp(fixture.url, fixture.other.person, 'Stranger');
    expect((await sign(newContents({ name }), otherApp)).status).toBe(404);
    const unauthorized = await sign(newContents({ name: 'World Bank' }));
    expect([unauthorized.status, ((await unauthorized.json()) as { check: string }).check]).toEqual([
      422,
      'wrong_merchant',
    ]);
    const wrong = newContents({ name });
    wrong.payment_request.details.total.amount.value = 1;
    expect((await sign(wrong)).status).toBe(422);
    expect((await sign({ id: 'x' })).status).toBe(422);
  });

  test('can be paid only at the listing for which it was signed', async () => {
    await merchant({ signing: 'platform' });
    const contents = newContents({ name: fixture.merchant.agent.options.name });
    const { merchant_authorization } = (await (await sign(contents)).json()) as { merchant_authorization: string };
    const cart = { 'ap2.mandates.CartMandate': { contents, merchant_authorization } };
    const thief = await MerchantAgent.start({ name: 'Thief' });
    try {
      const owner = await createPerson(fixture.url, 'Theo');
      const slug = await listAgent(fixture.url, owner, { url: thief.url });
      await send(`${fixture.url}/api/agents/${slug}/merchant`, {
        method: 'PUT',
        bearer: owner.accessToken,
        body: { signing: 'platform' },
      });
      thief.nextCarts.push(cart);
      expect(await offerOf({ ...fixture, slug })).toMatchObject({ state: 'rejected', code: 'wrong_issuer' });
    } finally {
      await thief.stop();
    }
    fixture.merchant.nextCarts.push(cart);
    fixture.merchant.onMandate = 'silent';
    const order = await offerOf(fixture);
    expect(order).toMatchObject({ state: 'verified', offer: { total: { minor: 1898 } } });
    await buy(fixture.buyer, order, 'mandate_delivered');
  });
});

describe('a seller', () => {
  test('cannot buy from their own agent', async () => {
    await merchant({ signing: 'own', keys: [fixture.merchant.key.jwk], overlapHours: 0 });
    const own = await offerOf(fixture, { client: new ChatClient(fixture.url, fixture.seller) });
    expect(own).toMatchObject({ state: 'rejected', code: 'self_purchase' });
  });
});
