import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { cardV10 } from '../fakes/cards';
import { type AgentCall, answerWith, FakeAgent, failWith, type Serve, sendEvent, sendJson } from '../fakes/fake-agent';
import { MailServer } from '../fakes/mail-server';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  rpc,
  send,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let parley: Parley;
let mailServer: MailServer;
let person: Person;
const agents: FakeAgent[] = [];

beforeAll(async () => {
  mailServer = await MailServer.start();
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@parley.test' };
  parley = await startParley({ env });
  person = await createPerson(parley.url);
});

afterAll(async () => {
  await parley?.stop();
  await mailServer?.stop();
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
});

interface Listed {
  agent: FakeAgent;
  slug: string;
  connection: Connection;
}

async function list(serve: Serve, change: (url: string) => object = () => ({})): Promise<Listed> {
  const card = (url: string): object => ({
    ...cardV10(url),
    name: `Real ${newUuid().slice(0, 8)}`,
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    ...change(url),
  });
  const agent = await FakeAgent.start(card, serve);
  agents.push(agent);
  const slug = await listAgent(parley.url, person, { url: agent.url });
  return { agent, slug, connection: await connectTo(parley.url, person, slug) };
}

interface Task03 {
  id: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts: { parts: { text: string }[] }[];
}

async function ask(connection: Connection): Promise<Task03> {
  const { body } = await rpc(connection, 'message/send', message03('hi'));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Task03;
}

const envelope = (call: AgentCall, result: object): string => JSON.stringify({ jsonrpc: '2.0', id: call.id, result });

describe('a real agent’s stream', () => {
  test.each([
    ['bare carriage returns', '\r'],
    ['CRLF', '\r\n'],
    ['line feeds', '\n'],
  ])(
    'with %s as line endings is read completely, in chunks of any size, without its last blank line',
    async (_name, end) => {
      const { connection } = await list((call, response) => {
        const task = `up-${newUuid()}`;
        const events = [
          agent03.status(task, 'working'),
          agent03.artifact(task, 'All of it'),
          agent03.status(task, 'completed', 'Done'),
        ];
        const text = events.map((event) => `event: message${end}data: ${envelope(call, event)}`).join(end + end);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
        response.end();
      });
      const task = await ask(connection);
      expect(task.status).toMatchObject({ state: 'completed', message: { parts: [{ text: 'Done' }] } });
      expect(task.artifacts[0]?.parts[0]?.text).toBe('All of it');
    },
  );

  test('with bare carriage returns yields each event as it arrives', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { connection } = await list(async (call, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const task = `up-${newUuid()}`;
      response.write(`data: ${envelope(call, agent03.artifact(task, 'at once'))}\r\r`);
      await held;
      response.end(`data: ${envelope(call, agent03.status(task, 'completed'))}\r\r`);
    });
    const response = await post(connection, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: message03('go'),
    });
    await readEvents(response, (events) => {
      if (JSON.stringify(events).includes('at once')) release();
      return false;
    });
  });
});

describe('the response size limit', () => {
  test.each([
    ['10,000 members and elements', { kind: 'data', data: { many: Array.from({ length: 10_001 }, () => 1) } }],
    ['64 levels', JSON.parse(`{"kind":"data","data":{"deep":${'['.repeat(70)}${']'.repeat(70)}}}`) as object],
  ])('is named in the error: %s', async (limit, part) => {
    const { connection } = await list((call, response) => {
      answerWith(response, call, { kind: 'message', messageId: 'm1', role: 'agent', parts: [part] });
    });
    const { body } = await rpc(connection, 'message/send', message03('hi'));
    expect(JSON.stringify(body)).toContain(limit);
    expect(JSON.stringify(body)).not.toContain('not JSON');
  });
});

describe('a card that claims 1.0', () => {
  // BerriAI/litellm#30795: the card says 1.0, the protocol is 0.3.
  const claim = (url: string): object => ({
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  const refusals: [string, (call: AgentCall, response: Parameters<Serve>[1]) => void][] = [
    ['-32601', (call, response) => failWith(response, call, { code: -32601, message: 'Method not found' })],
    ['-32600', (call, response) => failWith(response, call, { code: -32600, message: 'Invalid Request' })],
    ['-32009', (call, response) => failWith(response, call, { code: -32009, message: 'Version not supported' })],
    ['HTTP 404', (_call, response) => sendJson(response, { detail: 'Not Found' }, 404)],
    ['HTTP 422', (_call, response) => sendJson(response, { detail: [] }, 422)],
  ];
  test.each(refusals)(
    'is called in 0.3 if the server supports only 0.3 methods (%s), and its owner receives one email',
    async (_name, refuse) => {
      const { agent, slug, connection } = await list((call, response) => {
        if (!call.method.includes('/')) return refuse(call, response);
        sendEvent(response, {
          jsonrpc: '2.0',
          id: call.id,
          result: agent03.task(`up-${newUuid()}`, 'completed', ['done']),
        });
        response.end();
      }, claim);
      expect((await ask(connection)).status.state).toBe('completed');
      expect((await ask(connection)).status.state).toBe('completed');
      const newer = agent.calls.map(({ method }) => method).filter((method) => !method.includes('/'));
      expect(newer, 'each method of 1.0 is tried once').toEqual([...new Set(newer)]);
      expect(agent.calls.at(-1)?.headers['a2a-version']).toBe('0.3');
      const mails = (): string[] => mailServer.mails.map(({ text }) => text).filter((text) => text.includes(slug));
      await waitFor(() => mails().length > 0, { what: 'the mail to the owner' });
      expect(mails()).toHaveLength(1);
      expect(mails()[0]).toContain('A2A 0.3 instead');
    },
  );

  test('does not hide an error that a 1.0 agent returns for a method that it supports', async () => {
    const { agent, connection } = await list((call, response) => {
      if (call.method.includes('/')) return failWith(response, call, { code: -32601, message: 'no such method' });
      failWith(response, call, { code: -32602, message: 'No such city' });
    }, claim);
    const { body } = await rpc(connection, 'message/send', message03('hi'));
    expect(body.error?.message).toContain('No such city');
    expect(agent.calls.every(({ method }) => !method.includes('/'))).toBe(true);
  });
});

describe('an agent’s owner', () => {
  test('can read specification violations, at listing and later, unlike other users', async () => {
    const { agent, slug } = await list(
      () => undefined,
      () => ({ defaultOutputModes: ['text/plain', 'task-status'] }),
    );
    const flaw = { rule: 'mode.media-type', pointer: '/defaultOutputModes/1', found: '"task-status"' };
    const again = await send(`${parley.url}/api/agents`, { body: { url: agent.url }, bearer: person.accessToken });
    expect(await again.json()).toMatchObject({ warnings: [flaw] });
    const own = await fetch(`${parley.url}/api/agents/${slug}`, {
      headers: { authorization: `Bearer ${person.accessToken}` },
    });
    expect(await own.json()).toMatchObject({ warnings: [flaw] });
    expect(await (await fetch(`${parley.url}/api/agents/${slug}`)).json()).not.toHaveProperty('warnings');
  });

  // google/adk-python: the card builder writes the whole instruction into the first skill's description.
  test('can list a card with a long description, which is complete in the card and truncated on pages', async () => {
    const long = 'I plan trips. '.repeat(3_200).trim();
    const { slug } = await list(
      () => undefined,
      () => ({
        description: long,
        skills: [{ id: 'planner', name: 'model', description: long, tags: ['llm'] }],
      }),
    );
    const card = await (await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({ description: long, skills: [{ description: long }] });
    const view = (await (await fetch(`${parley.url}/api/agents/${slug}`)).json()) as { description: string };
    expect(view.description).toHaveLength(2_000);
  });
});

describe('a legacy system’s path', () => {
  const paths = [
    ['society', (slug: string) => `/agents/${slug}/society`, {}],
    [
      'Society AI',
      (slug: string) => `/agents/${slug}/tasks/process`,
      { authentication: { schemes: ['bearer'], credentials: null } },
    ],
    ['AgentOS', (slug: string) => `/agents/${slug}/a2a/rpc`, { defaultInputModes: ['text'] }],
    ['Orloj', (slug: string) => `/v1/agent-systems/${slug}`, { protocolVersion: '0.2' }],
  ] as const;

  test.each(paths)('for %s has its own card, whose url is that path and can be called', async (_name, pathOf, more) => {
    const { slug, connection } = await list((call, response) => {
      answerWith(response, call, agent03.task(`up-${newUuid()}`, 'completed', ['done']));
    });
    const url = `${parley.url}${pathOf(slug)}`;
    const card = await (await fetch(`${url}/.well-known/agent.json`)).json();
    expect(card).toMatchObject({
      url,
      capabilities: { tools: [], streaming: true },
      skills: [{ id: 'translate' }],
      ...more,
    });
    const { body } = await rpc({ ...connection, url: card.url }, 'tasks/send', {
      id: newUuid(),
      message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    });
    expect(JSON.stringify(body.result)).toContain('completed');
  });

  test('has a separate card, while every other agent.json lists the tools from the agent’s own card', async () => {
    const { slug } = await list(
      () => undefined,
      () => ({ capabilities: { streaming: true, tools: ['search', 'read'] } }),
    );
    for (const path of [`/agents/${slug}`, `/agents/${slug}/a2a/rpc`]) {
      const card = await (await fetch(`${parley.url}${path}/.well-known/agent.json`)).json();
      expect(card).toMatchObject({ capabilities: { tools: ['search', 'read'] } });
    }
    const own = await (await fetch(`${parley.url}/.well-known/agent.json`)).json();
    expect(own).toMatchObject({ capabilities: { tools: [] } });
  });
});

describe('Web42’s stream', () => {
  const params = (): object => ({
    message: { messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
  });
  const kindsOf = (events: { data: unknown }[]): unknown[] => events.map(({ data }) => (data as { kind: string }).kind);

  test.each(['completed', 'input-required'])(
    'returns the reply of a task that is %s as an event of kind:"message"',
    async (state) => {
      const { connection } = await list((call, response) => {
        const task = `up-${newUuid()}`;
        sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.status(task, 'working') });
        sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.status(task, state, 'Great choice!') });
        response.end();
      });
      const events = await readEvents(
        await post(connection, { jsonrpc: '2.0', id: '1', method: 'message/send', params: params() }),
      );
      expect(kindsOf(events).filter((kind) => kind === 'message')).toHaveLength(1);
      const answer = events.find(({ data }) => (data as { kind: string }).kind === 'message')?.data;
      expect(answer).toMatchObject({ role: 'agent', parts: [{ kind: 'text', text: 'Great choice!' }] });
      expect((answer as { taskId?: string }).taskId).toBeTruthy();
      expect(events.at(-1)?.data).toMatchObject({ kind: 'status-update', status: { state } });
      expect(events.at(-1)?.data).not.toHaveProperty('status.message');
    },
  );

  test('returns the agent’s working messages as its reply if the task ends without one', async () => {
    const { connection } = await list((call, response) => {
      const task = `up-${newUuid()}`;
      sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.status(task, 'working', 'Here you are') });
      sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.status(task, 'completed') });
      response.end();
    });
    const events = await readEvents(
      await post(connection, { jsonrpc: '2.0', id: '1', method: 'message/send', params: params() }),
    );
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ kind: 'message', parts: [{ kind: 'text', text: 'Here you are' }] }),
    );
  });
});
