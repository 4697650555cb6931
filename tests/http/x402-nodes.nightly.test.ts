import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Listed } from '../contract/price-fixture';
import {
  type A2aAnswer,
  atomicPrice,
  balances,
  Payer,
  paymentsFor,
  requiredIn,
  send10,
  X402Fixture,
  x402Settings,
} from '../contract/x402-fixture';
import { isGone } from '../support/is-gone';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

let fixture: X402Fixture;
let listed: Listed;
let payer: Payer;
const others: Parley[] = [];
/** Nodes are started and killed here. */
const patienceMs = 120_000;

beforeAll(async () => {
  fixture = await X402Fixture.start();
});
beforeEach(async () => {
  listed = await fixture.list();
  payer = new Payer(fixture.facilitator);
});
// A node left by a failed test would settle the payments of the next test.
afterEach(async () => {
  for (const node of others.splice(0)) await node.stop();
});
afterAll(() => fixture?.stop());

const at = (url: string): string => `${url}/agents/${listed.slug}/a2a/jsonrpc`;

function pay(url: string, body: object, signature: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', 'payment-signature': signature };
  return fetch(at(url), { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Pays at a node that dies at a point, and starts the other node again. */
async function payAndDie(point: string): Promise<{ body: object; signature: string }> {
  const body = send10();
  const signature = payer.sign(requiredIn(await fixture.send(listed.slug, body)));
  await fixture.parley.kill('SIGKILL');
  const env = { ...x402Settings(fixture.facilitator.url), APP_URL: fixture.url, FAULT_POINT: point };
  const node = await startParley({ databaseUrl: fixture.parley.databaseUrl, env });
  others.push(node);
  await pay(node.url, body, signature).catch(() => undefined);
  await waitFor(() => isGone(node.pid), { what: `the node to die at ${point}`, timeout: 30_000 });
  await balances();
  await fixture.parley.restart();
  return { body, signature };
}

/** Leases and looks that were postponed are due now. */
async function makeDue(): Promise<void> {
  await query('test-due-x402', `UPDATE x402_payment SET lease_until = now() WHERE state = 'settling'`);
  await query('test-due-charges', `UPDATE task_charge SET check_at = now() WHERE state = 'authorized'`);
}

const paid = (): bigint => 10n * atomicPrice - fixture.facilitator.balanceOf(payer.key.address);

/** The points, and whether the agent is paid in the end: one that was never called is not. */
const points: [string, boolean][] = [
  ['x402.verified', true],
  ['x402.stored', true],
  ['x402.settling', true],
  ['x402.answered', true],
  ['x402.settled', true],
  ['charge.authorized', true],
  ['turn.stored', false],
  ['charge.settling', true],
  ['charge.settled', true],
];

test.each(points)(
  'a payment to a node that dies at %s is taken once, also if it is repeated at another node',
  async (point, isEarned) => {
    const { body, signature } = await payAndDie(point);
    const task = await waitFor(
      async () => {
        await makeDue();
        const response = await pay(fixture.url, body, signature).catch(() => null);
        return response?.status === 200 ? ((await response.json()) as A2aAnswer).result?.task : null;
      },
      { what: 'the other node to admit the payment', timeout: 60_000 },
    );
    expect(task.id).toBeDefined();
    expect(paid()).toBe(atomicPrice);
    const [payment, ...more] = await paymentsFor(listed.id);
    expect(payment?.state).toBe('settled');
    expect(more).toHaveLength(0);
    await waitFor(
      async () => {
        await makeDue();
        const found = await balances();
        return isEarned ? found[`merchant ${listed.id}`] === 48 : found[`wallet ${payment?.principal}`] === 50;
      },
      { what: isEarned ? 'the price to be earned' : 'the price to be owed to the payer', timeout: 60_000 },
    );
    expect(listed.agent.received.length).toBeLessThanOrEqual(1);
  },
  patienceMs,
);

test.each(['x402.settling', 'x402.answered'])(
  'a payment to a node that dies at %s is settled by another one although nobody repeats it, and is owed to its payer',
  async (point) => {
    await payAndDie(point);
    const principal = await waitFor(
      async () => {
        await makeDue();
        const [payment] = await paymentsFor(listed.id);
        return payment?.state === 'settled' ? payment.principal : null;
      },
      { what: 'the payment to be settled', timeout: 60_000 },
    );
    expect(paid()).toBe(atomicPrice);
    expect(await balances()).toMatchObject({ [`wallet ${principal}`]: 50 });
    expect(listed.agent.received).toHaveLength(0);
  },
  patienceMs,
);
