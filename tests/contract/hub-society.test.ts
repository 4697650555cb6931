import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SocietyClient } from '../fakes/society-client';
import { connectTo, createPerson, message10, type Person, post, readEvents, rpc, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { listHubAgent, serveToken } from './hub-fixture';

interface TaskView {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { artifactId: string; parts: { text?: string; data?: unknown }[] }[];
}

let parley: Parley;
let owner: Person;
let apiKey: string;
let names = 0;

beforeAll(async () => {
  parley = await startParley({ env: { HUB_GRACE_SECONDS: '2', LOG_LEVEL: 'debug' } });
  owner = await createPerson(parley.url, 'Sophie');
  apiKey = await serveToken(parley.url, owner);
});

afterAll(async () => {
  await parley?.stop();
});

function agentToken(body: object): Promise<Response> {
  return send(`${parley.url}/auth/agent-token`, { body });
}

async function exchange(key = apiKey): Promise<string> {
  const response = await agentToken({ api_key: key });
  return ((await response.json()) as { token: string }).token;
}

function newName(): string {
  names += 1;
  return `society-${process.pid}-${names}`;
}

/** A registered client of a new agent, and its owner's connection as a caller. */
async function newAgent(): Promise<{ name: string; client: SocietyClient; ask: (text: string) => Promise<TaskView> }> {
  const name = newName();
  const client = await SocietyClient.register(parley.url, { name, token: await exchange() });
  const caller = await connectTo(parley.url, owner, name);
  const ask = async (text: string): Promise<TaskView> => {
    const { body } = await rpc(caller, 'SendMessage', message10(text));
    if (body.error) throw new Error(JSON.stringify(body.error));
    return (body.result as { task: TaskView }).task;
  };
  return { name, client, ask };
}

function textOf({ artifacts = [] }: TaskView): string {
  return artifacts.flatMap(({ parts }) => parts.map(({ text = '' }) => text)).join('');
}

describe('the token for an API key', () => {
  test('is valid for 15 minutes, and requires an access token with or without Society’s prefix', async () => {
    for (const key of [apiKey, `sai_${apiKey}`]) {
      const response = await agentToken({ api_key: key });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ token: expect.stringMatching(/^ey/), expires_in: 900 });
    }
  });

  test('is rejected with 401 for a wrong key, 403 for a key without the scope, and 400 for no key', async () => {
    expect((await agentToken({ api_key: 'sai_wrong' })).status).toBe(401);
    expect((await agentToken({ api_key: owner.accessToken })).status).toBe(403);
    expect((await agentToken({})).status).toBe(400);
  });

  test('is rejected by every other endpoint', async () => {
    const token = await exchange();
    expect((await send(`${parley.url}/api/auth/handshake`, { body: { agentSlug: 'x' }, bearer: token })).status).toBe(
      401,
    );
  });
});

describe('registration over Society’s protocol', () => {
  test('lists an unused name for the token’s owner, as private unless public is requested', async () => {
    for (const [visibility, expected] of [
      ['private', 'private'],
      ['public', 'public'],
      ['unlisted', 'private'],
    ]) {
      const name = newName();
      const client = await SocietyClient.open(parley.url);
      const result = await client.registerAs({ name, token: await exchange(), visibility });
      expect(result).toEqual({ registered: true, agent_id: name });
      const listed = await send(`${parley.url}/api/agents/${name}`, { bearer: owner.accessToken });
      expect(await listed.json()).toMatchObject({ slug: name, visibility: expected });
      await client.close();
    }
  });

  test('reads the token from the URL, and never logs it', async () => {
    const token = await exchange();
    const client = await SocietyClient.open(parley.url, `?token=${token}`);
    expect(await client.registerAs({ name: newName() })).toMatchObject({ registered: true });
    const other = await SocietyClient.open(parley.url, `?token=${apiKey}`);
    expect(await other.registerAs({ name: newName() })).toMatchObject({ registered: false });
    expect(parley.output()).not.toContain(token.slice(-40));
    expect(parley.output()).not.toContain(apiKey);
    await Promise.all([client.close(), other.close()]);
  });

  test('is rejected with a result whose text makes clients stop', async () => {
    const { slug } = await listHubAgent(parley);
    const client = await SocietyClient.open(parley.url);
    const token = await exchange();
    const refusals = [
      { name: slug, token, error: /owned by another user/ },
      { name: 'Not.A_Slug', token, error: /routing id mismatch/i },
      { name: newName(), token: 'ey.wrong.token', error: /unknown, expired or revoked/ },
      { name: newName(), token: undefined, error: /unknown, expired or revoked/ },
      { name: newName(), token: owner.accessToken, error: /scope "agents:serve"/ },
    ];
    for (const { error, ...identity } of refusals) {
      expect(await client.registerAs(identity)).toEqual({ registered: false, error: expect.stringMatching(error) });
    }
    expect((await client.request('agent.register', {})).result).toMatchObject({ registered: false });
    const taken = await send(`${parley.url}/api/agents/${slug}`, { bearer: owner.accessToken });
    expect(await taken.json()).not.toMatchObject({ visibility: 'private' });
    expect(client.received.filter(({ error }) => error)).toEqual([]);
    await client.close();
  });

  test('is required for all other requests, which are otherwise rejected with a result', async () => {
    const client = await SocietyClient.open(parley.url);
    const search = await client.request('agent.search', { query: 'anything', limit: 5 });
    expect(search.result).toMatchObject({ error: true, message: expect.stringContaining('Register') });
    await client.close();
  });

  test('follows a greeting that contains the connection id', async () => {
    const client = await SocietyClient.open(parley.url);
    expect(client.frames('connection.established')[0]?.params).toEqual({ connection_id: expect.any(String) });
    expect(client.received).toHaveLength(1);
    await client.close();
  });

  test('is allowed once per connection, and a second one is rejected', async () => {
    const { name, client } = await newAgent();
    const again = await client.registerAs({ name, token: await exchange() });
    expect(again).toEqual({ registered: false, error: expect.any(String) });
    await client.close();
  });

  test('accepts heartbeats from a client without a subprotocol', async () => {
    const { client } = await newAgent();
    client.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'heartbeat', params: {} }));
    await waitFor(() => client.frames('heartbeat_ack').length > 0, { what: 'the answer' });
    await client.close();
  });

  test('ends within a second after the key is revoked', async () => {
    const leaving = await createPerson(parley.url, 'Lea');
    const key = await serveToken(parley.url, leaving);
    const client = await SocietyClient.register(parley.url, { name: newName(), token: await exchange(key) });
    const listed = await send(`${parley.url}/api/auth/access-tokens`, { cookie: leaving.cookie });
    const { items } = (await listed.json()) as { items: { id: string; name: string }[] };
    const id = items.find(({ name }) => name === 'workers')?.id;
    const path = `/api/auth/access-tokens/${id}`;
    await send(`${parley.url}${path}`, { method: 'DELETE', cookie: leaving.cookie, origin: parley.url });
    await waitFor(() => client.closed?.code === 4401, { timeout: 1_500, what: 'the connection to close' });
    expect((await agentToken({ api_key: key })).status).toBe(401);
  });
});

describe('a task sent to a Society client', () => {
  test('arrives with its text and session, and without the caller’s metadata', async () => {
    const { name, client } = await newAgent();
    client.onTask = ({ id }) => client.complete(id, 'ok');
    const caller = await connectTo(parley.url, owner, name);
    const params = { ...message10('hello'), metadata: { from_supervisor: 'me', company_id: 'c' } };
    const { body } = await rpc(caller, 'SendMessage', params);
    const { task } = body.result as { task: TaskView };
    const [sent] = client.tasks;
    expect(sent).toMatchObject({ id: task.id, message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } });
    expect(Object.keys(sent?.metadata ?? {})).toEqual(['chat_id']);
    expect(sent?.metadata.chat_id).toBe(sent?.sessionId);
    await client.close();
  });

  test('arrives with its data and files as typed parts', async () => {
    const { name, client } = await newAgent();
    client.onTask = ({ id }) => client.complete(id, 'ok');
    const caller = await connectTo(parley.url, owner, name);
    const file = { url: 'https://example.com/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' };
    const parts = [{ text: 'read' }, { data: { n: 1 } }, file];
    await rpc(caller, 'SendMessage', message10('', { parts }));
    expect(client.tasks[0]?.message.parts).toEqual([
      { type: 'text', text: 'read' },
      { type: 'data', data: { n: 1 } },
      { type: 'file', file: { uri: file.url, mimeType: file.mediaType, name: file.filename } },
    ]);
    await client.close();
  });

  test('joins text chunks with the final whole text, whether it is equal, extended, different or truncated', async () => {
    const { client, ask } = await newAgent();
    const cut = 'one\n\n... (truncated; original 7 chars)';
    const endings = { equal: 'one two', extended: 'one two three', different: 'another answer', none: '', cut };
    client.onTask = ({ id, message }) => {
      for (const text of ['one', ' ', 'two']) client.piece(id, text);
      client.complete(id, endings[message.parts[0]?.text as keyof typeof endings]);
    };
    for (const [kind, whole] of Object.entries(endings)) {
      const task = await ask(kind);
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(textOf(task)).toBe(['none', 'cut'].includes(kind) ? 'one two' : whole);
    }
    await client.close();
  });

  test('has the whole text once if there are no chunks', async () => {
    const { client, ask } = await newAgent();
    client.onTask = ({ id }) => client.complete(id, 'all of it');
    const task = await ask('hi');
    expect(textOf(task)).toBe('all of it');
    expect(JSON.stringify(task).split('all of it')).toHaveLength(2);
    await client.close();
  });

  test('streams chunks in order as they arrive, even if many arrive together', async () => {
    const { name, client } = await newAgent();
    const pieces = Array.from({ length: 2_000 }, (_, at) => `${at};`);
    client.onTask = ({ id }) => {
      for (const text of pieces) client.piece(id, text);
      client.complete(id, pieces.join(''));
    };
    const caller = await connectTo(parley.url, owner, name);
    const params = message10('count');
    const events = await readEvents(
      await post(caller, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params }),
    );
    const texts = events.flatMap(({ data }) => {
      const { result } = data as { result: { artifactUpdate?: { artifact: { parts: { text: string }[] } } } };
      return result.artifactUpdate?.artifact.parts.map(({ text }) => text) ?? [];
    });
    expect(texts.join('')).toBe(pieces.join(''));
    expect(client.closed).toBeNull();
    await client.close();
  });

  test('merges a data part with a later part of the same component and id', async () => {
    const { client, ask } = await newAgent();
    const tool = (id: string, status: string, more: object = {}): object => {
      return { type: 'data', data: { component: 'tool_execution', id, payload: { tool_id: id, status, ...more } } };
    };
    client.onTask = ({ id }) => {
      client.status(id, tool('a', 'running', { args: '$ ls' }));
      client.status(id, tool('b', 'running'), tool('a', 'success'));
      client.complete(id, 'done');
    };
    const { artifacts = [] } = await ask('work');
    const data = artifacts.flatMap(({ parts }) => parts.flatMap(({ data }) => (data ? [data] : [])));
    expect(data).toMatchObject([
      { id: 'a', payload: { status: 'success', args: '$ ls' } },
      { id: 'b', payload: { status: 'running' } },
    ]);
    await client.close();
  });

  test('accepts artifacts, whole or in chunks', async () => {
    const { client, ask } = await newAgent();
    client.onTask = ({ id }) => {
      for (const text of ['a', 'b']) {
        const artifact = { index: 1, name: 'report', parts: [{ type: 'text', text }], append: text === 'b' };
        client.send('task.artifact', { task_id: id, artifact });
      }
      client.complete(id, '');
    };
    const { artifacts = [] } = await ask('report');
    expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(['artifact-1']);
    expect(artifacts[0]?.parts.map(({ text }) => text).join('')).toBe('ab');
    await client.close();
  });

  test('fails with the text as its reason, which does not repeat the chunks', async () => {
    const { client, ask } = await newAgent();
    client.onTask = ({ id }) => {
      client.piece(id, 'half');
      client.complete(id, 'half, then an error', 'failed');
    };
    const task = await ask('hi');
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: ', then an error' }] },
    });
    expect(textOf(task)).toBe('half');
    await client.close();
  });

  test('ends immediately if it is canceled, and late frames are dropped', async () => {
    const { name, client } = await newAgent();
    const caller = await connectTo(parley.url, owner, name);
    const configuration = { returnImmediately: true };
    const sent = await rpc(caller, 'SendMessage', { ...message10('long'), configuration });
    const { task } = sent.body.result as { task: TaskView };
    await waitFor(() => client.tasks.length > 0, { what: 'the task' });
    client.piece(task.id, 'begun');
    const startedAt = Date.now();
    const canceled = await rpc(caller, 'CancelTask', { id: task.id });
    expect(canceled.body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    expect(Date.now() - startedAt).toBeLessThan(1_500);
    await waitFor(
      async () => {
        const status = { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'too late' }] } };
        const late = await client.request('task.complete', { task_id: task.id, status, final: true });
        return late.result?.accepted === false;
      },
      { what: 'late frames to be dropped' },
    );
    const read = await rpc(caller, 'GetTask', { id: task.id });
    expect(read.body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    expect(JSON.stringify(read.body)).not.toContain('too late');
    await client.close();
  });

  test('cannot be answered if it belongs to another agent', async () => {
    const victim = await newAgent();
    const intruder = await newAgent();
    const asking = victim.ask('secret');
    await waitFor(() => victim.client.tasks.length > 0, { what: 'the task' });
    const [task] = victim.client.tasks;
    const status = { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'forged' }] } };
    const forged = await intruder.client.request('task.complete', { task_id: task?.id, status, final: true });
    expect(forged.result).toMatchObject({ accepted: false });
    victim.client.complete(task?.id ?? '', 'genuine');
    expect(textOf(await asking)).toBe('genuine');
    await Promise.all([victim.client.close(), intruder.client.close()]);
  });
});

describe('a client whose connection closes', () => {
  test('receives no task until it reconnects, and loses its task if it does not', async () => {
    const { name, client, ask } = await newAgent();
    const asking = ask('hello');
    await waitFor(() => client.tasks.length > 0, { what: 'the task' });
    await client.close();
    const again = await SocietyClient.register(parley.url, { name, token: await exchange() });
    const task = await asking;
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).toContain('did not reconnect');
    expect(again.tasks).toEqual([]);
    await again.close();
  });

  test('can finish its task if it reconnects within the grace period', async () => {
    const { name, client, ask } = await newAgent();
    const asking = ask('hello');
    await waitFor(() => client.tasks.length > 0, { what: 'the task' });
    const [task] = client.tasks;
    client.piece(task?.id ?? '', 'one, ');
    await client.request('task.status', { task_id: task?.id, status: { state: 'working' }, final: false });
    await client.close();
    const again = await SocietyClient.register(parley.url, { name, token: await exchange() });
    again.complete(task?.id ?? '', 'one, two');
    expect(textOf(await asking)).toBe('one, two');
    expect(again.tasks).toEqual([]);
    await again.close();
  });
});

describe('another agent', () => {
  test('is found by the same search as in the market', async () => {
    const word = `zeppelin${process.pid}`;
    const skill = { id: 'fly', name: `Fly a ${word}`, description: 'Flies', tags: ['air'] };
    const card = { name: 'Pilot', description: 'Flies things', version: '1.0.0', skills: [skill] };
    const { slug } = await listHubAgent(parley, { card, visibility: 'public' });
    const { client } = await newAgent();
    const found = await client.request('agent.search', { query: word, limit: 5 });
    expect(found.result?.agents).toMatchObject([
      {
        name: slug,
        description: 'Flies things',
        skills: [{ id: 'fly' }],
        best_skill_id: 'fly',
        score: expect.any(Number),
      },
    ]);
    const refused = await client.request('agent.search', { query: ' ', limit: 5 });
    expect(refused.result).toMatchObject({ error: true, message: expect.stringContaining('query') });
    const many = await client.request('agent.search', { query: word, limit: 1_000 });
    expect(many.result?.agents).toHaveLength(1);
    await client.close();
  });

  test('is called as the agent’s app, with an immediate response and the result as a notification', async () => {
    const { name, client } = await newAgent();
    const created = await send(`${parley.url}/api/apps`, {
      body: { name: 'Society' },
      cookie: owner.cookie,
      origin: parley.url,
    });
    const { id: appId } = (await created.json()) as { id: string };
    const body = { appId };
    await send(`${parley.url}/api/agents/${name}`, { method: 'PATCH', body, bearer: owner.accessToken });
    const helper = await listHubAgent(parley, { visibility: 'public' });
    const worker = await helper.worker();
    worker.onStart = (run) => {
      run.piece(`You said ${run.text}`);
      run.status('COMPLETED');
    };
    const params = { agent_id: helper.slug, message: 'hello', skill_id: 'chat' };
    const ack = await client.request('agent.send_task', params);
    expect(ack.result).toMatchObject({ accepted: true, task_id: expect.any(String) });
    const result = await waitFor(() => client.frames('delegation.result')[0], { what: 'the result' });
    expect(result.params).toMatchObject({ original_id: ack.id, text: 'You said hello', status: 'completed' });
    expect(result.params?.session_id).toBe(ack.result?.session_id);
    expect(result).toMatchObject({
      method: 'delegation.result',
      params: { metadata: { task_id: ack.result?.task_id } },
    });
    expect(result.id).toBeUndefined();
    worker.onStart = (run) => run.status('FAILED', 'I cannot');
    const next = await client.request('agent.send_task', { ...params, session_id: ack.result?.session_id });
    expect(next.result?.session_id).toBe(ack.result?.session_id);
    const failed = await waitFor(() => client.frames('delegation.result')[1], { what: 'the second result' });
    expect(failed.params).toMatchObject({ original_id: next.id, text: 'I cannot', status: 'failed' });
    const missing = await client.request('agent.send_task', { ...params, agent_id: 'nobody-at-all' });
    expect(missing.result).toMatchObject({ error: true, code: 'agent_not_found' });
    await Promise.all([client.close(), worker.close()]);
  });

  test('cannot be called by an agent without an app, and the result gives the reason', async () => {
    const { client } = await newAgent();
    const refused = await client.request('agent.send_task', { agent_id: 'someone', message: 'hi', skill_id: 'chat' });
    expect(refused.result).toMatchObject({ error: true, message: expect.stringContaining('has no developer app') });
    await client.close();
  });
});
