import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { allowHost, connectHost, registerHost } from './oauth-fixture';
import { postForm } from './tokens-fixture';

let one: Parley;
let two: Parley;
let ada: Person;
let clientId: string;

beforeAll(async () => {
  one = await startParley();
  two = await startParley({ databaseUrl: one.databaseUrl, env: { APP_URL: one.url } });
  ada = await createPerson(one.url);
  clientId = await registerHost(one.url);
});

afterAll(async () => {
  await two?.stop();
  await one?.stop();
});

interface Tokens {
  status: number;
  body: { access_token: string; refresh_token: string; error?: string };
}

/** The same request at both nodes at once, `each` times per node. */
async function askBoth(form: Record<string, string>, each: number): Promise<Tokens[]> {
  const nodes = Array.from({ length: each }, () => [one.url, two.url]).flat();
  return Promise.all(nodes.map((url) => ask(url, form)));
}

async function ask(url: string, form: Record<string, string>): Promise<Tokens> {
  const response = await postForm(`${url}/api/auth/token`, form);
  return { status: response.status, body: (await response.json()) as Tokens['body'] };
}

function refreshForm(refresh_token: string): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token };
}

/** The status of a call at a node. */
async function mcpStatus(url: string, bearer: string): Promise<number> {
  return (await send(`${url}/mcp`, { body: { jsonrpc: '2.0', id: 1, method: 'ping' }, bearer })).status;
}

/** True when no node accepts the token, within the second that a notification may take. */
async function isRefusedEverywhere(bearer: string): Promise<void> {
  for (const { url } of [one, two]) await expect.poll(() => mcpStatus(url, bearer)).toBe(401);
}

describe('two nodes', () => {
  test('TOK-6 together accept a code exactly once, even if it is redeemed 20 times concurrently', async () => {
    const answers = await askBoth(await allowHost(one.url, ada, { clientId }), 10);
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBe(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant').length).toBe(19);
    await isRefusedEverywhere(given[0]?.body.access_token ?? '');
    expect((await ask(two.url, refreshForm(given[0]?.body.refresh_token ?? ''))).body.error).toBe('invalid_grant');
  });

  test('TOK-7 continue one sign-in if a refresh token is used on both concurrently', async () => {
    const { refresh_token } = await connectHost(one.url, ada, { clientId });
    const answers = await askBoth(refreshForm(refresh_token), 5);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const [next, ...others] = new Set(answers.map(({ body }) => body.refresh_token));
    expect(others).toEqual([]);
    for (const { body } of answers) {
      for (const { url } of [one, two]) expect(await mcpStatus(url, body.access_token)).toBe(200);
    }
    expect((await ask(two.url, refreshForm(next ?? ''))).status).toBe(200);
  });

  test('TOK-7 both end a sign-in if an old refresh token is replayed on both concurrently', async () => {
    const first = await connectHost(one.url, ada, { clientId });
    const second = await ask(two.url, refreshForm(first.refresh_token));
    const third = await ask(one.url, refreshForm(second.body.refresh_token));
    for (const { url } of [one, two]) expect(await mcpStatus(url, third.body.access_token)).toBe(200);
    const replayed = await askBoth(refreshForm(first.refresh_token), 2);
    expect(replayed.map(({ body }) => body.error)).toEqual(Array.from({ length: 4 }, () => 'invalid_grant'));
    await isRefusedEverywhere(third.body.access_token);
    expect((await ask(two.url, refreshForm(third.body.refresh_token))).body.error).toBe('invalid_grant');
  });

  test('REV-2 both reject an app that is disconnected on one of them', async () => {
    const { access_token } = await connectHost(one.url, ada, { clientId });
    expect(await mcpStatus(two.url, access_token)).toBe(200);
    const session = { cookie: ada.cookie, origin: one.url };
    const { items } = (await (await send(`${one.url}/api/connections`, session)).json()) as { items: { id: string }[] };
    for (const { id } of items) await send(`${one.url}/api/connections/${id}`, { method: 'DELETE', ...session });
    await isRefusedEverywhere(access_token);
  });
});
