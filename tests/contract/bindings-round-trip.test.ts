import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { DraftAgent } from '../fakes/draft-agent';
import { PushReceiver } from '../fakes/push-receiver';
import { startRest03 } from '../fakes/rest03-agent';
import { startRest10 } from '../fakes/rest10-agent';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import {
  type Connection,
  createPerson,
  follow,
  listAgent,
  message03,
  message10,
  post,
  tokenFor,
} from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, type GrpcConnection, grpcClient, streamGrpc } from '../support/grpc';
import { type Parley, startParley } from '../support/parley';
import { rest } from '../support/rest';
import { waitFor } from '../support/wait-for';

// Every binding of a caller with every binding of an agent: a task that asks, is followed, answered, pushed and canceled.

const agents = {
  'JSON-RPC 0.3': () => startSdk03Agent(),
  'HTTP 0.3': () => startRest03(),
  'JSON-RPC 1.0': () => startSdk10Agent(),
  'HTTP 1.0': () => startRest10(),
  'gRPC 1.0': () => startSdk10Agent({ binding: 'GRPC' }),
  'JSON-RPC 1.1': () => DraftAgent.start(),
  'HTTP 1.1': () => DraftAgent.start({ binding: 'HTTP+JSON' }),
  'gRPC 1.1': () => startSdk10Agent({ binding: 'GRPC', protocolVersion: '1.1' }),
};
type AgentName = keyof typeof agents;

/** The calls of one binding, whose results are JSON in its own version. */
interface Caller {
  /** Sends a text; with `taskId`, to that task. */
  send: (text: string, taskId?: string) => Promise<unknown>;
  stream: (text: string) => Promise<unknown[]>;
  /** Returns the first event. */
  subscribe: (taskId: string) => Promise<unknown>;
  cancel: (taskId: string) => Promise<unknown>;
  push: (taskId: string, url: string) => Promise<unknown>;
}

let parley: Parley;
let receiver: PushReceiver;
let grpcPort: number;

beforeAll(async () => {
  receiver = await PushReceiver.start();
  grpcPort = await freePort();
  parley = await startParley({ env: { GRPC_PORT: String(grpcPort), AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
});

afterAll(async () => {
  await parley?.stop();
  await receiver?.stop();
});

/** The id and the state of the task in a result or event of any version. */
function read(value: unknown): { id: string; state: string } {
  const text = JSON.stringify(value);
  const state = /"state":"([^"]+)"/.exec(text)?.[1] ?? '';
  const [, id = ''] = /"(?:task|result)":\{(?:"kind":"task",)?"id":"([^"]+)"/.exec(`{"result":${text}}`) ?? [];
  return { id, state: plainState(state) };
}

/** Returns the state in the spelling of 0.3; its HTTP binding writes CANCELLED. */
function plainState(state: string): string {
  return state.replace('TASK_STATE_', '').replaceAll('_', '-').toLowerCase().replace('cancelled', 'canceled');
}

async function json(response: Promise<Response>): Promise<unknown> {
  const body = (await (await response).json()) as { result?: unknown };
  return body.result ?? body;
}

async function firstOf(response: Promise<Response>): Promise<unknown> {
  const { seen, ended } = follow(response);
  const event = await waitFor(() => seen[0], { what: 'the first event' });
  ended.catch(() => undefined);
  return withoutEnvelope(event.data);
}

async function allOf(response: Promise<Response>): Promise<unknown[]> {
  const { seen, ended } = follow(response);
  await ended;
  return seen.map(({ data }) => withoutEnvelope(data));
}

function withoutEnvelope(data: unknown): unknown {
  return (data as { result?: unknown }).result ?? data;
}

interface Reach {
  slug: string;
  token: string;
}

function rpcCaller({ slug, token }: Reach, version: '0.3' | '1.0' | '1.1'): Caller {
  const connection: Connection = {
    url: `${parley.url}/agents/${slug}/a2a/jsonrpc`,
    token,
    headers: { 'a2a-version': version },
  };
  const isV10 = version !== '0.3';
  const call = (method: string, params: object): Promise<Response> =>
    post(connection, { jsonrpc: '2.0', id: 1, method, params });
  const message = isV10 ? message10 : message03;
  return {
    send: (text, taskId) => json(call(isV10 ? 'SendMessage' : 'message/send', message(text, { taskId }))),
    stream: (text) => allOf(call(isV10 ? 'SendStreamingMessage' : 'message/stream', message(text))),
    subscribe: (id) => firstOf(call(isV10 ? 'SubscribeToTask' : 'tasks/resubscribe', { id })),
    cancel: (id) => json(call(isV10 ? 'CancelTask' : 'tasks/cancel', { id })),
    push: (taskId, url) =>
      isV10
        ? json(call('CreateTaskPushNotificationConfig', { taskId, url }))
        : json(call('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { url } })),
  };
}

function restCaller({ slug, token }: Reach, version: '0.3' | '1.0' | '1.1'): Caller {
  const isV10 = version !== '0.3';
  const base = `${parley.url}/agents/${slug}/a2a/rest${isV10 ? '' : '/v1'}`;
  const connection: Connection = { url: base, token, headers: { 'a2a-version': version } };
  const messageOf = (text: string, taskId?: string): object => {
    const ids = { messageId: newUuid(), role: 'ROLE_USER', ...(taskId && { taskId }) };
    return {
      message: isV10 ? { ...ids, parts: [{ text }] } : { ...ids, content: [{ text }] },
      configuration: { blocking: true },
    };
  };
  const call = (path: string, body?: object): Promise<Response> =>
    rest(connection, `${body ? 'POST' : 'GET'} ${path}`, body && { body });
  return {
    send: (text, taskId) => json(call('/message:send', messageOf(text, taskId))),
    stream: (text) => allOf(call('/message:stream', messageOf(text))),
    subscribe: (id) => firstOf(call(`/tasks/${id}:subscribe`)),
    cancel: (id) => json(call(`/tasks/${id}:cancel`, {})),
    push: (taskId, url) =>
      json(
        call(
          `/tasks/${taskId}/pushNotificationConfigs`,
          isV10 ? { url } : { config: { pushNotificationConfig: { url } } },
        ),
      ),
  };
}

function grpcCaller({ slug, token }: Reach, version: '1.0' | '1.1'): Caller {
  const metadata = { 'a2a-version': version };
  const connection: GrpcConnection = { client: grpcClient(`127.0.0.1:${grpcPort}`), token, metadata };
  const call = async (method: string, params: object): Promise<unknown> =>
    (await callGrpc(connection, method, { ...params, tenant: slug })).response;
  return {
    send: (text, taskId) => call('SendMessage', message10(text, { ...(taskId && { taskId }) })),
    async stream(text) {
      const events: unknown[] = [];
      for await (const event of streamGrpc(connection, 'SendStreamingMessage', message10(text))) events.push(event);
      return events;
    },
    async subscribe(id) {
      for await (const event of streamGrpc(connection, 'SubscribeToTask', { id })) return event;
      return null;
    },
    cancel: (id) => call('CancelTask', { id }),
    push: (taskId, url) => call('CreateTaskPushNotificationConfig', { taskId, url }),
  };
}

function oldCaller({ slug, token }: Reach): Caller {
  const connection: Connection = {
    url: `${parley.url}/agents/${slug}/a2a/jsonrpc`,
    token,
    headers: { 'a2a-version': '0.1' },
  };
  const call = (method: string, params: object): Promise<Response> =>
    post(connection, { jsonrpc: '2.0', id: 1, method, params });
  const send = (text: string, id: string): object => ({
    id,
    message: { role: 'user', parts: [{ type: 'text', text }] },
  });
  return {
    send: (text, taskId = newUuid()) => json(call('tasks/send', send(text, taskId))),
    stream: (text) => allOf(call('tasks/sendSubscribe', send(text, newUuid()))),
    subscribe: (id) => firstOf(call('tasks/resubscribe', { id })),
    cancel: (id) => json(call('tasks/cancel', { id })),
    push: (id, url) => json(call('tasks/pushNotification/set', { id, pushNotificationConfig: { url } })),
  };
}

const callers: Record<string, (reach: Reach) => Caller> = {
  'JSON-RPC 0.1': oldCaller,
  'JSON-RPC 0.3': (reach) => rpcCaller(reach, '0.3'),
  'HTTP 0.3': (reach) => restCaller(reach, '0.3'),
  'JSON-RPC 1.0': (reach) => rpcCaller(reach, '1.0'),
  'HTTP 1.0': (reach) => restCaller(reach, '1.0'),
  'gRPC 1.0': (reach) => grpcCaller(reach, '1.0'),
  'JSON-RPC 1.1': (reach) => rpcCaller(reach, '1.1'),
  'HTTP 1.1': (reach) => restCaller(reach, '1.1'),
  'gRPC 1.1': (reach) => grpcCaller(reach, '1.1'),
};

describe.each(Object.keys(agents) as AgentName[])('an agent on %s', (name) => {
  let agent: { url: string; stop: () => Promise<void> };
  let reach: Reach;

  beforeAll(async () => {
    agent = await agents[name]();
    // A person for each agent, because their messages are limited.
    const ada = await createPerson(parley.url, 'Ada');
    const slug = await listAgent(parley.url, ada, { url: agent.url });
    reach = { slug, token: await tokenFor(parley.url, ada, slug) };
  });

  afterAll(() => agent?.stop());

  describe.each(Object.keys(callers))('and a caller on %s', (binding) => {
    let caller: Caller;
    beforeAll(() => {
      const open = callers[binding];
      if (open) caller = open(reach);
    });

    test('a task asks, is followed, pushed and answered', async () => {
      const { id, state } = read(await caller.send('ask'));
      expect(state).toBe('input-required');
      expect(read(await caller.subscribe(id)).state).toBe('input-required');
      const hook = `/${newUuid()}`;
      expect(JSON.stringify(await caller.push(id, receiver.url + hook))).toContain(hook);
      expect(read(await caller.send('it', id)).state).toBe('completed');
      await waitFor(() => receiver.on(hook).some(({ text }) => /completed/i.test(text)), { what: 'the push' });
    });

    test('a stream ends with the completed task', async () => {
      const events = await caller.stream('hello');
      expect(JSON.stringify(events)).toContain('he');
      expect(read(events.at(-1)).state).toBe('completed');
    });

    test('a task is canceled', async () => {
      const { id } = read(await caller.send('ask'));
      expect(read(await caller.cancel(id)).state).toBe('canceled');
    });
  });
});
