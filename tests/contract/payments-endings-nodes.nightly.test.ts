import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChatClient } from '../http/chat-fixture';
import { createPerson } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import {
  approve,
  ask,
  type OwnPaymentsFixture,
  offerOf,
  reaches,
  review,
  startPaymentsFixture,
} from './payments-fixture';

let fixture: OwnPaymentsFixture;
let other: Parley;

beforeAll(async () => {
  fixture = await startPaymentsFixture();
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: fixture.url };
  other = await startParley({ env, databaseUrl: fixture.parley.databaseUrl });
});
afterAll(async () => {
  await other?.stop();
  await fixture?.close();
});

test.each(['decline', 'cancel'] as const)('only one of approve and %s on another node succeeds', async (verb) => {
  for (let round = 0; round < 4; round++) {
    // Credits cover two purchases of one user.
    const buyer = new ChatClient(fixture.url, await createPerson(fixture.url, 'Rae'));
    const elsewhere = new ChatClient(other.url, buyer.person);
    const order = await offerOf({ slug: fixture.slug, buyer });
    const reviewed = await review(buyer, order.id);
    const ending =
      verb === 'decline'
        ? ask(elsewhere, `/api/orders/${order.id}/decline`, { method: 'POST' })
        : ask(elsewhere, `/api/chat/tasks/${order.source.taskId}/cancel`, {
            body: { conversationId: order.conversationId },
          });
    const [approved] = await Promise.all([approve(buyer, reviewed.body), ending]);
    const won = approved.status === 200;
    // 422 where the ending was committed between the order read and the checks of its cart.
    if (!won) expect([409, 422]).toContain(approved.status);
    const end = await reaches(buyer, order.id, won ? 'captured' : 'canceled');
    expect(end.payment?.captured ?? 0).toBe(won ? 1_898 : 0);
    const mandates = fixture.merchant.mandates.length;
    expect(mandates).toBe(won ? 1 : 0);
    fixture.merchant.mandates.length = 0;
  }
});
