import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/platform/db/db';
import { newUuid } from '@/lib/platform/ids';
import { Authenticator, type Flaws } from '../fakes/authenticator';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send, tokenFor } from '../support/fixtures';
import {
  addPasskey,
  ageSignIns,
  approve,
  ask,
  askWithPasskey,
  buy,
  createPaymentsFixture,
  offerOf,
  orderOf,
  type PaymentsFixture,
  reaches,
  review,
} from './payments-fixture';
import { postForm } from './tokens-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  fixture.merchant.fault = 'none';
  fixture.merchant.onMandate = 'confirm';
});

/** Each test has another buyer, so that no credits run out. */
async function newBuyer(name = 'Bea'): Promise<ChatClient> {
  return new ChatClient(fixture.url, await createPerson(fixture.url, name));
}

describe('an approval', () => {
  test('names the reviewed order, and ends with both sides’ receipts', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { status, body } = await review(client, order.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      order: { state: 'awaiting_approval' },
      payee: { name: 'Test pizzeria', issuer: fixture.merchant.url },
      approval: { order_id: order.id, amount: 1898, currency: 'EUR', payee: 'Test pizzeria' },
      passkey: null,
      passkeyRequired: false,
      signInAgain: false,
    });
    const approved = await approve(client, body);
    expect([approved.status, approved.body.approval?.method]).toEqual([200, 'session']);
    const paid = await reaches(client, order.id, 'captured');
    expect(paid.merchantOrderId).toMatch(/^PZ-/);
    expect(paid.payment).toMatchObject({ method: 'wallet', test: true, captured: 1898 });
    const receipt = await ask<{ token: string | null; merchantReceipt: object; approval: { text: string } }>(
      client,
      `/api/orders/${order.id}/receipt`,
    );
    expect(receipt.body).toMatchObject({ merchantReceipt: { verified: true, orderId: paid.merchantOrderId } });
    expect(JSON.parse(receipt.body.approval.text)).toEqual(body.approval);
  });

  test('PAY-1 for another amount or currency is rejected without a charge', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    for (const change of [{ amount: 1897 }, { amount: 1899 }, { currency: 'USD' }]) {
      const refused = await approve(client, body, { body: change });
      expect([refused.status, refused.body.code]).toEqual([409, 'amount_mismatch']);
    }
    for (const change of [{ amount: '1898' }, { amount: 1898.5 }, { amount: -1 }, { amount: 1e21 }]) {
      expect((await approve(client, body, { body: change })).status).toBe(400);
    }
    expect((await orderOf(client, order.id)).state).toBe('awaiting_approval');
  });

  test('AUZ-1 for another user’s order gets the response for a missing order', async () => {
    const order = await offerOf(fixture);
    const { body } = await review(fixture.buyer, order.id);
    const paths = ['review', 'decline'].map((verb) => `/api/orders/${order.id}/${verb}`);
    for (const path of paths) {
      const unauthorized = await ask<{ code: string; title: string }>(fixture.other, path, { method: 'POST' });
      const unknown = await ask<{ code: string; title: string }>(fixture.other, path.replace(order.id, 'ord_none'), {
        method: 'POST',
      });
      expect([unauthorized.status, unauthorized.body.title]).toEqual([unknown.status, unknown.body.title]);
      expect(unauthorized.body.code).toBe('not_found');
    }
    expect((await approve(fixture.other, body)).status).toBe(404);
    expect((await ask(fixture.other, `/api/orders/${order.id}/receipt`)).status).toBe(404);
    expect((await orderOf(fixture.buyer, order.id)).state).toBe('awaiting_approval');
  });

  test('requires an unexpired review of the same order', async () => {
    const client = await newBuyer();
    const [one, two] = [await offerOf(fixture, { client }), await offerOf(fixture, { client })];
    const { body } = await review(client, one.id);
    await review(client, two.id);
    const crossed = await approve(client, { ...body, approval: { ...body.approval, order_id: two.id } });
    expect([crossed.status, crossed.body.code]).toEqual([409, 'conflict']);
    await db().paymentApproval.updateMany({ where: { id: body.approvalId }, data: { expiresAt: new Date() } });
    expect((await approve(client, body)).status).toBe(409);
    expect((await approve(client, { ...body, approvalId: 'apv_none' })).status).toBe(409);
  });

  test('is rejected for an offer that expired or was superseded during review', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    await offerOf(fixture, { client, conversationId: order.conversationId ?? '', taskId: order.source.taskId });
    const refused = await approve(client, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await orderOf(client, order.id)).state).toBe('superseded');
  });

  test('verifies the stored cart again, so that an altered row causes no charge', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    const { cartText } = await db().paymentOrder.findUniqueOrThrow({ where: { id: order.id } });
    const altered = cartText.replaceAll('18.98', '11.98').replaceAll('15.48', '8.48');
    await db().paymentOrder.update({ where: { id: order.id }, data: { cartText: altered } });
    const refused = await approve(client, body);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ code: 'cart_refused', check: 'cart_hash_mismatch' });
  });
});

describe('an Idempotency-Key', () => {
  test('is required', async () => {
    const order = await offerOf(fixture);
    const { body } = await review(fixture.buyer, order.id);
    expect((await approve(fixture.buyer, body, { key: null })).body.code).toBe('idempotency_key_missing');
  });

  test('charges once and returns the same response, and is rejected with another body', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    const key = newUuid();
    const first = await approve(client, body, { key });
    const again = await approve(client, body, { key });
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    const other = await approve(client, body, { key, body: { method: 'card' } });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
    await reaches(client, order.id, 'captured');
  });

  test('PAY-2 charges once for twenty concurrent approvals', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    const sameKey = newUuid();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => approve(client, body, { key: index % 2 ? sameKey : newUuid() })),
    );
    const charged = responses.filter(({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'));
    expect(charged).toHaveLength(1);
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { payment } = await reaches(client, order.id, 'captured');
    expect(payment?.captured).toBe(1898);
  });
});

describe('permission to pay', () => {
  test('AUZ-5 is denied to agent tokens, apps, access tokens without the scope, and anonymous callers', async () => {
    const order = await offerOf(fixture);
    const path = `${fixture.url}/api/orders/${order.id}/review`;
    const agentToken = await tokenFor(fixture.url, fixture.buyer.person, fixture.slug);
    const basic = Buffer.from(`${fixture.app.clientId}:${fixture.app.clientSecret}`).toString('base64');
    expect((await send(path, { method: 'POST', bearer: agentToken })).status).toBe(401);
    expect((await send(path, { method: 'POST', headers: { authorization: `Basic ${basic}` } })).status).toBe(401);
    expect((await send(path, { method: 'POST' })).status).toBe(401);
    const poor = await send(path, { method: 'POST', bearer: fixture.buyer.person.accessToken });
    expect([poor.status, ((await poor.json()) as { code: string }).code]).toEqual([403, 'insufficient_scope']);
  });

  test('comes with an access token’s scope pay, which is never granted by default', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    const made = await ask<{ token: string; scopes: string[] }>(client, '/api/auth/access-tokens', {
      body: { name: 'shopping', scopes: ['pay'] },
    });
    const usual = await ask<{ scopes: string[] }>(client, '/api/auth/access-tokens', { body: { name: 'usual' } });
    expect(usual.body.scopes).not.toContain('pay');
    const bearer = made.body.token;
    const reviewed = await send(`${fixture.url}/api/orders/${order.id}/review`, { method: 'POST', bearer });
    expect(reviewed.status).toBe(200);
    const { approvalId } = (await reviewed.json()) as { approvalId: string };
    const approved = await send(`${fixture.url}/api/orders/${order.id}/approve`, {
      bearer,
      headers: { 'idempotency-key': newUuid() },
      body: { approvalId, amount: 1898, currency: 'EUR', method: 'wallet' },
    });
    expect(approved.status).toBe(200);
    await reaches(client, order.id, 'captured');
  });

  test('CLK-1 requires a recent sign-in on our own pages, even to issue a token or device that can pay', async () => {
    const client = await newBuyer();
    const order = await offerOf(fixture, { client });
    await ageSignIns(client.person);
    const later = new ChatClient(fixture.url, client.person);
    const { body } = await review(later, order.id);
    expect(body.signInAgain).toBe(true);
    const refused = await approve(later, body);
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in_again']);
    const made = await ask(later, '/api/auth/access-tokens', { body: { name: 'later', scopes: ['pay'] } });
    expect([made.status, made.body]).toEqual([403, expect.objectContaining({ code: 'sign_in_again' })]);
    const form = { client_id: 'parley-cli', scope: 'agents:read pay' };
    const device = (await (await postForm(`${fixture.url}/api/auth/device`, form)).json()) as { user_code: string };
    const decision = { userCode: device.user_code, allow: true };
    const allowed = await ask(later, '/api/auth/device/decide', { body: decision });
    expect([allowed.status, allowed.body]).toEqual([403, expect.objectContaining({ code: 'sign_in_again' })]);
    const denied = await later.call('/api/auth/device/decide', { body: { ...decision, allow: false } });
    expect(denied.status).toBe(204);
    const unauthorized = await send(`${fixture.url}/api/orders/${order.id}/decline`, {
      method: 'POST',
      cookie: client.person.cookie,
      origin: 'https://evil.example',
    });
    expect(unauthorized.status).toBe(403);
  });
});

describe('a declined offer', () => {
  test('remains declined, and can no longer be paid', async () => {
    const order = await offerOf(fixture);
    const { body } = await review(fixture.buyer, order.id);
    const declined = await ask(fixture.buyer, `/api/orders/${order.id}/decline`, { method: 'POST' });
    expect(declined.body).toMatchObject({ state: 'canceled', code: 'declined_by_buyer' });
    expect((await ask(fixture.buyer, `/api/orders/${order.id}/decline`, { method: 'POST' })).status).toBe(200);
    expect((await approve(fixture.buyer, body)).status).toBe(409);
  });

  test('cannot be declined after it was approved', async () => {
    const client = await newBuyer();
    const order = await buy(client, await offerOf(fixture, { client }), 'captured');
    expect((await ask(client, `/api/orders/${order.id}/decline`, { method: 'POST' })).status).toBe(409);
  });
});

describe('a passkey', () => {
  async function enrolled(): Promise<{ client: ChatClient; key: Authenticator }> {
    const client = await newBuyer('Pia');
    return { client, key: await addPasskey(client, fixture.url) };
  }

  test('is registered, listed, renamed and removed, and each challenge is accepted once', async () => {
    const { client, key } = await enrolled();
    const listed = await ask<{ items: { id: string; name: string }[] }>(client, '/api/auth/passkeys');
    expect(listed.body.items).toMatchObject([{ id: key.id, name: 'Laptop', lastUsedAt: null }]);
    const path = `/api/auth/passkeys/${key.id}`;
    expect((await ask(client, path, { method: 'PATCH', body: { name: 'Phone' } })).status).toBe(204);
    expect((await ask(fixture.other, path, { method: 'PATCH', body: { name: 'Mine' } })).status).toBe(404);
    expect((await ask(fixture.other, path, { method: 'DELETE' })).status).toBe(404);
    expect((await askWithPasskey(client, key, { path, method: 'DELETE' })).status).toBe(204);
    expect((await ask<{ items: [] }>(client, '/api/auth/passkeys')).body.items).toEqual([]);
  });

  test.each<[string, Flaws]>([
    ['for another page', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without user verification', { verified: false }],
    ['for another challenge', { challenge: Buffer.from('another').toString('base64url') }],
  ])('is not stored if it was created %s', async (_what, flaws) => {
    const client = await newBuyer('Paul');
    const options = await ask<{ challenge: string }>(client, '/api/auth/passkeys/options', { method: 'POST' });
    const credential = new Authenticator(fixture.url).register(options.body, flaws);
    const made = await ask<{ code: string }>(client, '/api/auth/passkeys', { body: { name: 'Bad', credential } });
    expect([made.status, made.body.code]).toEqual([403, 'passkey_refused']);
  });

  test('is the only way to confirm an approval above the user’s limit', async () => {
    const { client, key } = await enrolled();
    expect((await ask(client, '/api/payments/settings', { method: 'PUT', body: { passkeyAbove: 1000 } })).status).toBe(
      200,
    );
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    expect(body.passkeyRequired).toBe(true);
    expect((await approve(client, body)).body.code).toBe('passkey_required');
    const asked = body.passkey as { challenge: string } | null;
    const assertion = key.assert({ challenge: asked?.challenge ?? '' });
    const approved = await approve(client, body, { body: { assertion } });
    expect([approved.status, approved.body.approval?.method]).toEqual([200, 'passkey']);
    const { assertion: evidence, text } = await db().paymentApproval.findFirstOrThrow({ where: { orderId: order.id } });
    expect(evidence).toMatchObject({ credentialId: key.id });
    expect(JSON.parse(text)).toEqual(body.approval);
    await reaches(client, order.id, 'captured');
  });

  test.each<[string, Flaws]>([
    ['another page', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an unverified user', { verified: false }],
    ['another amount', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['a cloned passkey with an unchanged counter', { counter: 1 }],
  ])('PAY-2 approves nothing with an assertion for %s', async (_what, flaws) => {
    const { client, key } = await enrolled();
    const order = await offerOf(fixture, { client });
    const { body } = await review(client, order.id);
    const asked = body.passkey as { challenge: string } | null;
    const assertion = key.assert({ challenge: asked?.challenge ?? '' }, flaws);
    const refused = await approve(client, body, { body: { assertion } });
    expect([refused.status, refused.body.code]).toEqual([403, 'passkey_refused']);
    expect((await orderOf(client, order.id)).state).toBe('awaiting_approval');
    const retried = await approve(client, body, {
      body: { assertion: key.assert({ challenge: asked?.challenge ?? '' }) },
    });
    expect(retried.body.code).toBe('passkey_refused');
  });
});
