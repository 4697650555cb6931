import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentOsTask } from '@/lib/compat/schema-agentos';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

type Chatty = Awaited<ReturnType<typeof startChattyAgent>>;
interface Problem {
  code: string;
  title: string;
  faults?: { pointer: string }[];
}

let parley: SharedParley;
let ada: Person;
let bob: Person;
/** Public agents. */
let researchers: Chatty[];
/** An agent that only Ada may call. */
let secret: Chatty;
/** An agent that runs and is not listed. */
let stranger: Chatty;
let slugs: string[];

beforeAll(async () => {
  parley = await sharedParley();
  [ada, bob] = await Promise.all([createPerson(parley.url, 'Ada'), createPerson(parley.url, 'Bob')]);
  researchers = await Promise.all([1, 2, 3].map((n) => startChattyAgent({ name: `Research ${n}` })));
  [secret, stranger] = await Promise.all([startChattyAgent({ name: 'Secret' }), startChattyAgent()]);
  slugs = await Promise.all(researchers.map(({ agent }) => listAgent(parley.url, ada, { url: agent.url })));
  await listAgent(parley.url, ada, { url: secret.agent.url, visibility: 'private' });
});

afterAll(async () => {
  await Promise.all([...(researchers ?? []), secret, stranger].map((chatty) => chatty?.agent.stop()));
});

function call(person: Person, path: string, body?: object): Promise<Response> {
  return send(`${parley.url}/api/a2a/${path}`, { bearer: person.accessToken, body });
}

function sendWith(headers: Record<string, string>, body: object): Promise<Response> {
  return send(`${parley.url}/api/a2a/send`, { bearer: ada.accessToken, body, headers });
}

async function sendTask(person: Person, body: object): Promise<AgentOsTask> {
  return toTask(await call(person, 'send', body));
}

async function toTask(response: Response): Promise<AgentOsTask> {
  if (response.status !== 200) throw new Error(`send: ${response.status} ${await response.text()}`);
  return (await response.json()) as AgentOsTask;
}

async function expectProblem(response: Response, status: number, code: string): Promise<Problem> {
  const problem = (await response.json()) as Problem;
  expect([response.status, problem.code]).toEqual([status, code]);
  return problem;
}

/** The address at which AgentOS calls agent 0. */
const urlOf = (index = 0): string => `${researchers[index]?.agent.url}/a2a/rpc`;
const slugUrl = (index = 0): string => `${parley.url}/agents/${slugs[index]}`;

/** Every operation that takes a URL. */
const operations: [string, (person: Person, url: string) => Promise<Response>][] = [
  ['discover', (person, url) => call(person, 'discover', { url })],
  ['send', (person, agentUrl) => call(person, 'send', { agentUrl, message: 'Hello' })],
  ['task', (person, agentUrl) => call(person, `task?${new URLSearchParams({ taskId: newUuid(), agentUrl })}`)],
  ['cancel', (person, agentUrl) => call(person, 'cancel', { taskId: newUuid(), agentUrl })],
];

describe.each(operations)('the operation %s', (_name, operate) => {
  test.each([
    'http://127.0.0.1',
    'http://127.0.0.1:1/a2a/rpc',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/a2a/rpc',
    'https://2130706433/',
    'http://169.254.169.254/latest/meta-data',
    'https://metadata.google.internal/',
    'https://localhost/',
    'https://user:password@research.example.com/',
    'https://research.example.com/a2a/rpc',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'ws-agent://nobody',
    'not a url',
    '/agents/x',
  ])('rejects the unlisted URL %s', async (url) => {
    const { title } = await expectProblem(await operate(ada, url), 404, 'agent_not_found');
    expect(title).toContain(`expected ${parley.url}/agents/{slug}, or the listed URL`);
  });

  test('does not call an unlisted agent', async () => {
    await expectProblem(await operate(ada, stranger.agent.url), 404, 'agent_not_found');
    await expectProblem(await operate(ada, `${stranger.agent.url}/a2a/rpc`), 404, 'agent_not_found');
    expect(stranger.agent.received).toEqual([]);
  });

  test('does not accept Parley itself or an unknown slug as an agent', async () => {
    for (const path of ['/', '/api/a2a/send', '/agents', '/agents/nobody', '/agents/nobody/a2a/rpc']) {
      await expectProblem(await operate(ada, parley.url + path), 404, 'agent_not_found');
    }
  });

  test('does not resolve a path under an agent’s listed URL to that agent', async () => {
    for (const path of ['/admin', '/a2a/rpc/more', '/a2a/rpc?x=1', '/.well-known/openid-configuration']) {
      await expectProblem(await operate(ada, researchers[0]?.agent.url + path), 404, 'agent_not_found');
    }
  });

  test('returns the same response for another user’s private agent as for an unknown agent', async () => {
    const unknown = await operate(bob, stranger.agent.url);
    const foreign = await operate(bob, secret.agent.url);
    const [one, other] = [await unknown.text(), await foreign.text()];
    const blind = (text: string): string => text.replace(/http:\/\/127\.0\.0\.1:\d+/g, '…').replace(/req_\w+/g, '…');
    expect([foreign.status, blind(other)]).toEqual([unknown.status, blind(one)]);
    expect(secret.sends()).toBe(0);
  });

  test('rejects an anonymous caller', async () => {
    await expectProblem(await operate({ ...ada, accessToken: 'prl_wrong' }, urlOf()), 401, 'invalid_token');
    const response = await fetch(`${parley.url}/api/a2a/cards`);
    await expectProblem(response, 401, 'unauthenticated');
  });

  test('rejects an access token without the scope “handshake”', async () => {
    const made = await send(`${parley.url}/api/auth/access-tokens`, {
      body: { name: 'reader', scopes: ['agents:read'] },
      cookie: ada.cookie,
      origin: parley.url,
    });
    const { token } = (await made.json()) as { token: string };
    await expectProblem(await operate({ ...ada, accessToken: token }, urlOf()), 403, 'insufficient_scope');
  });
});

describe('a session cookie', () => {
  const body = (): object => ({ agentUrl: slugUrl(), message: 'Hello' });

  test('can make calls from Parley’s own pages', async () => {
    const response = await send(`${parley.url}/api/a2a/send`, { body: body(), cookie: ada.cookie, origin: parley.url });
    expect(response.status).toBe(200);
  });

  test.each([undefined, 'https://evil.example', 'null'])('cannot make calls from the origin %s', async (origin) => {
    const given = { body: body(), cookie: ada.cookie, ...(origin && { origin }) };
    await expectProblem(await send(`${parley.url}/api/a2a/send`, given), 403, 'origin_required');
  });
});

describe('a malformed request', () => {
  test.each([
    ['no message', {}, '/message'],
    ['an empty message', { message: '' }, '/message'],
    ['a message that is a number', { message: 7 }, '/message'],
    ['a message without parts', { message: { role: 'user' } }, '/message/parts'],
    ['a message with no part', { message: { role: 'user', parts: [] } }, '/message/parts'],
    ['a message from an agent', { message: { role: 'agent', parts: [{ type: 'text', text: 'x' }] } }, '/message/role'],
    ['a part without content', { message: { role: 'user', parts: [{ type: 'text' }] } }, '/message/parts/0'],
    ['metadata that is a list', { message: 'x', metadata: [] }, '/metadata'],
    ['a session id that is a number', { message: 'x', sessionId: 1 }, '/sessionId'],
  ])('with %s is rejected', async (_name, extra, pointer) => {
    const problem = await expectProblem(
      await call(ada, 'send', { agentUrl: urlOf(), ...extra }),
      400,
      'invalid_request',
    );
    expect(problem.faults?.map((fault) => fault.pointer)).toContain(pointer);
  });

  test.each(['task', 'task?taskId=', 'task?agentUrl=x'])(
    'GET %s is rejected because it names no task',
    async (path) => {
      await expectProblem(await call(ada, path), 400, 'invalid_request');
    },
  );

  test('with a body that is not JSON is rejected, whatever its content type', async () => {
    const response = await fetch(`${parley.url}/api/a2a/discover`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'url=x',
    });
    await expectProblem(response, 400, 'parse_error');
  });
});

describe('a task', () => {
  test.each(['task-xyz-789', newUuid()])('is not found under the id %s', async (taskId) => {
    await expectProblem(await call(ada, `task?taskId=${taskId}`), 404, 'task_not_found');
    await expectProblem(await call(ada, 'cancel', { taskId }), 404, 'task_not_found');
    await expectProblem(await call(ada, 'cancel', { taskId, agentUrl: urlOf() }), 404, 'task_not_found');
  });

  test('is not found by another user or through another agent', async () => {
    const { id: taskId } = await sendTask(ada, { agentUrl: urlOf(), message: 'hold on' });
    for (const query of [`taskId=${taskId}`, `taskId=${taskId}&agentUrl=${urlOf()}`]) {
      await expectProblem(await call(bob, `task?${query}`), 404, 'task_not_found');
    }
    await expectProblem(await call(bob, 'cancel', { taskId }), 404, 'task_not_found');
    await expectProblem(await call(ada, `task?taskId=${taskId}&agentUrl=${urlOf(1)}`), 404, 'task_not_found');
    researchers[0]?.release();
  });

  test('has the members that AgentOS specifies, and a URL to poll', async () => {
    const agentUrl = urlOf();
    const metadata = { priority: 'high', department: 'sales' };
    const message = 'hold: Analyze the Q4 sales data';
    const task = await sendTask(ada, { agentUrl, message: `hold ${message}`, sessionId: 'session-abc-123', metadata });
    expect(task).toEqual({
      id: expect.any(String),
      sessionId: 'session-abc-123',
      status: { state: expect.stringMatching(/^(submitted|working)$/), timestamp: expect.any(String) },
      history: [{ role: 'user', parts: [{ type: 'text', text: `hold ${message}` }] }],
      artifacts: [],
      metadata: { ...metadata, agentUrl },
      createdAt: expect.any(Number),
    });
    expect(Math.abs(Date.now() - task.createdAt)).toBeLessThan(60_000);
    const canceled = await call(ada, 'cancel', { taskId: task.id, reason: 'No longer needed' });
    expect(await canceled.json()).toMatchObject({
      id: task.id,
      status: { state: 'cancelled' },
      metadata: { ...metadata, agentUrl: `${slugUrl()}/a2a/rpc` },
    });
    const again = await call(ada, 'cancel', { taskId: task.id, agentUrl });
    expect(await again.json()).toMatchObject({ id: task.id, status: { state: 'cancelled' } });
    const read = await call(ada, `task?${new URLSearchParams({ taskId: task.id, agentUrl })}`);
    expect(await read.json()).toMatchObject({ status: { state: 'cancelled' }, metadata: { agentUrl } });
  });

  test('continues in its session, with all kinds of parts', async () => {
    const parts = [
      { type: 'text', text: 'echo' },
      { type: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'aGk=' } },
      { type: 'data', data: { a: 1 } },
    ];
    const message = { role: 'user', parts };
    const task = await toTask(await sendWith({ prefer: 'wait=20' }, { agentUrl: slugUrl(), message }));
    expect(task).toMatchObject({ status: { state: 'completed', message: { role: 'agent', parts: parts.slice(1) } } });
    const again = { agentUrl: slugUrl(), message: 'and then?', sessionId: task.sessionId };
    expect((await sendTask(ada, again)).sessionId).toBe(task.sessionId);
  });

  test('runs once per Idempotency-Key', async () => {
    const body = { agentUrl: urlOf(2), message: 'once' };
    const headers = { 'idempotency-key': newUuid() };
    const before = researchers[2]?.sends() ?? 0;
    const first = await toTask(await sendWith(headers, body));
    const second = await sendWith(headers, body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await second.json()) as object).toMatchObject({ id: first.id });
    await waitFor(() => researchers[2]?.sends() === before + 1, { what: 'one run' });
  });

  test('can be read in every dialect under the same id', async () => {
    const { id } = await toTask(await sendWith({ prefer: 'wait=20' }, { agentUrl: urlOf(), message: 'hello' }));
    const handshake = await send(`${parley.url}/api/auth/handshake`, {
      body: { agentSlug: slugs[0] },
      bearer: ada.accessToken,
    });
    const { token } = (await handshake.json()) as { token: string };
    const response = await fetch(`${slugUrl()}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } }),
    });
    expect(await response.json()).toMatchObject({ result: { id, status: { state: 'TASK_STATE_COMPLETED' } } });
  });
});

describe('an agent’s card for AgentOS', () => {
  test('has the members that AgentOS reads, at each of the agent’s addresses', async () => {
    const own = researchers[0]?.agent.url ?? '';
    const addresses = [own, `${own}/`, `${own}/a2a/rpc`, `${own}/rpc`, `${own}/.well-known/agent.json`];
    const here = ['', '/', '/a2a/rpc', '/a2a/jsonrpc', '/.well-known/agent-card.json'].map((path) => slugUrl() + path);
    for (const url of [...addresses, ...here]) {
      const response = await call(bob, 'discover', { url });
      expect({ url, status: response.status, body: await response.json() }).toMatchObject({
        url,
        status: 200,
        body: {
          discovered: true,
          card: { name: 'Research 1', url: `${slugUrl()}/a2a/rpc`, authentication: { schemes: ['bearer'] } },
        },
      });
    }
  });

  test('is visible only to the team if the agent is private', async () => {
    expect((await call(ada, 'discover', { url: secret.agent.url })).status).toBe(200);
  });

  test('is listed page by page, unless the agent is private', async () => {
    const names: string[] = [];
    let path = 'cards?limit=2';
    for (;;) {
      const response = await call(ada, path);
      const cards = (await response.json()) as { name: string; capabilities: { tools: unknown[] } }[];
      expect(cards.length).toBeLessThanOrEqual(2);
      for (const card of cards) expect(Array.isArray(card.capabilities.tools)).toBe(true);
      names.push(...cards.map(({ name }) => name));
      const next = /<.*\/api\/a2a\/([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      if (!next) break;
      path = next;
    }
    expect(names.filter((name) => name.startsWith('Research')).sort()).toEqual([
      'Research 1',
      'Research 2',
      'Research 3',
    ]);
    expect(names).not.toContain('Secret');
  });
});

describe('an AgentOS example', () => {
  /** AgentOS's `trigger`, by HTTP. Stands in for DNS: the names of the example are the addresses of our agents. */
  async function trigger(name: string, given: Record<string, unknown>): Promise<never> {
    const text = JSON.stringify(given).replace(
      /https:\/\/research-(\d)\.example\.com/g,
      (_name, n) => researchers[Number(n) - 1]?.agent.url ?? '',
    );
    const body = JSON.parse(text) as Record<string, string>;
    const path = name.replace('a2a::', '').replace('_task', '');
    const response = await (path === 'get' ? call(ada, `task?${new URLSearchParams(body)}`) : call(ada, path, body));
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    return (await response.json()) as never;
  }

  test('collects a result from each agent in “Multi-Agent Research”', { timeout: 30_000 }, async () => {
    // Discover available research agents
    const agents = [
      'https://research-1.example.com',
      'https://research-2.example.com',
      'https://research-3.example.com',
    ];

    const cards: { card: { name: string } }[] = await Promise.all(
      agents.map((url) => trigger('a2a::discover', { url })),
    );

    // Send parallel research tasks
    const tasks: AgentOsTask[] = await Promise.all(
      agents.map((url, i) =>
        trigger('a2a::send_task', {
          agentUrl: `${url}/a2a/rpc`,
          message: `Research aspect ${i + 1} of quantum computing`,
          metadata: { aspect: i + 1 },
        }),
      ),
    );

    // Poll for completion
    const results = [];
    for (const task of tasks) {
      let status: AgentOsTask = await trigger('a2a::get_task', {
        taskId: task.id,
        agentUrl: task.metadata.agentUrl,
      });

      while (status.status.state === 'working' || status.status.state === 'submitted') {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        status = await trigger('a2a::get_task', {
          taskId: task.id,
          agentUrl: task.metadata.agentUrl,
        });
      }

      if (status.status.state === 'completed') {
        results.push(status.status.message);
      }
    }

    expect(cards.map(({ card }) => card.name)).toEqual(['Research 1', 'Research 2', 'Research 3']);
    expect(tasks.map(({ metadata }) => metadata.aspect)).toEqual([1, 2, 3]);
    expect(results).toEqual(
      [1, 2, 3].map((n) => ({
        role: 'agent',
        parts: [{ type: 'text', text: `answer: Research aspect ${n} of quantum computing` }],
      })),
    );
  });

  test('works as documented with curl and no content type', async () => {
    const response = await fetch(`${parley.url}/api/a2a/discover`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify({ url: researchers[0]?.agent.url }),
    });
    expect(response.status).toBe(200);
  });
});
