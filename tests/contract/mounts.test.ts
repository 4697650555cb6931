import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '@/lib/endpoints/table';
import * as agent03 from '../fakes/a2a03';
import { ChatClient } from '../http/chat-fixture';
import { connectTo, message03, message10, post, readEvents, rpc, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { introspect, type OwnTokensFixture, postForm, startTokensFixture } from './tokens-fixture';

/**
 * `server.ts` and `next start` serve the same routes: all other tests call the first, and these compare the second with
 * it.
 */
let fixture: OwnTokensFixture;
let next: Parley;

beforeAll(async () => {
  fixture = await startTokensFixture();
  next = await startParley({
    mount: 'next',
    databaseUrl: fixture.parley.databaseUrl,
    env: { APP_URL: fixture.url, AGENT_URL_ALLOW: 'http://127.0.0.1:*', TRUSTED_PROXIES: '127.0.0.1,::1' },
  });
  fixture.agent.answer(({ received, json, result, end }) => {
    const done = agent03.status('t', 'completed', 'Done');
    if (received.method === 'message/stream') {
      result(done);
      end();
    } else json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t', 'completed') });
  });
});
afterAll(async () => {
  await next?.stop();
  await fixture?.close();
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const paths = [...new Set(endpoints.map(({ path }) => path))].sort();
let clients = 0;

/** Anonymous requests whose responses do not depend on the time or on the call. */
async function asked(origin: string, method: string, path: string): Promise<object> {
  const filled = path.replace('/*', '/x').replace(/:slug/g, fixture.slug).replace(/:\w+/g, 'x1');
  // Each call is from another network, so that no limit is reached.
  const headers = { 'x-forwarded-for': `198.18.${clients >> 8}.${clients++ & 255}`, accept: 'application/json' };
  const body = method === 'GET' ? undefined : '{}';
  const response = await fetch(origin + filled, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body,
    redirect: 'manual',
  });
  const text = await response.text();
  const { status, headers: answered } = response;
  const seen = ['content-type', 'allow', 'www-authenticate', 'x-content-type-options', 'location'];
  return {
    status,
    ...Object.fromEntries(seen.map((name) => [name, answered.get(name)])),
    // A page's text differs by its nonce.
    text: answered.get('content-type')?.startsWith('text/html')
      ? ''
      : text.replace(/req_\w+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '·'),
  };
}

describe('an anonymous caller gets the same response from both', () => {
  test.each(paths)('%s', async (path) => {
    // Without server.ts the page of a refused request has the status 200.
    const compared = path === '/oauth/authorize' ? methods.filter((method) => method !== 'GET') : methods;
    for (const method of compared) {
      const [one, other] = [await asked(fixture.url, method, path), await asked(next.url, method, path)];
      expect({ method, ...other }).toEqual({ method, ...one });
    }
  });
});

describe('each kind of endpoint works on Next alone', () => {
  test('JSON, with a session', async () => {
    const { cookie } = fixture.developer;
    const made = await send(`${next.url}/api/apps`, { body: { name: 'One more' }, cookie, origin: fixture.url });
    expect(made.status).toBe(201);
    const listed = await send(`${next.url}/api/apps`, { cookie, origin: fixture.url });
    expect(JSON.stringify(await listed.json())).toContain('One more');
  });

  test('introspection, with an app’s credentials', async () => {
    const { token } = await connectTo(next.url, fixture.caller, fixture.slug);
    const answer = await introspect({ url: next.url, app: fixture.app }, { token });
    expect(await answer.json()).toMatchObject({ active: true, agent_slug: fixture.slug });
  });

  test('the token endpoint', async () => {
    const resource = `${fixture.url}/agents/${fixture.slug}`;
    const form = { grant_type: 'client_credentials', resource };
    const answer = await postForm(`${next.url}/api/auth/token`, form, fixture.app);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
  });

  test('a public document, revalidated by its ETag', async () => {
    const url = `${next.url}/.well-known/jwks.json`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('A2A over JSON-RPC at each address of the agent, with and without streaming', async () => {
    const connection = await connectTo(next.url, fixture.caller, fixture.slug);
    for (const path of ['', '/a2a/jsonrpc', '/a2a/rpc']) {
      const to = { ...connection, url: `${next.url}/agents/${fixture.slug}${path}` };
      const { body } = await rpc(to, 'message/send', message03('hi'));
      expect(body.result, path).toMatchObject({ status: { state: 'completed' } });
      const streamed = await post(to, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hi') });
      expect(streamed.headers.get('content-type'), path).toContain('text/event-stream');
      expect(JSON.stringify((await readEvents(streamed)).at(-1)), path).toContain('completed');
    }
  });

  test('A2A over HTTP+JSON', async () => {
    const { token: bearer } = await connectTo(next.url, fixture.caller, fixture.slug);
    const headers = { 'a2a-version': '1.0' };
    const url = `${next.url}/agents/${fixture.slug}/a2a/rest/message:send`;
    const sent = await send(url, { body: message10('hi'), bearer, headers });
    expect(await sent.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('the stream of a chat', async () => {
    const chat = new ChatClient(next.url, fixture.caller);
    const { conversationId } = await chat.say({ agentSlug: fixture.slug, text: 'hi' });
    const stream = await chat.call(`/api/chat/conversations/${conversationId}/events`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect((await readEvents(stream, (events) => events.length > 0)).length).toBeGreaterThan(0);
  });

  test('sign-in at a provider, through next-auth', async () => {
    const answer = await fetch(`${next.url}/api/auth/csrf`);
    expect(await answer.json()).toEqual({ csrfToken: expect.stringMatching(/^[\da-f]{64}$/) });
  });
});
