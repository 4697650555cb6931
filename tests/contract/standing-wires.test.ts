import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/platform/db/db';
import { newUuid } from '@/lib/platform/ids';
import { connectToAll, type SeedPath, say, seedPaths, task01 } from '../support/dialects';
import { connectTo, message03, message10, rpc, send, withHeaders } from '../support/fixtures';
import { connectToRest, restJson } from '../support/rest';
import { waitFor } from '../support/wait-for';
import { callMcp } from './mcp-fixture';
import { type OwnPaymentsFixture, startPaymentsFixture } from './payments-fixture';
import { createStanding, newStandingBuyer, type StandingBuyer } from './standing-fixture';

let fixture: OwnPaymentsFixture;

beforeAll(async () => {
  fixture = await startPaymentsFixture({ CONCIERGE: 'on' });
});

afterAll(() => fixture?.close());

type Send = (buyer: StandingBuyer) => Promise<unknown>;

const text = 'One pizza, please';

const seedWires = (Object.keys(seedPaths) as SeedPath[]).map((path): [string, Send] => [
  `A2A 0.1, path of ${path}`,
  async ({ person }) => {
    const connections = await connectToAll(fixture.url, person, fixture.slug);
    return task01(connections[path], 'tasks/send', say(newUuid(), text));
  },
]);

/** Every way to send a message to an agent. */
const wires: [string, Send][] = [
  ['the chat', ({ client }) => client.say({ agentSlug: fixture.slug, text })],
  ...seedWires,
  [
    'A2A 0.3',
    async ({ person }) => rpc(await connectTo(fixture.url, person, fixture.slug), 'message/send', message03(text)),
  ],
  [
    'A2A 1.0',
    async ({ person }) => {
      const connection = withHeaders(await connectTo(fixture.url, person, fixture.slug), { 'a2a-version': '1.0' });
      return rpc(connection, 'SendMessage', message10(text));
    },
  ],
  [
    'HTTP+JSON of A2A 1.0',
    async ({ person }) =>
      restJson(await connectToRest(fixture.url, person, fixture.slug), 'POST /message:send', {
        body: message10(text),
        headers: { 'a2a-version': '1.0' },
      }),
  ],
  [
    '/v1/chat/completions',
    ({ person: { accessToken: bearer } }) => {
      const body = { model: fixture.slug, messages: [{ role: 'user', content: text }] };
      return send(`${fixture.url}/v1/chat/completions`, { bearer, body });
    },
  ],
  [
    '/v1/responses',
    ({ person: { accessToken: bearer } }) =>
      send(`${fixture.url}/v1/responses`, { bearer, body: { model: fixture.slug, input: text } }),
  ],
  [
    '/mcp',
    ({ person }) => {
      const call = { name: 'send_message', arguments: { agent: fixture.slug, message: text } };
      return callMcp(fixture.url, ['tools/call', call], { person });
    },
  ],
  [
    'the concierge, which forwards the message',
    async ({ person }) => {
      const concierge = await connectTo(fixture.url, person, 'concierge');
      return rpc(concierge, 'message/send', { ...message03(text), metadata: { agent: fixture.slug } });
    },
  ],
];

/** The buyer's orders that answer a message, once none is undecided. */
function decidedOrders({ person: { userId } }: StandingBuyer, count: number) {
  const find = async () => {
    const orders = await db().paymentOrder.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
    const [, ...later] = orders;
    const isDecided = later.every(({ state, standingFailure }) => state === 'captured' || standingFailure !== null);
    return later.length >= count && isDecided ? later : null;
  };
  return waitFor(find, { what: 'the carts to be paid or refused' });
}

test.each(wires)(
  '%s: a message from the buyer causes one automatic payment, but a receipt causes none',
  async (_wire, by) => {
    const buyer = await newStandingBuyer(fixture);
    await createStanding(buyer);
    fixture.merchant.insistsOn = 'receipts';
    const answer = await by(buyer);
    const orders = await decidedOrders(buyer, 2).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(answer)}`);
    });
    fixture.merchant.insistsOn = 'nothing';
    expect(
      orders.map(({ state, answeredOrigin, standingFailure }) => [state, answeredOrigin, standingFailure]),
    ).toEqual([
      ['captured', 'person', null],
      ['verified', 'receipt', 'unasked'],
    ]);
  },
);

test('a message that the concierge forwards counts as the buyer’s message to the concierge', async () => {
  const buyer = await newStandingBuyer(fixture);
  await createStanding(buyer);
  const concierge = await connectTo(fixture.url, buyer.person, 'concierge');
  const { body } = await rpc(concierge, 'message/send', { ...message03(text), metadata: { agent: fixture.slug } });
  const [order] = await decidedOrders(buyer, 1);
  expect(order?.answeredMessage).toBe(`${(body.result as { id: string }).id}/1`);
});
