import type { OrderPage, OrderView } from '@/lib/payments/schema';
import type { ReviewView } from '@/lib/payments/schema-approvals';
import { db } from '@/lib/platform/db/db';
import { newUuid } from '@/lib/platform/ids';
import { Authenticator, type Flaws } from '../fakes/authenticator';
import { MerchantAgent } from '../fakes/merchant-agent';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { createApp } from './tokens-fixture';

/** A merchant, its owner, and two buyers. */
export interface PaymentsFixture {
  url: string;
  dataDir: string;
  merchant: MerchantAgent;
  slug: string;
  seller: Person;
  app: Awaited<ReturnType<typeof createApp>>;
  buyer: ChatClient;
  other: ChatClient;
  close(): Promise<void>;
}

/** A fixture with a Parley of its own, which a file may restart. */
export interface OwnPaymentsFixture extends PaymentsFixture {
  parley: Parley;
}

/** The fixture in the Parley that the files of this worker share. */
export async function createPaymentsFixture(): Promise<PaymentsFixture> {
  return createFixtureIn(await sharedParley());
}

/** The fixture in a Parley of its own, which `close` stops. */
export async function startPaymentsFixture(env: Record<string, string> = {}): Promise<OwnPaymentsFixture> {
  const parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', ...env } });
  const fixture = await createFixtureIn(parley);
  const close = async (): Promise<void> => {
    await parley.stop();
    await fixture.close();
  };
  return { ...fixture, parley, close };
}

async function createFixtureIn({ url, dataDir }: Pick<Parley, 'url' | 'dataDir'>): Promise<PaymentsFixture> {
  const merchant = await MerchantAgent.start();
  merchant.sellAt(url);
  const seller = await createPerson(url, 'Sella');
  const app = await createApp(url, seller);
  const slug = await listAgent(url, seller, { url: merchant.url, appId: app.id });
  const buyer = new ChatClient(url, await createPerson(url, 'Bea'));
  const other = new ChatClient(url, await createPerson(url, 'Otto'));
  return { url, dataDir, merchant, slug, seller, app, buyer, other, close: () => merchant.stop() };
}

/** Body and status of a user's API response. */
export async function ask<Body>(
  client: ChatClient,
  path: string,
  call: Parameters<ChatClient['call']>[1] = {},
): Promise<{ status: number; headers: Headers; body: Body }> {
  const response = await client.call(path, call);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** The order of the cart that the merchant returns for a new message. */
export async function offerOf(
  fixture: Pick<PaymentsFixture, 'slug' | 'buyer'>,
  call: { client?: ChatClient; conversationId?: string; taskId?: string } = {},
): Promise<OrderView> {
  const { client = fixture.buyer, ...where } = call;
  const target = where.conversationId ? where : { agentSlug: fixture.slug };
  const known = where.taskId ? (await ordersOf(client, where.taskId)).length : 0;
  const { taskId } = await client.say({ ...target, text: 'One pizza, please' });
  const poll = async (): Promise<OrderView | null> => {
    const orders = await ordersOf(client, taskId);
    return orders.length > known ? (orders[0] ?? null) : null;
  };
  return waitFor(poll, { what: 'an order' });
}

export async function ordersOf(client: ChatClient, taskId: string): Promise<OrderView[]> {
  return (await ask<OrderPage>(client, `/api/orders?taskId=${taskId}`)).body.items;
}

export async function orderOf(client: ChatClient, id: string): Promise<OrderView> {
  return (await ask<{ order: OrderView }>(client, `/api/orders/${id}`)).body.order;
}

export function review(client: ChatClient, id: string): ReturnType<typeof ask<ReviewView>> {
  return ask<ReviewView>(client, `/api/orders/${id}/review`, { method: 'POST' });
}

/** Approves what was reviewed; `change` alters what is sent. */
export async function approve(
  client: ChatClient,
  { approvalId, approval }: Pick<ReviewView, 'approvalId' | 'approval'>,
  change: { body?: object; key?: string | null } = {},
): ReturnType<typeof ask<OrderView & { code: string }>> {
  const { amount, currency, order_id } = approval;
  const key = change.key === undefined ? newUuid() : change.key;
  return ask(client, `/api/orders/${order_id}/approve`, {
    body: { approvalId, amount, currency, method: 'wallet', ...change.body },
    headers: key === null ? {} : { 'idempotency-key': key },
  });
}

/** Reviews, approves, and waits until the order is in a state. */
export async function buy(client: ChatClient, order: OrderView, state: OrderView['state']): Promise<OrderView> {
  const reviewed = await review(client, order.id);
  const approved = await approve(client, reviewed.body);
  if (approved.status !== 200) throw new Error(`approve: ${approved.status} ${JSON.stringify(approved.body)}`);
  return reaches(client, order.id, state);
}

export async function reaches(client: ChatClient, id: string, state: OrderView['state']): Promise<OrderView> {
  const poll = async (): Promise<OrderView | null> => {
    const order = await orderOf(client, id);
    return order.state === state ? order : null;
  };
  return waitFor(poll, { what: `the order to be ${state}` });
}

/** Registers a passkey, named `Laptop`, and returns its authenticator. */
export async function addPasskey(client: ChatClient, origin: string, flaws: Flaws = {}): Promise<Authenticator> {
  const key = new Authenticator(origin);
  const options = await ask<{ challenge: string }>(client, '/api/auth/passkeys/options', { method: 'POST' });
  const credential = key.register(options.body, flaws);
  const created = await ask(client, '/api/auth/passkeys', { body: { name: 'Laptop', credential } });
  if (created.status !== 201) throw new Error(`passkey: ${created.status} ${JSON.stringify(created.body)}`);
  return key;
}

/** A guarded change, confirmed with the passkey that its refusal asks for. */
export async function askWithPasskey<Body>(
  client: ChatClient,
  key: Authenticator,
  { path, flaws, ...call }: { path: string; method: string; body?: object; flaws?: Flaws },
): ReturnType<typeof ask<Body>> {
  const { body } = await ask<{ passkey?: { challenge: string } }>(client, path, call);
  if (!body?.passkey) throw new Error(`expected a challenge, found ${JSON.stringify(body)}`);
  const assertion = key.assert(body.passkey, flaws);
  return ask<Body>(client, path, { ...call, body: { ...call.body, assertion } });
}

/** Makes every sign-in of a user an old one. */
export async function ageSignIns({ userId }: Person, minutes = 16): Promise<void> {
  const signedInAt = new Date(Date.now() - minutes * 60_000);
  await db().session.updateMany({ where: { userId }, data: { signedInAt } });
}
