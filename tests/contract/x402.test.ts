import { afterAll, beforeAll, expect, test } from 'vitest';
import { message03, message10 } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { completing, type Listed } from './price-fixture';
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

beforeAll(async () => {
  fixture = await X402Fixture.start();
  listed = await fixture.list();
});
afterAll(async () => {
  await fixture?.stop();
  await listed?.agent.stop();
});

test('a call without a token is answered with 402, the price of this request, and the wire’s own error', async () => {
  const response = await fixture.send(listed.slug, send10());
  expect(response.status).toBe(402);
  const { error } = (await response.json()) as A2aAnswer;
  expect(error).toMatchObject({ code: -32603, data: [{ reason: 'PAYMENT_REQUIRED' }] });
  const { x402Version, resource, accepts } = requiredIn(response);
  expect(x402Version).toBe(2);
  expect(resource.url).toBe(`${fixture.url}/agents/${listed.slug}/a2a/jsonrpc`);
  expect(accepts).toMatchObject([{ scheme: 'exact', amount: String(atomicPrice), payTo }]);
  expect(listed.agent.received).toHaveLength(0);
});

const wires: [string, (slug: string, by: typeof fetch) => Promise<Response>][] = [
  ['JSON-RPC 1.0', (slug, by) => fixture.send(slug, send10(), { by })],
  [
    'JSON-RPC 0.3',
    (slug, by) =>
      by(`${fixture.url}/agents/${slug}/a2a/jsonrpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: message03('Chart this') }),
      }),
  ],
  [
    'HTTP+JSON',
    (slug, by) =>
      by(`${fixture.url}/agents/${slug}/a2a/rest/message:send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message10('Chart this')),
      }),
  ],
  [
    'a stream of JSON-RPC 1.0',
    (slug, by) =>
      fixture.send(slug, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('Chart') }, { by }),
  ],
];

test.each(wires)('the real x402 client pays a call over %s once, before the agent works', async (_, call) => {
  const { agent, slug, id } = await fixture.list();
  const payer = new Payer(fixture.facilitator);
  const response = await call(slug, payer.fetch);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Done');
  expect(settlementIn(response)).toMatchObject({ success: true, payer: payer.key.address });
  expect(response.headers.get('parley-task-token')).toMatch(/^ey/);
  expect(payer.sent).toHaveLength(2);
  expect(agent.received).toHaveLength(1);
  expect(fixture.facilitator.balanceOf(payer.key.address)).toBe(9n * atomicPrice);
  expect(await paymentsFor(id)).toMatchObject([{ state: 'settled', attempts: 1 }]);
  await waitFor(async () => (await balances())[`merchant ${id}`] === 48, {
    what: 'the price minus the fee to be earned',
  });
  await agent.stop();
});

test('work that fails is not paid: the amount is owed to the payer, and pays another message meanwhile', async () => {
  const { agent, slug, id } = await fixture.list();
  completing(agent, { state: 'failed' });
  const payer = new Payer(fixture.facilitator);
  const response = await fixture.send(slug, send10(), { by: payer.fetch });
  expect(((await response.json()) as A2aAnswer).result?.task?.status.state).toBe('TASK_STATE_FAILED');
  const [payment] = await paymentsFor(id);
  await waitFor(async () => (await balances())[`wallet ${payment?.principal}`] === 50, { what: 'the release' });
  completing(agent);
  const authorization = `Bearer ${response.headers.get('parley-task-token')}`;
  const again = await fixture.send(slug, send10('Once more'), { authorization });
  expect(((await again.json()) as A2aAnswer).result?.task?.status.state).toBe('TASK_STATE_COMPLETED');
  await waitFor(async () => (await balances())[`merchant ${id}`] === 48, { what: 'the capture' });
  const third = await fixture.send(slug, send10('And again'), { authorization });
  expect(third.status).toBe(402);
  requiredIn(third);
  await agent.stop();
});
