import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendMessage } from '@/lib/notifications/send-message';
import { hostileUrls } from '../fakes/hostile-urls';
import { PushService, type SubscribedBrowser } from '../fakes/push-service';
import { ChatClient } from '../http/chat-fixture';
import { createPerson } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { allow, approvalOf, type ChainsFixture, createChainsFixture, decide, hire, startRoot } from './chains-fixture';
import { buy, createPaymentsFixture, offerOf, ordersOf, type PaymentsFixture } from './payments-fixture';
import { deliveriesTo, set, subscribe } from './web-push-fixture';

let service: PushService;
beforeAll(async () => {
  service = await PushService.start();
});
afterAll(() => service?.stop());

/** The first message that the browser received. */
async function received({ messages }: SubscribedBrowser): Promise<ReturnType<typeof messages>[number]> {
  return waitFor(() => messages()[0], { what: 'a message', timeout: 20_000 });
}

describe('notifications about money:', () => {
  let fixture: PaymentsFixture;
  beforeAll(async () => {
    fixture = await createPaymentsFixture();
  });
  afterAll(() => fixture?.close());

  test('an offer and a payment alert omit amounts, unless the user chose to show them', async () => {
    const { buyer } = fixture;
    const { browser, device } = await subscribe(buyer, service);
    const order = await offerOf(fixture);
    const offer = await received(browser);
    expect(offer).toMatchObject({ title: 'Parley', body: 'An agent sent you an offer' });
    expect(offer.url).toMatch(/^\/chat\/cnv_\w+\?at=[0-9a-f-]{36}$/);
    expect((await ordersOf(buyer, offer.url.slice(-36))).map(({ id }) => id)).toEqual([order.id]);
    expect(browser.requests[0]?.headers.urgency).toBe('high');
    await set(buyer, { showsContent: true });
    await buy(buyer, order, 'captured');
    await waitFor(() => browser.messages().length > 1, { what: 'the alert', timeout: 20_000 });
    const alert = browser.messages()[1];
    expect(alert).toMatchObject({ body: expect.stringMatching(/^Payment alert: .*\d/), url: `/orders/${order.id}` });
    // The offer asks the user too, but one event is announced once.
    const kinds = (await deliveriesTo(device)).filter(({ outcome }) => outcome === 'sent').map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['cart', 'payment']);
  });
});

describe('a call that needs approval', () => {
  let fixture: ChainsFixture;
  beforeAll(async () => {
    fixture = await createChainsFixture();
  });
  afterAll(() => fixture?.close());

  test('is announced, and opens the decision page', async () => {
    const { url } = fixture;
    const [boss, worker] = [await fixture.createAgent('Boss'), await fixture.createAgent('Worker')];
    const person = await createPerson(url, 'Ada');
    const { browser } = await subscribe(new ChatClient(url, person), service);
    const root = await startRoot(url, person, boss);
    const asking = hire(url, [boss, worker], { root, text: 'Count the cows.' });
    const approval = await approvalOf(url, person, root);
    expect(await received(browser)).toMatchObject({
      body: 'An agent needs your approval',
      url: `/chat/chains/${root.id}`,
    });
    await decide(url, person, { root, id: approval.id, body: allow(approval) });
    await asking;
    root.finish();
  });
});

test('WPUSH-3 no message is sent to an endpoint that the address guard rejects, even if it is stored', async () => {
  const connections: string[] = [];
  const canary = createServer((socket) => {
    connections.push(String(socket.remoteAddress));
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, resolve));
  const { port } = canary.address() as { port: number };
  const { keys } = service.subscribe().subscription;
  const message = { title: 'Parley', body: 'An agent has a question', tag: 'a', url: '/chat', at: 0 };
  const { signal } = new AbortController();
  for (const endpoint of hostileUrls(port)) {
    if (!URL.canParse(endpoint)) continue;
    const sent = sendMessage({ subscription: { endpoint, keys }, kind: 'question', message, ttlSeconds: 60 }, signal);
    const result = await sent.catch(() => ({ kind: 'refused' }));
    expect(['refused', 'busy'], endpoint).toContain(result.kind);
  }
  expect(connections).toEqual([]);
  await new Promise((resolve) => canary.close(resolve));
});
