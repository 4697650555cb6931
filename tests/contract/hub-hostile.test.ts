import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ScriptedWorker } from '../fakes/scripted-worker';
import { createPerson, message10, rpc, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';
import { basic, createApp, postForm } from './tokens-fixture';

let parley: SharedParley;
let agent: HubAgent;

beforeAll(async () => {
  parley = await sharedParley();
  agent = await listHubAgent(parley);
});

function open(): Promise<ScriptedWorker> {
  return ScriptedWorker.open({ url: parley.url, token: agent.token, agent: agent.slug });
}

async function closeOf(worker: ScriptedWorker): Promise<{ code: number; reason: string }> {
  return waitFor(() => worker.closed, { what: 'the connection to close' });
}

/** The status of an upgrade that the server rejects. */
function upgradeStatus(headers: Record<string, string>, path = '/ws/agents'): Promise<number> {
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${parley.url}${path}`, { headers: { ...upgrade, ...headers } });
    sent.on('response', (response) => resolve(response.statusCode ?? 0));
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the WebSocket upgrade', () => {
  test('returns 426 if it offers no subprotocol', async () => {
    const response = await fetch(`${parley.url}/ws/agents`);
    expect(response.status).toBe(426);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('is rejected for pages from another origin, for another host, and on another path', async () => {
    expect(await upgradeStatus({ origin: 'https://evil.example' })).toBe(403);
    expect(await upgradeStatus({ host: 'evil.example' })).toBe(421);
    expect(await upgradeStatus({}, '/ws/others')).toBe(404);
  });

  test.each([
    ['GET', '/api/agents', undefined],
    ['POST', '', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })],
  ])('does not apply to an offer of h2c: a %s request is served', async (method, path, body) => {
    // As Java's HttpClient offers it.
    const upgrade = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const call = { authorization: `Bearer ${agent.caller.token}`, 'content-type': 'application/json' };
    const headers = { ...upgrade, ...(body && { ...call, 'content-length': Buffer.byteLength(body) }) };
    const target = path ? `${parley.url}${path}` : agent.caller.url;
    const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const sent = request(target, { method, headers }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve([answer.statusCode, text]);
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect([status, Object.keys(JSON.parse(text))]).toEqual([200, expect.arrayContaining([body ? 'result' : 'items'])]);
  });
});

describe('a worker’s connection', () => {
  test('that does not begin with hub.hello is closed', async () => {
    const worker = await open();
    worker.notify('worker.state', { capacity: 3 });
    expect((await closeOf(worker)).code).toBe(4400);
  });

  test.each([
    ['text that is not JSON', 'nonsense'],
    ['a batch', '[]'],
    ['JSON that is not JSON-RPC', '{"method":"hub.hello"}'],
  ])('that sends %s is closed with 4400', async (_name, text) => {
    const worker = await open();
    worker.send(text);
    expect((await closeOf(worker)).code).toBe(4400);
  });

  test('is closed with 1007 for invalid UTF-8, and with 1009 for a frame over 1 MiB', async () => {
    const invalid = await open();
    // ws validates what it sends, so the frame is written by hand: final text frame, masked with zeros, one byte 0xff.
    Reflect.get(invalid.socket, '_socket').write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]));
    expect((await closeOf(invalid)).code).toBe(1007);
    const large = await open();
    large.send('x'.repeat(1_048_577));
    expect((await closeOf(large)).code).toBe(1009);
  });

  test('with an invalid hello receives an error that names the invalid member, and is closed', async () => {
    const worker = await open();
    worker.sayHello({ capacity: 1_000 });
    await closeOf(worker);
    expect(worker.hello?.error?.message).toContain('capacity');
  });
});

describe('permission to serve an agent', () => {
  test('requires a valid token with the scope, and a role in the agent’s team', async () => {
    const stranger = await createPerson(parley.url, 'Mallory');
    const theirs = await listHubAgent(parley);
    const cases = [
      { token: 'parley_pat_nonsense', code: 4401, reason: 'invalid_token' },
      { token: stranger.accessToken, code: 4401, reason: 'invalid_token' },
      { token: theirs.token, code: 4403, reason: 'not_your_agent' },
    ];
    for (const { token, code, reason } of cases) {
      const worker = await agent.worker({ token });
      expect(worker.hello?.error?.data?.reason).toBe(reason);
      expect((await closeOf(worker)).code).toBe(code);
    }
  });

  test('is granted to an app only for its own agent, and its token is accepted nowhere else', async () => {
    const owner = await createPerson(parley.url, 'Olga');
    const app = await createApp(parley.url, owner);
    const slug = `hub-app-${Date.now()}`;
    await send(`${parley.url}/api/agents`, { body: { hub: true, slug, appId: app.id }, bearer: owner.accessToken });
    const form = {
      grant_type: 'client_credentials',
      scope: 'agent:serve',
      resource: `${parley.url}/agents/${slug}/hub`,
    };
    const issued = await postForm(`${parley.url}/api/auth/token`, form, app);
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const worker = await ScriptedWorker.connect({ url: parley.url, token, agent: slug });
    expect(worker.hello?.result?.agent).toEqual({ slug, url: `${parley.url}/agents/${slug}` });
    expect(worker.hello?.result?.sessionId).toBeTruthy();
    const elsewhere = await agent.worker({ token });
    expect((await closeOf(elsewhere)).code).toBe(4403);
    const call = await rpc({ url: `${parley.url}/agents/${slug}/a2a/jsonrpc`, token }, 'ListTasks', {});
    expect(call.status).toBe(401);
    const other = await postForm(
      `${parley.url}/api/auth/token`,
      { ...form, resource: `${parley.url}/agents/${agent.slug}/hub` },
      app,
    );
    expect(await other.json()).toMatchObject({ error: 'invalid_target' });
    const introspected = await fetch(`${parley.url}/api/auth/introspect`, {
      method: 'POST',
      headers: { authorization: basic(app), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    });
    expect(await introspected.json()).toEqual({ active: false });
    await worker.close();
  });

  test('can be proved in the Authorization header, so that no frame contains the token', async () => {
    const worker = await ScriptedWorker.open({
      url: parley.url,
      token: agent.token,
      agent: agent.slug,
      headers: { authorization: `Bearer ${agent.token}` },
    });
    worker.sayHello({ token: undefined });
    await waitFor(() => worker.hello?.result, { what: 'the answer to hello' });
    await worker.close();
  });

  test('ends within a second if its token is revoked or the agent is withdrawn', async () => {
    const mine = await listHubAgent(parley);
    const worker = await mine.worker();
    const startedAt = performance.now();
    const tokens = await send(`${parley.url}/api/auth/access-tokens`, { cookie: mine.owner.cookie });
    const { items } = (await tokens.json()) as { items: { id: string; name: string }[] };
    const id = items.find(({ name }) => name === 'workers')?.id;
    await send(`${parley.url}/api/auth/access-tokens/${id}`, {
      method: 'DELETE',
      cookie: mine.owner.cookie,
      origin: parley.url,
    });
    expect((await closeOf(worker)).code).toBe(4401);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const gone = await listHubAgent(parley);
    const served = await gone.worker();
    await send(`${parley.url}/api/agents/${gone.slug}`, { method: 'DELETE', bearer: gone.owner.accessToken });
    expect((await closeOf(served)).code).toBe(4403);
  });

  test('is checked without logging the token', async () => {
    expect(await parley.output()).not.toContain(agent.token);
  });
});

describe('a worker', () => {
  test('cannot send events for another agent’s run, or for a run that it was not offered', async () => {
    const theirs = await listHubAgent(parley);
    const victim = await theirs.worker();
    victim.onStart = (run) => run.piece('mine');
    const sending = rpc(theirs.caller, 'SendMessage', message10('hello'));
    await waitFor(() => victim.started.length > 0, { what: 'the run' });
    const [offer] = victim.offers;
    const forger = await agent.worker();
    const item = { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } };
    forger.notify('run.event', { runId: offer?.runId, epoch: offer?.epoch, n: 2, item });
    await waitFor(() => forger.frames('run.gone').length > 0, { what: 'the refusal' });
    expect(forger.frames('run.gone')[0]?.params).toMatchObject({ reason: 'unknown_run' });
    const named = await agent.worker({ runs: [{ runId: offer?.runId ?? '', epoch: offer?.epoch ?? 0, sent: 0 }] });
    expect(named.hello?.result?.runs).toEqual([{ runId: offer?.runId, gone: true }]);
    victim.run(offer?.runId ?? '').status('COMPLETED', 'mine alone');
    expect(JSON.stringify((await sending).body)).toContain('mine alone');
    await Promise.all([victim.close(), forger.close(), named.close()]);
  });

  test('cannot name another task or context in its events', async () => {
    const worker = await agent.worker();
    worker.onStart = (run) => {
      run.event({
        task: { id: crypto.randomUUID(), contextId: 'elsewhere', status: { state: 'TASK_STATE_COMPLETED' } },
      });
    };
    const { body } = await rpc(agent.caller, 'SendMessage', message10('hello'));
    const { task } = body.result as { task: { id: string; contextId: string } };
    expect(task.contextId).not.toBe('elsewhere');
    const stored = await rpc(agent.caller, 'GetTask', { id: task.id });
    expect(stored.body.result).toMatchObject({ id: task.id });
    await worker.close();
  });

  test('that does not wait for acknowledgments is disconnected', async () => {
    const worker = await agent.worker();
    worker.onStart = (run) => {
      for (let n = 0; n < 5_000; n++) run.piece('x'.repeat(1_000));
    };
    const { body } = await rpc(agent.caller, 'SendMessage', message10('flood'));
    expect((await closeOf(worker)).code).toBe(4400);
    expect(JSON.stringify(body)).toContain('did not reconnect');
  });

  test('is disconnected if it skips an event number, and stays connected if it repeats one', async () => {
    const skipping = await agent.worker();
    skipping.onStart = (run) => run.piece('late', 3);
    const failing = rpc(agent.caller, 'SendMessage', message10('skip'));
    expect((await closeOf(skipping)).code).toBe(4400);
    await failing;
    const repeating = await agent.worker();
    repeating.onStart = (run) => {
      run.piece('a', 1);
      run.piece('a', 1);
      run.piece('b', 2);
      run.status('COMPLETED', undefined, 3);
    };
    const { body } = await rpc(agent.caller, 'SendMessage', message10('repeat'));
    const { task } = body.result as { task: { artifacts: { parts: { text: string }[] }[] } };
    expect(task.artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('')).toBe('ab');
    await repeating.close();
  });

  test('fails its run but stays connected if it sends an event other than an A2A StreamResponse', async () => {
    const worker = await agent.worker();
    worker.onStart = (run) => run.event({ nonsense: true });
    const { body } = await rpc(agent.caller, 'SendMessage', message10('hello'));
    expect(JSON.stringify(body)).toContain('StreamResponse');
    expect(worker.closed).toBeNull();
    await worker.close();
  });

  test('replaces its first connection if it connects twice under one id', async () => {
    const first = await agent.worker();
    const second = await agent.worker({ workerId: first.workerId });
    expect((await closeOf(first)).code).toBe(4409);
    expect(second.closed).toBeNull();
    await second.close();
  });

  test('receives a stop request if its run is canceled, and its late events are ignored', async () => {
    const worker = await agent.worker();
    worker.onStart = (run) => run.piece('begun');
    const sending = rpc(agent.caller, 'SendMessage', {
      ...message10('long'),
      configuration: { returnImmediately: true },
    });
    const { task } = (await sending).body.result as { task: { id: string } };
    await waitFor(() => worker.started.length > 0, { what: 'the run' });
    const { body } = await rpc(agent.caller, 'CancelTask', { id: task.id });
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    expect(worker.frames('run.cancel')).not.toEqual([]);
    worker.run(worker.started[0] ?? '').status('COMPLETED', 'too late');
    await sleep(200);
    const stored = await rpc(agent.caller, 'GetTask', { id: task.id });
    expect(stored.body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await worker.close();
  });

  test('is rejected if twenty workers of the agent are connected', async () => {
    const busy = await listHubAgent(parley);
    const workers = await Promise.all(Array.from({ length: 20 }, () => busy.worker()));
    const last = await busy.worker();
    expect(last.hello?.error?.data).toMatchObject({ reason: 'too_many_workers', retryable: true });
    expect((await closeOf(last)).code).toBe(4429);
    await Promise.all(workers.map((worker) => worker.close()));
  });
});
