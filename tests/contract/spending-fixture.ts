import { expect } from 'vitest';
import type { AgentSpending, ConversationSpending, LimitChange, SpendingSums } from '@/lib/payments/schema-spending';
import { db } from '@/lib/platform/db/db';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, type Person, send } from '../support/fixtures';
import { ask, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';

/** A merchant, and functions that read the spending of its buyers. */
export interface SpendingFixture extends PaymentsFixture {
  agentId: string;
}

export async function createSpendingFixture(): Promise<SpendingFixture> {
  const fixture = await createPaymentsFixture();
  const { id: agentId } = await db().agent.findUniqueOrThrow({ where: { slug: fixture.slug } });
  return { ...fixture, agentId };
}

export interface Buyer {
  client: ChatClient;
  person: Person;
}

export async function newBuyer({ url }: Pick<PaymentsFixture, 'url'>, name = 'Bea'): Promise<Buyer> {
  const person = await createPerson(url, name);
  return { client: new ChatClient(url, person), person };
}

/** A new access token of the buyer. */
export async function tokenWith({ client, person }: Buyer, scope: string): Promise<string> {
  const created = await send(`${client.url}/api/auth/access-tokens`, {
    ...{ cookie: person.cookie, origin: client.url },
    body: { name: scope, scopes: [scope] },
  });
  return ((await created.json()) as { token: string }).token;
}

export async function sumsOf({ client }: Buyer, month?: string): Promise<SpendingSums> {
  const { status, body } = await ask<SpendingSums>(client, `/api/spending/sums${month ? `?month=${month}` : ''}`);
  expect(status).toBe(200);
  return body;
}

export async function spentIn({ client }: Buyer, conversationId: string | null): Promise<ConversationSpending['paid']> {
  return (await ask<ConversationSpending>(client, `/api/spending/conversations/${conversationId}`)).body.paid;
}

export async function spendingAt({ client }: Buyer, slug: string): Promise<AgentSpending> {
  return (await ask<AgentSpending>(client, `/api/spending/agents/${slug}`)).body;
}

export async function setLimit({ client }: Buyer, change: Partial<LimitChange>): Promise<void> {
  const limit = { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount: 5_000, ...change };
  expect((await ask(client, '/api/spending/limits', { method: 'PUT', body: limit })).status).toBe(200);
}
