import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import { call01, connectToAll, say, send01, task01 } from '../support/dialects';
import {
  type Connection,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  post,
  rpc,
  send,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const sharedPaths = ['/', '/a2a', '/a2a/jsonrpc', '/a2a/rpc', '/tasks/process'];

describe('a path that names no agent', () => {
  let parley: SharedParley;
  let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
  let ada: Person;
  let slug: string;
  let other: string;
  let connection: Connection;

  beforeAll(async () => {
    chattyAgent = await startChattyAgent();
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: chattyAgent.agent.url });
    const bob = await createPerson(parley.url, 'Bob');
    const otherAgent = await startChattyAgent({ name: 'Hidden' });
    other = await listAgent(parley.url, bob, { url: otherAgent.agent.url, visibility: 'private' });
    await otherAgent.agent.stop();
    connection = (await connectToAll(parley.url, ada, slug)).society;
  });

  afterAll(() => chattyAgent?.agent.stop());

  const at = (path: string): Connection => ({ ...connection, url: parley.url + path });
  const id = (): string => `own ${newUuid()}`;

  test.each(sharedPaths)('POST %s finds the agent in metadata.executor.name or metadata.agent', async (path) => {
    for (const metadata of [{ executor: { name: slug } }, { agent: slug }]) {
      const task = await task01(at(path), 'tasks/send', say(id(), 'hello', { metadata }));
      expect(task.status.state).toBe('completed');
    }
  });

  test.each(sharedPaths)('POST %s uses the token’s agent', async (path) => {
    const { status, body } = await call01(at(path), 'tasks/send', say(id(), 'hello'));
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: -32602, data: { agents: [slug] } });
  });

  test.each(sharedPaths)('POST %s returns the same -32003 for an unknown and a hidden agent', async (path) => {
    const responses = [];
    for (const agent of ['no-such-agent', other]) {
      const { status, body } = await call01(at(path), 'tasks/send', say(id(), 'hello', { metadata: { agent } }));
      expect(status).toBe(200);
      expect(body.error).toMatchObject({ code: -32003, data: { reason: 'agent_not_found' } });
      responses.push(JSON.stringify(body.error).replaceAll(agent, 'AGENT'));
    }
    expect(responses[0]).toBe(responses[1]);
  });

  test('returns HTTP 404 for an unknown agent in 0.3 and 1.0', async () => {
    const metadata = { agent: 'no-such-agent' };
    for (const path of ['/a2a', '/a2a/jsonrpc']) {
      for (const [method, params] of [
        ['message/send', { ...message03('x'), metadata }],
        ['SendMessage', { ...message10('x'), metadata }],
      ] as const) {
        const { status, body } = await rpc(at(path), method, params);
        expect(status, `${path} ${method}`).toBe(404);
        expect(body.error?.code).toBe(-32602);
      }
    }
  });

  test('rejects a token for another agent with a challenge', async () => {
    const second = await startChattyAgent({ name: 'Second' });
    const target = await listAgent(parley.url, ada, { url: second.agent.url });
    for (const path of [...sharedPaths, `/agents/${target}/society`, `/v1/agents/${target}/a2a`]) {
      const { status, headers, body } = await call01(
        at(path),
        'tasks/send',
        say(id(), 'x', { metadata: { agent: target } }),
      );
      expect(status, path).toBe(401);
      expect(headers.get('www-authenticate'), path).toContain('invalid_token');
      expect(body.error, path).toMatchObject({ data: { reason: 'invalid_token' } });
    }
    expect(second.sends()).toBe(0);
    await second.agent.stop();
  });

  test('§5.1: responds to 0.3 and 1.0 in their own shape at POST /a2a and /a2a/jsonrpc', async () => {
    for (const path of ['/a2a', '/a2a/jsonrpc']) {
      const metadata = { agent: slug };
      const old = await rpc(at(path), 'message/send', { ...message03('hello'), metadata });
      expect(old.body.result, path).toMatchObject({ kind: 'task', status: { state: 'completed' } });
      const now = await rpc(at(path), 'SendMessage', { ...message10('hello'), metadata });
      expect(now.body.result, path).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    }
  });

  test('returns the page for GET and HEAD on /, and 405 for other requests that are not calls', async () => {
    const page = await send(`${parley.url}/`, {});
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await fetch(`${parley.url}/`, { method: 'HEAD' })).status).toBe(200);
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${parley.url}/`, {
        method,
        headers: { authorization: `Bearer ${connection.token}` },
      });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow'), method).toContain('POST');
    }
  });

  test('does not treat a form that a page posts to / as a call', async () => {
    const form = new FormData();
    form.set('theme', 'dark');
    const response = await fetch(`${parley.url}/`, { method: 'POST', body: form, headers: { origin: parley.url } });
    expect(response.headers.get('content-type')).not.toContain('application/json');
    const call = await post(
      { ...at('/'), token: 'nonsense' },
      { jsonrpc: '2.0', id: 1, method: 'tasks/send', params: {} },
    );
    expect(call.status).toBe(401);
  });

  test('is handled in the same way with a trailing slash', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none', metadata: { agent: slug } } };
    for (const path of sharedPaths.slice(1)) {
      expect((await send01(at(`${path}/`), body)).body.error?.code, path).toBe(-32001);
    }
  });
});
