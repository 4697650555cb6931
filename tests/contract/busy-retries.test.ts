import { createClient, type Retry, type StreamEvent } from '@parley/agent';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { freePort } from '@/scripts/processes.mjs';
import { BusyFront } from '../fakes/busy-front';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { CommandLine } from '../support/cli';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

const busy = { status: 503, retryAfter: '1' };
const limited = { status: 429, retryAfter: '1' };
const call = '/a2a/jsonrpc';

let agent: ScriptedAgent;
let parley: SharedParley;
let front: BusyFront;
let url: string;
let person: Person;
let slug: string;
let retries: Retry[] = [];
const onRetry = (retry: Retry): void => void retries.push(retry);

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  parley = await sharedParley();
  front = await BusyFront.start(port, () => parley.url);
  person = await createPerson(parley.url, 'Ada');
  slug = await listAgent(parley.url, person, { url: agent.url });
});

beforeEach(() => {
  agent.received.length = 0;
  retries = [];
});

afterAll(async () => {
  front?.stop();
  await agent?.stop();
});

/** Its calls pass through the busy server, for any URL that Parley names. */
function client(options: { maxRetries?: number } = {}) {
  const through = (address: string, init: RequestInit) => fetch(address.replace(parley.url, url), init);
  return createClient({ url, accessToken: person.accessToken, fetch: through, onRetry, ...options });
}

const messages = (): string[] => agent.received.flatMap(({ params }) => params.message?.messageId ?? []);

describe('a client of a busy Parley server', () => {
  it('retries a message after the Retry-After delay, and the agent receives it once', async () => {
    front.reject(call, busy, limited);
    const result = await client().send(slug, 'hi');
    expect(result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(front.count(call)).toBe(3);
    expect(messages()).toHaveLength(1);
    expect(retries.map(({ error }) => error.status)).toEqual([503, 429]);
    for (const { waitMs } of retries) expect(waitMs >= 1_000 && waitMs < 1_500).toBe(true);
  });

  it('retries a message whose response was lost, and the agent receives it once', async () => {
    front.reject(call, { ...busy, isProcessed: true });
    const result = await client().send(slug, 'hi');
    expect(result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(front.count(call)).toBe(2);
    expect(messages()).toHaveLength(1);
  });

  it('retries a message after the delay in a busy agent’s Retry-After header', async () => {
    agent.answer(({ response }) => void response.writeHead(503, { 'retry-after': '3600' }).end());
    await expect(client().send(slug, 'hi')).rejects.toMatchObject({ retryAfter: 3600 });
    agent.received.length = 0;
    let rejections = 2;
    agent.answer(({ response, received, json }) => {
      rejections -= 1;
      const at = rejections === 1 ? '1' : new Date(Date.now() + 1_000).toUTCString();
      if (rejections >= 0) return void response.writeHead(503, { 'retry-after': at }).end();
      const task = { kind: 'task', id: newUuid(), contextId: newUuid(), status: { state: 'completed' } };
      json({ jsonrpc: '2.0', id: received.id, result: task });
    });
    const result = await client().send(slug, 'hi');
    expect(result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(new Set(messages()).size).toBe(1);
    expect(retries.map(({ error }) => error.code)).toEqual(['invalid_agent_response', 'invalid_agent_response']);
  });

  it('retries handshakes and streams', async () => {
    front.reject('/api/auth/handshake', busy);
    const asking = client();
    await asking.handshake(slug);
    expect(front.count('/api/auth/handshake')).toBe(2);
    front.reject(call, busy);
    const events: StreamEvent[] = [];
    for await (const event of asking.stream(slug, 'hi')) events.push(event);
    expect(events.length).toBeGreaterThan(0);
    expect(messages()).toHaveLength(1);
  });

  it('does not retry a message that could run twice or would have to wait for long', async () => {
    const asking = client();
    await asking.handshake(slug);
    front.reject(call, busy);
    await expect(asking.send(slug, { text: 'hi', messageId: 'mine' })).rejects.toMatchObject({ status: 503 });
    expect(front.count(call)).toBe(1);
    for (const rejection of [{ status: 429, retryAfter: '3600' }, { status: 503 }, { status: 500, retryAfter: '1' }]) {
      front.reject(call, rejection);
      await expect(asking.send(slug, 'hi')).rejects.toMatchObject({ status: rejection.status });
      expect(front.count(call)).toBe(1);
    }
  });

  it('gives up after the given number of retries', async () => {
    const asking = client({ maxRetries: 1 });
    await asking.handshake(slug);
    front.reject(call, busy, busy, busy);
    await expect(asking.send(slug, 'hi')).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    expect(front.count(call)).toBe(2);
  });

  it('stops waiting if its caller cancels', async () => {
    for (const path of ['/api/auth/handshake', call]) {
      const asking = client();
      front.reject(path, { status: 503, retryAfter: '30' });
      const caller = new AbortController();
      const sent = asking.send(slug, 'hi', { signal: caller.signal });
      await waitFor(() => retries.length > 0, { what: 'the wait' });
      caller.abort(new Error('enough'));
      await expect(sent).rejects.toThrow('enough');
      retries = [];
    }
    expect(messages()).toHaveLength(0);
  });
});

describe('the command line with a busy Parley server', () => {
  it('reports that the server is busy and retries, but resends no message that could run twice', async () => {
    const cli = new CommandLine({ PARLEY_API_URL: url, PARLEY_TOKEN: person.accessToken });
    try {
      front.reject('', busy);
      const found = await cli.run(['apps', 'list', '--json']);
      expect(found.code).toBe(0);
      expect(found.stderr).toMatch(/^Parley is busy; trying again in [12] s\.$/m);
      front.reject('/api/apps', busy);
      const created = await cli.run(['apps', 'create', newUuid()]);
      expect(created.code).not.toBe(0);
      expect(front.count('/api/apps')).toBe(1);
    } finally {
      cli.remove();
    }
  });
});
