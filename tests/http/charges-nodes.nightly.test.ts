import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OwnPaymentsFixture, startPaymentsFixture } from '../contract/payments-fixture';
import { PricedAgents, perTask } from '../contract/price-fixture';
import type { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, message03, type Person, rpc } from '../support/fixtures';
import { isGone } from '../support/is-gone';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { auditLedger } from '../unit/payments/order-fixture';

let fixture: OwnPaymentsFixture;
let agent: ScriptedAgent;
let slug: string;
let shop: PricedAgents;
const others: Parley[] = [];
/** Nodes are started and killed here. */
const patienceMs = 120_000;

beforeAll(async () => {
  fixture = await startPaymentsFixture();
  shop = new PricedAgents(fixture.url, fixture.seller);
  ({ agent, slug } = await shop.list(perTask));
});

// A node left by a failed test would settle the charges of the next test.
afterEach(async () => {
  for (const node of others.splice(0)) await node.stop();
});
afterAll(async () => {
  await fixture?.close();
  await agent?.stop();
});

async function anotherNode(env: Record<string, string> = {}): Promise<Parley> {
  const node = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: fixture.url, ...env } });
  others.push(node);
  return node;
}

const newBuyer = (): Promise<Person> => shop.newBuyer(slug);

function chargesOf({ userId }: Person): Promise<{ state: string; captured: number }[]> {
  return query('test-charges', 'SELECT state, captured::int FROM task_charge WHERE user_id = $1 ORDER BY id', [userId]);
}

async function walletOf({ userId }: Person): Promise<number | undefined> {
  const text = `SELECT balance::int FROM ledger_account WHERE owner = $1 AND kind = 'wallet' AND currency = 'EUR'`;
  const [wallet] = await query<{ balance: number }>('test-wallet', text, [userId]);
  return wallet?.balance;
}

/** Postponed looks at authorized charges are due now. */
const makeDue = (): Promise<unknown> =>
  query('test-due-charges', `UPDATE task_charge SET check_at = now() WHERE state = 'authorized'`);

/** The points, and what a message costs in the end: an agent that was never called is not paid. */
const points: [string, { state: string; captured: number }][] = [
  ['charge.authorized', { state: 'captured', captured: 50 }],
  ['turn.stored', { state: 'released', captured: 0 }],
  ['charge.settling', { state: 'captured', captured: 50 }],
  ['charge.settled', { state: 'captured', captured: 50 }],
];

test.each(points)(
  'a message to a node that crashes at %s costs %o, also if it is repeated at another node',
  async (point, expected) => {
    const buyer = await newBuyer();
    const connection = await connectTo(fixture.url, buyer, slug);
    const message = message03('Chart this');
    await fixture.parley.kill('SIGKILL');
    const node = await anotherNode({ FAULT_POINT: point });
    const at = { ...connection, url: connection.url.replace(fixture.url, node.url) };
    await rpc(at, 'message/send', message).catch(() => undefined);
    await waitFor(() => isGone(node.pid), { what: `the node to die at ${point}`, timeout: 30_000 });
    await auditLedger();
    await fixture.parley.restart();
    await waitFor(() => rpc(connection, 'message/send', message).then(Boolean, () => false), {
      what: 'the other node to respond',
      timeout: 30_000,
    });
    await waitFor(
      async () => {
        await makeDue();
        const charges = await chargesOf(buyer);
        return charges.length === 1 && charges[0]?.state !== 'authorized';
      },
      { what: 'the charge to be settled', timeout: 60_000 },
    );
    expect(await chargesOf(buyer)).toEqual([expected]);
    const balances = await auditLedger();
    expect(balances.get(`held ${buyer.userId}`)).toBe(0);
  },
  patienceMs,
);

test(
  'two nodes that settle the same charges at once settle each once',
  async () => {
    const node = await anotherNode();
    const buyers = await Promise.all([newBuyer(), newBuyer(), newBuyer()]);
    for (const buyer of buyers) {
      const connection = await connectTo(fixture.url, buyer, slug);
      const at = { ...connection, url: connection.url.replace(fixture.url, node.url) };
      const ends = [connection, at, connection, at].map((one) => rpc(one, 'message/send', message03('Chart this')));
      await Promise.all([...ends, makeDue()]);
      await waitFor(async () => (await chargesOf(buyer)).every(({ state }) => state === 'captured'), {
        what: 'all charges to be captured',
      });
      expect(await chargesOf(buyer)).toHaveLength(4);
      const balances = await auditLedger();
      expect(balances.get(`held ${buyer.userId}`)).toBe(0);
      expect(await walletOf(buyer)).toBe(10_000 - 200);
    }
  },
  patienceMs,
);
