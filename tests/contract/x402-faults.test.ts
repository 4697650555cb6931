import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentPayload } from '@/lib/protocol/x402/x402-messages';
import { Facilitator } from '../fakes/facilitator';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { listAgent } from '../support/fixtures';
import { startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import type { Listed } from './price-fixture';
import {
  type A2aAnswer,
  atomicPrice,
  balances,
  Payer,
  paymentsFor,
  perTaskX402,
  requiredIn,
  send10,
  settlementIn,
  X402Fixture,
  x402Settings,
} from './x402-fixture';

let fixture: X402Fixture;
let listed: Listed;
let payer: Payer;

beforeAll(async () => {
  fixture = await X402Fixture.start();
});
beforeEach(async () => {
  listed = await fixture.list();
  payer = new Payer(fixture.facilitator);
  // Each test is a network of its own.
  await query('test-forget-limits', 'DELETE FROM limit_bucket');
});
afterAll(() => fixture?.stop());

/** A body, and the payment for it that the payer signed. */
async function signed(change?: (payment: PaymentPayload) => unknown): Promise<{ body: object; signature: string }> {
  const body = send10();
  const required = requiredIn(await fixture.send(listed.slug, body));
  return { body, signature: payer.sign(required, change) };
}

const pay = (body: object, signature: string, slug = listed.slug): Promise<Response> =>
  fixture.send(slug, body, { 'payment-signature': signature });

async function taskIn(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(200);
  return ((await response.json()) as A2aAnswer).result?.task?.id;
}

const paid = (): bigint => 10n * atomicPrice - fixture.facilitator.balanceOf(payer.key.address);

describe('a payment that is not for this request is refused with new requirements, and nothing is taken', () => {
  const forged: [string, (payment: PaymentPayload) => unknown][] = [
    ['a lower amount', ({ accepted }) => Object.assign(accepted, { amount: '1' })],
    ['another recipient', ({ accepted }) => Object.assign(accepted, { payTo: 'me' })],
    ['another network', ({ accepted }) => Object.assign(accepted, { network: 'test:2' })],
    ['another asset', ({ accepted }) => Object.assign(accepted, { asset: 'play-money' })],
    ['another scheme', ({ accepted }) => Object.assign(accepted, { scheme: 'upto' })],
    ['terms that this site did not issue', ({ accepted }) => Object.assign(accepted.extra, { parley: { mac: 'x' } })],
    ['a later expiry', ({ accepted: { extra } }) => Object.assign(extra.parley as object, { expires: 9_999_999_999 })],
    [
      'a cheaper plan',
      ({ accepted: { extra } }) => Object.assign((extra.parley as { plan: object }).plan, { amount: 1 }),
    ],
    ['no accepted requirements', (payment) => Object.assign(payment, { accepted: null })],
    ['another version', (payment) => Object.assign(payment, { x402Version: 1 })],
    ['a number that is not finite', ({ payload }) => Object.assign(payload, { value: 'INFINITE' })],
    ['text that no database stores', ({ payload }) => Object.assign(payload, { note: '\u0000' })],
  ];
  test.each(forged)('%s', async (_, change) => {
    const { body, signature } = await signed(change);
    const text = Buffer.from(signature, 'base64').toString('utf8').replace('"INFINITE"', '1e999');
    await expectRefusal(await pay(body, Buffer.from(text).toString('base64')));
  });

  test.each([
    ['not base64', '{"x402Version":2}'],
    ['not JSON', Buffer.from('hello').toString('base64')],
    ['empty', '='],
    ['as large as a header can be', 'A'.repeat(13_000)],
  ])('%s', async (_, signature) => {
    await expectRefusal(await pay(send10(), signature));
  });

  test('another message', async () => {
    const { signature } = await signed();
    await expectRefusal(await pay(send10('Something larger'), signature));
  });

  test('another agent', async () => {
    const { body, signature } = await signed();
    const other = await fixture.list();
    await expectRefusal(await pay(body, signature, other.slug));
    expect(other.agent.received).toHaveLength(0);
  });

  test('a signature that the facilitator rejects', async () => {
    const { body, signature } = await signed(({ payload }) =>
      Object.assign(payload.authorization as object, { value: '1' }),
    );
    const reason = await expectRefusal(await pay(body, signature));
    expect(reason).toContain('invalid_signature');
  });

  test('a payer without funds', async () => {
    payer = new Payer(fixture.facilitator, 1n);
    const { body, signature } = await signed();
    const reason = await expectRefusal(await pay(body, signature));
    expect(reason).toContain('insufficient_funds');
  });

  async function expectRefusal(response: Response): Promise<string> {
    const settled = fixture.facilitator.count('settle');
    expect(response.status).toBe(402);
    const { error } = requiredIn(response);
    expect(listed.agent.received).toHaveLength(0);
    expect(fixture.facilitator.count('settle')).toBe(settled);
    expect(await paymentsFor(listed.id)).toHaveLength(0);
    return error;
  }
});

test('the same payment for the same request returns the same task, works once, and is taken once', async () => {
  const { body, signature } = await signed();
  const first = await taskIn(await pay(body, signature));
  const again = await pay(body, signature);
  expect(settlementIn(again).success).toBe(true);
  expect(await taskIn(again)).toBe(first);
  expect(listed.agent.received).toHaveLength(1);
  expect(paid()).toBe(atomicPrice);
});

test('a second payment for one answer 402 is refused before it is taken', async () => {
  const body = send10();
  const required = requiredIn(await fixture.send(listed.slug, body));
  await taskIn(await pay(body, payer.sign(required)));
  const second = await pay(body, payer.sign(required));
  expect(second.status).toBe(409);
  expect(paid()).toBe(atomicPrice);
});

test('one authorization does not pay two requests, also with another form of its signature', async () => {
  const { body, signature } = await signed();
  await taskIn(await pay(body, signature));
  const { payload } = JSON.parse(Buffer.from(signature, 'base64').toString('utf8')) as PaymentPayload;
  const other = send10();
  const required = requiredIn(await fixture.send(listed.slug, other));
  for (const form of [payload, { ...payload, signature: `${payload.signature}00` }]) {
    const reused = payer.sign(required, (payment) => Object.assign(payment, { payload: form }));
    expect((await pay(other, reused)).status).toBe(402);
  }
  expect(listed.agent.received).toHaveLength(1);
  expect(paid()).toBe(atomicPrice);
});

test.each([
  ['before', 0n],
  ['after', atomicPrice],
] as const)('an answer to the settlement that is lost %s it took effect costs once', async (when, taken) => {
  fixture.facilitator.next.settle = [`lost-${when}`];
  const { body, signature } = await signed();
  const lost = await pay(body, signature);
  expect(lost.status).toBe(503);
  expect(lost.headers.get('retry-after')).toBe('5');
  expect(listed.agent.received).toHaveLength(0);
  expect(paid()).toBe(taken);
  // The job that repeats settlements may hold the lease of this one.
  const served = await waitFor(
    async () => {
      const response = await pay(body, signature);
      return response.status === 409 ? null : response;
    },
    { what: 'the payment to be settled' },
  );
  expect(await taskIn(served)).toBeDefined();
  expect(paid()).toBe(atomicPrice);
  expect(await paymentsFor(listed.id)).toMatchObject([{ state: 'settled' }]);
});

test('a facilitator that neither answers nor repeats its answer leaves the payment unclear, and no work begins', async () => {
  fixture.facilitator.next.settle = ['lost-after'];
  fixture.facilitator.repeatsAnswers = false;
  const { body, signature } = await signed();
  expect((await pay(body, signature)).status).toBe(503);
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const refused = await pay(body, signature);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Do not pay again');
  }
  fixture.facilitator.repeatsAnswers = true;
  expect(await paymentsFor(listed.id)).toMatchObject([{ state: 'unclear', reason: 'nonce_used' }]);
  expect(listed.agent.received).toHaveLength(0);
  expect(paid()).toBe(atomicPrice);
  await balances();
});

test('a refused settlement takes nothing; the caller gets its result and new requirements', async () => {
  fixture.facilitator.next.settle = [
    (response) => response.end(JSON.stringify({ success: false, errorReason: 'invalid_transaction_state' })),
  ];
  const { body, signature } = await signed();
  const refused = await pay(body, signature);
  expect(refused.status).toBe(402);
  expect(settlementIn(refused)).toMatchObject({ success: false, errorReason: 'invalid_transaction_state' });
  expect(await taskIn(await pay(body, payer.sign(requiredIn(refused))))).toBeDefined();
  expect(paid()).toBe(atomicPrice);
});

describe('a facilitator that answers wrongly is answered with 503, and never counts as a payment', () => {
  const answers: [string, 'verify' | 'settle', unknown][] = [
    ['no JSON', 'verify', '<html>'],
    ['a huge answer', 'verify', { isValid: true, payer: 'x'.repeat(70_000) }],
    ['another type', 'verify', { isValid: 'yes' }],
    ['success without a transaction', 'settle', { success: true, transaction: '', network: 'test:1' }],
    ['success on another network', 'settle', { success: true, transaction: '0x1', network: 'test:2' }],
    ['success with a lower amount', 'settle', { success: true, transaction: '0x1', network: 'test:1', amount: '1' }],
    ['a transaction that is no text', 'settle', { success: true, transaction: { a: 1 }, network: 'test:1' }],
  ];
  test.each(answers)('%s', async (_, operation, answer) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    fixture.facilitator.next[operation] = [(response) => response.end(text)];
    const { body, signature } = await signed();
    expect((await pay(body, signature)).status).toBe(503);
    expect(listed.agent.received).toHaveLength(0);
    expect(await taskIn(await pay(body, signature))).toBeDefined();
    expect(paid()).toBe(atomicPrice);
  });

  test('the transaction of another payment', async () => {
    const { body, signature } = await signed();
    await taskIn(await pay(body, signature));
    const [{ settlement } = { settlement: null }] = await paymentsFor(listed.id);
    const answer = JSON.stringify({ success: true, transaction: settlement, network: 'test:1' });
    fixture.facilitator.next.settle = [(response) => response.end(answer)];
    const second = await signed();
    expect((await pay(second.body, second.signature)).status).toBe(402);
    expect(listed.agent.received).toHaveLength(1);
  });
});

test('without its facilitator, the site answers 503 and starts no work; the same payment works later', async () => {
  const { body, signature } = await signed();
  const { url } = fixture.facilitator;
  await fixture.facilitator.stop();
  const away = await pay(body, signature);
  expect(away.status).toBe(503);
  expect(await away.text()).toContain('Nothing was paid');
  const port = Number(new URL(url).port);
  fixture.facilitator = await Facilitator.start(port);
  fixture.facilitator.fund(payer.key, 10n * atomicPrice);
  expect(await taskIn(await pay(body, signature))).toBeDefined();
});

test('two nodes that receive one payment at once take it once and start one task', async () => {
  const node = await startParley({
    databaseUrl: fixture.parley.databaseUrl,
    env: { ...x402Settings(fixture.facilitator.url), APP_URL: fixture.url },
  });
  try {
    const { body, signature } = await signed();
    const at = (url: string): Promise<Response> =>
      fetch(`${url}/agents/${listed.slug}/a2a/jsonrpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0', 'payment-signature': signature },
        body: JSON.stringify(body),
      });
    const urls = [fixture.url, node.url, fixture.url, node.url];
    const statuses = await Promise.all(urls.map(async (url) => (await at(url)).status));
    for (const status of statuses) expect([200, 409]).toContain(status);
    await waitFor(async () => (await at(node.url)).status === 200, { what: 'the payment to be admitted' });
    expect(listed.agent.received).toHaveLength(1);
    expect(paid()).toBe(atomicPrice);
  } finally {
    await node.stop();
  }
});

test('a price that changes after the answer 402 does not change what the caller pays', async () => {
  const { body, signature } = await signed();
  await fixture.shop.setPlans(listed.slug, [{ ...perTaskX402, amount: 900 }]);
  await taskIn(await pay(body, signature));
  expect(paid()).toBe(atomicPrice);
  await waitFor(async () => (await balances())[`merchant ${listed.id}`] === 48, { what: 'the old price to be earned' });
});

test('an agent that is known to be away is not paid', async () => {
  await listed.agent.stop();
  const refused = await waitFor(
    async () => {
      const { body, signature } = await signed();
      const response = await pay(body, signature);
      return response.headers.get('payment-response') === null ? response : null;
    },
    { what: 'calls to the agent to pause' },
  );
  expect(await refused.text()).toContain('AGENT_UNREACHABLE');
  const stored = await paymentsFor(listed.id);
  expect(fixture.facilitator.count('settle')).toBeGreaterThanOrEqual(stored.length);
  expect(paid()).toBe(BigInt(stored.length) * atomicPrice);
});

test('what pays is neither cached nor logged, and the agent learns neither the payment nor its payer', async () => {
  const { body, signature } = await signed();
  const response = await pay(body, signature);
  await taskIn(response);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { payload } = JSON.parse(Buffer.from(signature, 'base64').toString('utf8')) as PaymentPayload;
  const secrets = [signature, String(payload.signature), response.headers.get('parley-task-token') ?? ''];
  const received = JSON.stringify(listed.agent.received);
  for (const secret of [...secrets, payer.key.address]) {
    expect(received).not.toContain(secret);
    expect(fixture.parley.output()).not.toContain(secret);
  }
  const stored = await query('test-payload', 'SELECT payload FROM x402_payment WHERE agent_id = $1', [listed.id]);
  expect(stored).toEqual([{ payload: null }]);
});

test('a browser on another origin may pay, and may read the result', async () => {
  const url = `${fixture.url}/agents/${listed.slug}/a2a/jsonrpc`;
  const asked = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  expect(asked.headers.get('access-control-allow-headers')).toContain('payment-signature');
  const response = await fixture.send(listed.slug, send10(), { by: payer.fetch, origin: 'https://app.example' });
  const exposed = response.headers.get('access-control-expose-headers');
  for (const name of ['payment-required', 'payment-response', 'parley-task-token']) expect(exposed).toContain(name);
});

describe('what the token of a payment reaches', () => {
  const get = (id: string, token: string, slug = listed.slug): Promise<Response> =>
    fixture.send(
      slug,
      { jsonrpc: '2.0', id: 'q', method: 'GetTask', params: { id } },
      { authorization: `Bearer ${token}` },
    );

  async function bought(): Promise<{ id: string; token: string }> {
    const { body, signature } = await signed();
    const response = await pay(body, signature);
    return { id: (await taskIn(response)) ?? '', token: response.headers.get('parley-task-token') ?? '' };
  }

  test('its own task, no other one, and no other agent', async () => {
    const mine = await bought();
    const other = await bought();
    const own = (await (await get(mine.id, mine.token)).json()) as { result?: { id: string } };
    expect(own.result?.id).toBe(mine.id);
    expect(await (await get(other.id, mine.token)).text()).toContain('TASK_NOT_FOUND');
    const elsewhere = await fixture.list();
    expect((await get(mine.id, mine.token, elsewhere.slug)).status).toBe(401);
    const account = await fetch(`${fixture.url}/api/orders`, { headers: { authorization: `Bearer ${mine.token}` } });
    expect(account.status).toBe(401);
  });

  test('nothing without a payment or token: every operation but a send needs one', async () => {
    const { id } = await bought();
    for (const [method, params] of [
      ['GetTask', { id }],
      ['ListTasks', {}],
      ['CancelTask', { id }],
      ['SubscribeToTask', { id }],
      ['GetExtendedAgentCard', {}],
    ] as const) {
      const response = await fixture.send(listed.slug, { jsonrpc: '2.0', id: 1, method, params });
      expect(response.status, method).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="parley", resource_metadata=/);
    }
  });

  test('the next message at a price per message is paid again, for the same tasks', async () => {
    listed = await fixture.list({ ...perTaskX402, kind: 'message' });
    const { token } = await bought();
    const body = send10('Another one');
    const authorization = `Bearer ${token}`;
    const unpaid = await fixture.send(listed.slug, body, { authorization });
    expect(unpaid.status).toBe(402);
    const signature = payer.sign(requiredIn(unpaid));
    const second = await fixture.send(listed.slug, body, { authorization, 'payment-signature': signature });
    await taskIn(second);
    const principals = (await paymentsFor(listed.id)).map(({ principal }) => principal);
    expect(new Set(principals).size).toBe(1);
    expect(paid()).toBe(2n * atomicPrice);
    expect((await pay(body, signature)).status).toBe(402);
  });
});

test.each([
  ['a price per unit', { kind: 'unit', currency: 'USD', amount: 5, unit: 'page', per: 1, cap: null }],
  ['a price in another currency', { kind: 'task', currency: 'EUR', amount: 5, x402: true }],
  ['no permission of its seller', { kind: 'task', currency: 'USD', amount: 5 }],
  ['no price', { kind: 'free', currency: 'USD' }],
])('an agent with %s needs a token, as before', async (_, plan) => {
  const { slug, agent } = await fixture.list(plan);
  const response = await fixture.send(slug, send10());
  expect(response.status).toBe(401);
  expect(response.headers.get('payment-required')).toBeNull();
  await agent.stop();
});

test('a private agent is not revealed', async () => {
  const agent = await ScriptedAgent.start({ streaming: false });
  const slug = await listAgent(fixture.url, fixture.shop.seller, { url: agent.url, visibility: 'private' });
  await fixture.shop.setPlans(slug, [perTaskX402]);
  const [hidden, unknown] = await Promise.all([fixture.send(slug, send10()), fixture.send('no-such-agent', send10())]);
  expect([hidden.status, unknown.status]).toEqual([401, 401]);
  await agent.stop();
});
