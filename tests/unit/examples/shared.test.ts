import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ListTasksRequest, type Task, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { BoundedMap } from '@/examples/agents/shared/bounded-map';
import { EnvironmentError, readEnvironment } from '@/examples/agents/shared/environment';
import { createIntrospector, IntrospectionUnavailable } from '@/examples/agents/shared/introspect';
import { ParleyUser } from '@/examples/agents/shared/require-caller';
import { CappedTaskStore } from '@/examples/agents/shared/task-store';

const complete = {
  PORT: '4001',
  PUBLIC_URL: 'http://localhost:4001/',
  PARLEY_URL: 'https://parley.example',
  PARLEY_CLIENT_ID: 'app_1',
  PARLEY_CLIENT_SECRET: 'secret',
};

describe('the environment of an agent', () => {
  it('is read with its defaults', () => {
    expect(readEnvironment(complete)).toEqual({
      host: '127.0.0.1',
      port: 4001,
      publicUrl: 'http://localhost:4001',
      parleyUrl: 'https://parley.example',
      clientId: 'app_1',
      clientSecret: 'secret',
      audience: null,
      buildId: 'dev',
    });
  });

  it('names all that is missing in one line', () => {
    const { PORT, PARLEY_URL, ...rest } = complete;
    expect([PORT, PARLEY_URL]).toHaveLength(2);
    expect(() => readEnvironment({ ...rest, PARLEY_CLIENT_ID: '' })).toThrow(
      new EnvironmentError('missing PORT, PARLEY_URL, PARLEY_CLIENT_ID; set them and start again'),
    );
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'localhost:4001'],
    ['PUBLIC_URL', 'http://localhost/agent'],
    ['PARLEY_URL', 'ftp://parley.example'],
  ])('refuses %s=%s and says what it expected', (name, value) => {
    expect(() => readEnvironment({ ...complete, [name]: value })).toThrow(
      new RegExp(`^${name} is "${value}"; expected `),
    );
  });
});

describe('a bounded map', () => {
  it('forgets what was not used for longest', () => {
    const map = new BoundedMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });

  it('never weighs more than its limit', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), weight: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = new BoundedMap<number>(10);
        for (const { key, weight } of steps) {
          map.set(key, weight, weight);
          expect([...map.values()].reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(10);
          expect(map.get(key)).toBe(weight > 10 ? undefined : weight);
        }
      }),
    );
  });
});

/** A Parley that answers introspection with what it is told to. */
class FakeParley {
  readonly asked: { authorization: string | undefined; contentType: string | undefined; form: URLSearchParams }[] = [];
  answer: { status?: number; body: unknown } = { body: { active: false } };
  private readonly servers: Server[] = [];

  async start(): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { authorization, 'content-type': contentType } = request.headers;
      this.asked.push({ authorization, contentType, form: new URLSearchParams(Buffer.concat(chunks).toString()) });
      response.statusCode = this.answer.status ?? 200;
      response.end(typeof this.answer.body === 'string' ? this.answer.body : JSON.stringify(this.answer.body));
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const server of this.servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

const parley = new FakeParley();
afterEach(() => parley.stop());

const NOW = 1_800_000_000_000;
const good = {
  active: true,
  sub: 'u1',
  client_id: 'parley-web',
  scope: 'agent:call profile',
  aud: 'https://p/agents/x',
  exp: NOW / 1000 + 900,
};

async function introspector(options: { audience?: string; now?: () => number } = {}) {
  const parleyUrl = await parley.start();
  parley.asked.length = 0;
  return createIntrospector({
    parleyUrl,
    clientId: 'app:1',
    clientSecret: 's%c',
    audience: options.audience ?? null,
    now: options.now ?? (() => NOW),
  });
}

describe('asking Parley who is calling', () => {
  it('sends the token as a form, with our credentials encoded as RFC 6749 wants', async () => {
    const introspect = await introspector();
    parley.answer = { body: good };
    await introspect('t+1');
    expect(parley.asked).toEqual([
      {
        authorization: `Basic ${Buffer.from('app%3A1:s%25c').toString('base64')}`,
        contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
        form: new URLSearchParams({ token: 't+1', token_type_hint: 'access_token' }),
      },
    ]);
  });

  it('gives the caller that the answer names', async () => {
    const introspect = await introspector({ audience: 'https://p/agents/x' });
    parley.answer = { body: good };
    expect(await introspect('t')).toEqual({
      subject: 'u1',
      clientId: 'parley-web',
      scopes: ['agent:call', 'profile'],
      expiresAt: good.exp,
      claims: good,
    });
  });

  it.each([
    ['not active', { ...good, active: false }],
    ['active in name only', { ...good, active: 'true' }],
    ['of nobody', { ...good, sub: '' }],
    ['without an end', { ...good, exp: undefined }],
    ['expired', { ...good, exp: NOW / 1000 }],
    ['made for another agent', { ...good, aud: 'https://p/agents/y' }],
    ['made for nobody', { ...good, aud: undefined }],
    ['no object', null],
  ])('lets nobody in with a token that is %s', async (_name, body) => {
    const introspect = await introspector({ audience: 'https://p/agents/x' });
    parley.answer = { body };
    expect(await introspect('t')).toBeNull();
  });

  it('remembers a good answer for thirty seconds, and a bad one not at all', async () => {
    let now = NOW;
    const introspect = await introspector({ now: () => now });
    parley.answer = { body: good };
    await introspect('t');
    now += 29_999;
    await introspect('t');
    expect(parley.asked).toHaveLength(1);
    now += 1;
    parley.answer = { body: { active: false } };
    expect(await introspect('t')).toBeNull();
    expect(await introspect('t')).toBeNull();
    expect(parley.asked).toHaveLength(3);
  });

  it('forgets a good answer when the token expires', async () => {
    let now = NOW;
    const introspect = await introspector({ now: () => now });
    parley.answer = { body: { ...good, exp: NOW / 1000 + 10 } };
    await introspect('t');
    now += 10_000;
    expect(await introspect('t')).toBeNull();
    expect(parley.asked).toHaveLength(2);
  });

  it.each([
    ['an error', { status: 500, body: good }],
    ['a refusal of our credentials', { status: 401, body: {} }],
    ['no JSON', { body: '<html>' }],
  ])('knows nothing when Parley answers with %s', async (_name, answer) => {
    const introspect = await introspector();
    parley.answer = answer;
    await expect(introspect('t')).rejects.toBeInstanceOf(IntrospectionUnavailable);
  });

  it('knows nothing when Parley cannot be reached', async () => {
    const introspect = await introspector();
    await parley.stop();
    await expect(introspect('t')).rejects.toBeInstanceOf(IntrospectionUnavailable);
  });
});

describe('the tasks of an agent', () => {
  const contextOf = (subject: string) =>
    new ServerCallContext({ user: new ParleyUser({ subject, clientId: '', scopes: [], expiresAt: 0, claims: {} }) });
  const task = (id: string, padding = 0): Task => ({
    id,
    contextId: 'c',
    status: {
      state: TaskState.TASK_STATE_WORKING,
      message: undefined,
      timestamp: `2026-11-20T12:00:0${id.length % 10}.000Z`,
    },
    artifacts: [],
    history: [],
    metadata: { padding: 'x'.repeat(padding) },
  });
  const everything: ListTasksRequest = {
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined,
  };

  it('are seen by their caller alone', async () => {
    const store = new CappedTaskStore(10_000);
    await store.save(task('t1'), contextOf('ada'));
    expect(await store.load('t1', contextOf('ada'))).toEqual(task('t1'));
    expect(await store.load('t1', contextOf('bob'))).toBeUndefined();
    expect((await store.list(everything, contextOf('ada'))).totalSize).toBe(1);
    expect((await store.list(everything, contextOf('bob'))).totalSize).toBe(0);
  });

  it('are forgotten, the oldest first, when they take too much memory', async () => {
    const store = new CappedTaskStore(10_000);
    for (const id of ['a', 'b', 'c']) await store.save(task(id, 4_000), contextOf('ada'));
    expect(await store.load('a', contextOf('ada'))).toBeUndefined();
    expect(await store.load('c', contextOf('ada'))).toBeDefined();
  });

  it('do not change when whoever saved or loaded them changes their copy', async () => {
    const store = new CappedTaskStore(10_000);
    const saved = task('t1');
    await store.save(saved, contextOf('ada'));
    saved.contextId = 'other';
    const loaded = await store.load('t1', contextOf('ada'));
    if (loaded) loaded.contextId = 'other';
    expect((await store.load('t1', contextOf('ada')))?.contextId).toBe('c');
  });
});
