import { randomUUID } from 'node:crypto';
import { type Connection, type ConnectOptions, connect, type Turn } from '@parley/agent/serve';
import type { Locator, Page } from '@playwright/test';
import type { OrderPage } from '@/lib/payments/schema';
import type { ChainView } from '@/lib/tasks/schema-chains';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { message03, rpc, send } from '../support/fixtures';
import { expect } from '../support/page';
import { setting } from '../support/settings';
import { waitFor } from '../support/wait-for';
import type { Account } from './people';

/** An agent that is served by the test. */
export interface ServedAgent {
  slug: string;
  name: string;
  connection: Connection;
  /** Calls another agent for the caller of a turn, as a program that exchanges its token does. */
  hire: (
    turn: Turn,
    slug: string,
    message: { text: string; files?: object[] },
  ) => Promise<{ state: string; text: string }>;
}

/** Lists an agent of this owner and serves it. */
export async function serveAgent(
  owner: Account,
  { name, handle }: { name: string; handle: ConnectOptions['handle'] },
): Promise<ServedAgent> {
  const url = setting('parleyUrl');
  const slug = `${name.toLowerCase().replaceAll(' ', '-')}-${randomUUID().slice(0, 6)}`;
  const skills = [{ id: 'help', name: 'Help', description: 'Helps with a trip.', tags: ['trips'] }];
  const card = { name: `${name} ${slug.slice(-6)}`, description: 'Helps with a trip.', version: '1.0.0', skills };
  const made = await send(`${url}/api/apps`, { body: { name: slug }, bearer: owner.accessToken });
  const app = (await made.json()) as NewClientSecret;
  const listed = await send(`${url}/api/agents`, {
    body: { hub: true, slug, card, appId: app.id },
    bearer: owner.accessToken,
  });
  expect(listed.status, await listed.text()).toBe(201);
  const created = await send(`${url}/api/auth/access-tokens`, {
    body: { name: slug, scopes: ['agents:serve'] },
    cookie: owner.cookie,
    origin: url,
  });
  const { token } = (await created.json()) as { token: string };
  const connection = await connect({ url, agent: slug, token, handle, capacity: 20 });
  await waitFor(() => connection.state === 'online', { what: `${name} to be online` });
  return { slug, name: card.name, connection, hire: (turn, to, message) => hire(app, turn, { to, ...message }) };
}

interface Reply {
  status: { state: string; message?: { parts: { text?: string }[] } };
  artifacts?: { parts: { text?: string }[] }[];
}

/** Exchanges the turn's token for one to call the other agent (RFC 8693), and calls it. */
async function hire(
  { clientId, clientSecret }: NewClientSecret,
  { token, taskId, signal }: Turn,
  { to, text, files = [] }: { to: string; text: string; files?: object[] },
): Promise<{ state: string; text: string }> {
  const url = setting('parleyUrl');
  const exchanged = await fetch(`${url}/api/auth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: token,
      resource: `${url}/agents/${to}`,
    }),
    signal,
  });
  const answer = (await exchanged.json()) as { access_token: string; error_description?: string };
  if (!exchanged.ok) throw new Error(answer.error_description);
  const connection = { url: `${url}/agents/${to}/a2a/jsonrpc`, token: answer.access_token, signal };
  const parts = [{ kind: 'text', text }, ...files];
  const message = message03(text, { parts, metadata: { 'parley.parentTask': taskId } });
  const { body } = await rpc(connection, 'message/send', message);
  if (body.error) throw new Error(body.error.message);
  const { status, artifacts = [] } = body.result as Reply;
  const texts = artifacts.flatMap(({ parts }) => parts.map((part) => part.text ?? ''));
  return { state: status.state, text: texts.join('') };
}

/** The user's choice whether an agent may hire others. */
export async function setHire(person: Account, { slug }: ServedAgent, hire: 'never' | 'ask' | 'yes'): Promise<void> {
  const url = setting('parleyUrl');
  const response = await send(`${url}/api/grants/${slug}`, {
    method: 'PUT',
    body: { scopes: [], hire },
    cookie: person.cookie,
    origin: url,
  });
  expect(response.status, await response.text()).toBe(204);
}

/** The choices of the user about each agent, by slug. */
export async function hireChoices({ cookie }: Account): Promise<Record<string, string>> {
  const response = await send(`${setting('parleyUrl')}/api/grants`, { cookie });
  const { items } = (await response.json()) as { items: { agent: { slug: string }; hire: string }[] };
  return Object.fromEntries(items.map(({ agent, hire }) => [agent.slug, hire]));
}

/** The chain of the page's last task. */
export async function chainOfPage(page: Page): Promise<ChainView> {
  const rootTaskId = await page.locator('[data-task]').last().getAttribute('data-task');
  const response = await page.request.get(`/api/chat/chains/${rootTaskId}`);
  await expect(response).toBeOK();
  return (await response.json()) as ChainView;
}

/** The states of the user's orders in a task. */
export async function orderStatesOf(page: Page, taskId: string): Promise<string[]> {
  const response = await page.request.get(`/api/orders?taskId=${taskId}`);
  await expect(response).toBeOK();
  return ((await response.json()) as OrderPage).items.map(({ state }) => state);
}

/** The panel with the other agents at work. */
export function panel(page: Page): Locator {
  return page.getByRole('region', { name: 'Work by other agents' });
}

/** The first approval that waits for a decision. */
export function approvalCard(page: Page): Locator {
  return page.getByRole('list', { name: 'Waiting for your decision' }).getByRole('listitem').first();
}
