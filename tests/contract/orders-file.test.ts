import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { send } from '../support/fixtures';
import {
  addPasskey,
  approve,
  buy,
  createPaymentsFixture,
  offerOf,
  orderOf,
  type PaymentsFixture,
  reaches,
  review,
} from './payments-fixture';
import { type Buyer, newBuyer, tokenWith } from './spending-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

/** Pays the order with an access token. */
async function payByToken(buyer: Buyer, id: string): Promise<void> {
  const bearer = await tokenWith(buyer, 'pay');
  const reviewed = await send(`${fixture.url}/api/orders/${id}/review`, { bearer, method: 'POST' });
  const { approvalId, approval } = (await reviewed.json()) as Awaited<ReturnType<typeof review>>['body'];
  const { amount, currency } = approval;
  const paid = await send(`${fixture.url}/api/orders/${id}/approve`, {
    bearer,
    body: { approvalId, amount, currency, method: 'wallet' },
    headers: { 'idempotency-key': newUuid() },
  });
  expect(paid.status).toBe(200);
  await reaches(buyer.client, id, 'captured');
}

describe('the order export', () => {
  test('contains each approval’s time, kind and conversation, and is safe in a spreadsheet', async () => {
    const buyer = await newBuyer(fixture);
    const { client } = buyer;
    const first = await buy(client, await offerOf(fixture, { client }), 'captured');
    const title = '=HYPERLINK("https://evil.example","Open")';
    const path = `/api/chat/conversations/${first.conversationId}`;
    expect((await client.call(path, { method: 'PATCH', body: { title } })).status).toBeLessThan(300);
    const second = await offerOf(fixture, { client });
    await payByToken(buyer, second.id);
    const key = await addPasskey(client, fixture.url);
    const third = await offerOf(fixture, { client });
    const shown = (await review(client, third.id)).body;
    const assertion = key.assert({ challenge: String(shown.passkey?.challenge) });
    expect((await approve(client, shown, { body: { assertion } })).status).toBe(200);
    await reaches(client, third.id, 'captured');
    await offerOf(fixture, { client });

    const response = await client.call('/api/orders?format=csv');
    const [header = '', open = '', ...rows] = (await response.text()).trim().split('\r\n');
    const added = ['approved_at', 'approved_by', 'standing_id', 'conversation_id', 'conversation_title', 'task_id'];
    expect(header.split(',').slice(-6)).toEqual(added);
    const at = (await orderOf(client, first.id)).approval?.at;
    const { conversationId, source } = first;
    expect(rows[2]).toContain(
      `,${at},session,,${conversationId},"'=HYPERLINK(""https://evil.example"",""Open"")",${source.taskId}`,
    );
    expect(rows[1]).toContain(`,token,,${second.conversationId},`);
    expect(rows[0]).toContain(`,passkey,,${third.conversationId},`);
    expect(open).toMatch(/,,,,cnv_/);
    const month = at?.slice(0, 7) ?? '';
    const ofMonth = await (await client.call(`/api/orders?format=csv&month=${month}`)).text();
    expect(ofMonth.trim().split('\r\n')).toEqual([header, ...rows]);
    expect(await (await client.call('/api/orders?format=csv&month=2025-01')).text()).toBe(`${header}\r\n`);
  });
});
