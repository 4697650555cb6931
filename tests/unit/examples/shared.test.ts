import { type ListTasksRequest, type Task, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { Caller } from '@parley/agent';
import { describe, expect, it } from 'vitest';
import { EnvironmentError, readEnvironment } from '@/examples/agents/shared/environment';
import { ParleyUser } from '@/examples/agents/shared/parley-user';
import { CappedTaskStore } from '@/examples/agents/shared/task-store';

const complete = {
  PORT: '4001',
  PUBLIC_URL: 'http://localhost:4001/',
  PARLEY_URL: 'https://parley.example',
  PARLEY_CLIENT_ID: 'app_1',
  PARLEY_CLIENT_SECRET: 'secret',
};

describe('an agent’s environment', () => {
  it('is read with its defaults', () => {
    expect(readEnvironment('pizzeria', complete)).toEqual({
      host: '127.0.0.1',
      port: 4001,
      publicUrl: 'http://localhost:4001',
      parleyUrl: 'https://parley.example',
      clientId: 'app_1',
      clientSecret: 'secret',
      agent: 'pizzeria',
      buildId: 'dev',
      merchantKey: null,
      playsTricks: false,
    });
  });

  it('lists all missing variables in one line of its error', () => {
    const { PORT, PARLEY_URL, ...rest } = complete;
    expect([PORT, PARLEY_URL]).toHaveLength(2);
    expect(() => readEnvironment('pizzeria', { ...rest, PARLEY_CLIENT_ID: '' })).toThrow(
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
  ])('is rejected with %s=%s, and the error names the expected format', (name, value) => {
    expect(() => readEnvironment('pizzeria', { ...complete, [name]: value })).toThrow(
      new RegExp(`^${name} is "${value}"; expected `),
    );
  });
});

function callerNamed(subject: string): Caller {
  const ids = { client_id: 'parley-web', agent_id: 'agt_1', agent_slug: 'a', jti: 'j' };
  const claims = { iss: 'https://p', sub: subject, aud: 'https://p/agents/a', scope: '', iat: 0, exp: 0, ...ids };
  return { subject, clientId: 'parley-web', scopes: [], email: null, actors: [], expiresAt: 0, claims };
}

describe('an agent’s tasks', () => {
  const contextOf = (subject: string) => new ServerCallContext({ user: new ParleyUser(callerNamed(subject)) });
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

  it('are visible only to their caller', async () => {
    const store = new CappedTaskStore(10_000);
    await store.save(task('t1'), contextOf('ada'));
    expect(await store.load('t1', contextOf('ada'))).toEqual(task('t1'));
    expect(await store.load('t1', contextOf('bob'))).toBeUndefined();
    expect((await store.list(everything, contextOf('ada'))).totalSize).toBe(1);
    expect((await store.list(everything, contextOf('bob'))).totalSize).toBe(0);
  });

  it('are evicted, oldest first, if they use too much memory', async () => {
    const store = new CappedTaskStore(10_000);
    for (const id of ['a', 'b', 'c']) await store.save(task(id, 4_000), contextOf('ada'));
    expect(await store.load('a', contextOf('ada'))).toBeUndefined();
    expect(await store.load('c', contextOf('ada'))).toBeDefined();
  });

  it('do not change if a saved or loaded copy is changed', async () => {
    const store = new CappedTaskStore(10_000);
    const saved = task('t1');
    await store.save(saved, contextOf('ada'));
    saved.contextId = 'other';
    const loaded = await store.load('t1', contextOf('ada'));
    if (loaded) loaded.contextId = 'other';
    expect((await store.load('t1', contextOf('ada')))?.contextId).toBe('c');
  });
});
