import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseExpiredGuests } from '@/lib/account';
import { testAsset } from '../fakes/facilitator';
import { message03 } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import type { Listed } from './price-fixture';
import {
  type A2aAnswer,
  atomicPrice,
  balances,
  Payer,
  paymentsFor,
  payTo,
  requiredIn,
  send10,
  settlementIn,
  X402Fixture,
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
  await query('test-forget-limits', 'DELETE FROM limit_bucket');
});
afterAll(() => fixture?.stop());

const pay = (body: object, signature: string, headers: { authorization?: string } = {}): Promise<Response> =>
  fixture.send(listed.slug, body, { 'payment-signature': signature, ...headers });
const sign = async (body: object): Promise<string> => payer.sign(requiredIn(await fixture.send(listed.slug, body)));
const taken = (): bigint => 10n * atomicPrice - fixture.facilitator.balanceOf(payer.key.address);
const tokenIn = (response: Response): string => response.headers.get('parley-task-token') ?? '';
const errorIn = async (response: Response): Promise<A2aAnswer['error']> => ((await response.json()) as A2aAnswer).error;

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test.each([
  ['continues', { taskId: '01a22e20-7f6c-7f07-9fa7-7d0eb21d86be' }],
  ['names', { referenceTaskIds: ['01a22e20-7f6c-7f07-9fa7-7d0eb21d86be'] }],
])('a send that %s a task needs the token of its payment, before anything is paid', async (_, members) => {
  const response = await fixture.send(listed.slug, send10('Go on', members));
  expect(response.status).toBe(401);
  expect(response.headers.get('payment-required')).toBeNull();
});

test('a task id in another format is not found at an agent with a price, and is no fault of the server', async () => {
  const body = send10();
  const authorization = `Bearer ${tokenIn(await pay(body, await sign(body)))}`;
  const response = await fixture.send(listed.slug, send10('Go on', { taskId: 'no such task' }), { authorization });
  expect((await errorIn(response))?.data).toMatchObject([{ reason: 'TASK_NOT_FOUND' }]);
});

test('a payment that is used up is answered with new requirements, and works no more', async () => {
  const body = send10();
  const signature = await sign(body);
  expect((await pay(body, signature)).status).toBe(200);
  await waitFor(async () => (await balances())[`merchant ${listed.id}`] === 48, { what: 'the capture' });
  const later = new Date(Date.now() + 31 * 86_400_000);
  await eraseExpiredGuests({ now: later, signal: new AbortController().signal });
  const response = await pay(body, signature);
  expect(response.status).toBe(402);
  expect(tokenIn(response)).toBe('');
  expect(requiredIn(response).error).toContain('is used');
  const renewed = await pay(body, payer.sign(requiredIn(response)));
  expect(renewed.status).toBe(200);
  expect(listed.agent.received).toHaveLength(2);
  expect(taken()).toBe(2n * atomicPrice);
});

test('a fault of the server after the payment returns the token too, and the same request works later', async () => {
  const body = send10();
  const signature = await sign(body);
  await query('test-fault', `ALTER TABLE task_charge ADD CONSTRAINT test_fault CHECK (agent_id <> '${listed.id}')`);
  const failed = await pay(body, signature);
  await query('test-no-fault', 'ALTER TABLE task_charge DROP CONSTRAINT test_fault');
  expect(settlementIn(failed).success).toBe(true);
  expect(tokenIn(failed)).toMatch(/^ey/);
  expect((await errorIn(failed))?.message).toContain('Your payment is kept');
  expect((await pay(body, signature)).status).toBe(200);
  expect(taken()).toBe(atomicPrice);
});

test('a notification that is paid returns the result of the payment, and the token', async () => {
  const body = { jsonrpc: '2.0', method: 'message/send', params: message03('Chart this') };
  const headers = { 'content-type': 'application/json' };
  const post = (more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${fixture.url}/agents/${listed.slug}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const paid = await post({ 'payment-signature': payer.sign(requiredIn(await post())) });
  expect(paid.status).toBe(204);
  expect(settlementIn(paid).success).toBe(true);
  expect(tokenIn(paid)).toMatch(/^ey/);
});

test('an agent that no longer accepts x402 takes nothing from a caller with a token, and says so', async () => {
  const body = send10();
  const paid = await pay(body, await sign(body));
  const authorization = `Bearer ${tokenIn(paid)}`;
  await fixture.shop.setPlans(listed.slug, [{ kind: 'task', currency: 'USD', amount: 50 }]);
  const response = await pay(send10('More'), 'e30=', { authorization });
  expect(response.status).toBe(402);
  expect((await errorIn(response))?.message).toContain('no longer accepts payments by x402');
  expect(taken()).toBe(atomicPrice);
});

test('two requests with one authorization in two forms are paid once, and one of them is served', async () => {
  const bodies = [send10('One'), send10('Two')];
  const requirements = await Promise.all(bodies.map(async (body) => requiredIn(await fixture.send(listed.slug, body))));
  const authorization = payer.key.sign({
    ...{ to: payTo, value: String(atomicPrice), asset: testAsset, maxTimeoutSeconds: 300 },
  });
  const forms = [{ ...authorization }, { ...authorization, note: 'x' }];
  const answers = await Promise.all(
    bodies.map((body, at) => {
      const required = requirements[at];
      if (!required) throw new Error('no requirements');
      return pay(
        body,
        payer.sign(required, (payment) => Object.assign(payment, { payload: forms[at] })),
      );
    }),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 402]);
  expect(listed.agent.received).toHaveLength(1);
  expect(taken()).toBe(atomicPrice);
  await balances();
});

test('a payer that no database stores is replaced', async () => {
  const answer = JSON.stringify({ isValid: true, payer: '\u0000\u001b[2J' });
  fixture.facilitator.next.verify = [(response) => response.end(answer)];
  const body = send10();
  const paid = await pay(body, await sign(body));
  expect(paid.status).toBe(200);
  expect(settlementIn(paid).payer).toBe('??[2J');
});

test('a refusal that arrives after another attempt began does not end the payment that this one takes', async () => {
  const late = gate();
  const second = gate();
  fixture.facilitator.next.settle = [
    async (response) => {
      await late.opened;
      response.end(JSON.stringify({ success: false, errorReason: 'unexpected_settle_error' }));
    },
    async () => {
      await second.opened;
      return true;
    },
  ];
  const body = send10();
  const signature = await sign(body);
  const before = fixture.facilitator.count('settle');
  const arrived = (count: number): Promise<unknown> =>
    waitFor(() => fixture.facilitator.count('settle') === before + count, { what: `settlement ${count}` });
  const slow = pay(body, signature);
  await arrived(1);
  // As after a pause of the node.
  await query('test-lease', `UPDATE x402_payment SET lease_until = now() - interval '1 s' WHERE state = 'settling'`);
  const repeated = pay(body, signature);
  await arrived(2);
  late.open();
  expect((await slow).status).toBe(409);
  second.open();
  expect((await repeated).status).toBe(200);
  expect(await paymentsFor(listed.id)).toMatchObject([{ state: 'settled', attempts: 2 }]);
  expect(taken()).toBe(atomicPrice);
});

// The last one: the server remembers who has reached a limit.
test('calls without a token are limited before their body is read', async () => {
  const url = `${fixture.url}/agents/${listed.slug}/a2a/jsonrpc`;
  const post = (): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'no JSON' });
  const answers = await Promise.all(Array.from({ length: 140 }, async () => (await post()).text()));
  expect(answers.some((text) => text.includes('calls without an account'))).toBe(true);
});
