import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { connectToAll, type SeedPath, seedPaths } from '../support/dialects';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  rpc,
} from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, type GrpcConnection, grpcClient } from '../support/grpc';
import { callDraft, draftRpcs } from '../support/grpc-draft';
import { type Parley, startParley } from '../support/parley';
import { rest } from '../support/rest';
import { waitFor } from '../support/wait-for';
import { type StepAgent, startStepAgent } from './draft-fixture';

// A2A 1.0 §3.3.1: a cancel may be repeated. Every version in every binding.

let parley: Parley;
let ada: Person;
let steps: StepAgent;
let seeds: Record<SeedPath, Connection>;
let base: string;
let grpc: GrpcConnection;

beforeAll(async () => {
  steps = await startStepAgent();
  const port = await freePort();
  parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = await createPerson(parley.url, 'Ada');
  const slug = await listAgent(parley.url, ada, { url: steps.agent.url });
  seeds = await connectToAll(parley.url, ada, slug);
  base = `${parley.url}/agents/${slug}/a2a/rest`;
  grpc = { client: grpcClient(`127.0.0.1:${port}`), token: seeds['0.1'].token };
});

afterAll(async () => {
  grpc?.client.close();
  await parley?.stop();
  await steps?.agent.stop();
});

interface Caller {
  /** Sends a text; returns the id by which this caller knows the task. */
  send: (text: string) => Promise<string>;
  /** Returns the response as JSON, or the text of the error. */
  cancel: (id: string) => Promise<string>;
}

function rpcCaller(version: string): Caller {
  const connection = (): Connection => ({ ...seeds['0.1'], headers: { 'a2a-version': version } });
  const isOld = version === '0.3';
  return {
    async send(text) {
      const { body } = isOld
        ? await rpc(connection(), 'message/send', message03(text))
        : await rpc(connection(), 'SendMessage', message10(text));
      return idOf(body.result);
    },
    cancel: async (id) => JSON.stringify((await rpc(connection(), isOld ? 'tasks/cancel' : 'CancelTask', { id })).body),
  };
}

function restCaller(version: string): Caller {
  const isOld = version === '0.3';
  const connection = (): Connection => ({
    url: isOld ? `${base}/v1` : base,
    token: seeds['0.1'].token,
    headers: { 'a2a-version': version },
  });
  return {
    async send(text) {
      const parts = isOld ? { content: [{ text }] } : { parts: [{ text }] };
      const message = { messageId: newUuid(), role: 'ROLE_USER', ...parts };
      const body = { message, configuration: { blocking: true } };
      return idOf(await (await rest(connection(), 'POST /message:send', { body })).json());
    },
    cancel: async (id) => (await rest(connection(), `POST /tasks/${id}:cancel`, { body: {} })).text(),
  };
}

function seedCaller(path: SeedPath): Caller {
  const connection = (): Connection =>
    path === '0.1' ? { ...seeds[path], headers: { 'a2a-version': '0.1' } } : seeds[path];
  return {
    async send(text) {
      const id = newUuid();
      await rpc(connection(), 'tasks/send', { id, message: { role: 'user', parts: [{ type: 'text', text }] } });
      return id;
    },
    cancel: async (id) => JSON.stringify((await rpc(connection(), 'tasks/cancel', { id })).body),
  };
}

const grpcCaller: Caller = {
  send: async (text) => idOf((await callGrpc(grpc, 'SendMessage', message10(text))).response),
  cancel: (id) =>
    callGrpc(grpc, 'CancelTask', { id }).then(
      ({ response }) => JSON.stringify(response),
      (error) => JSON.stringify(error.details),
    ),
};

const draftGrpcCaller: Caller = {
  send: async (text) => idOf(await callDraft(grpc, draftRpcs.send, message10(text))),
  cancel: (id) =>
    callDraft(grpc, draftRpcs.cancel, { id }).then(
      (task) => JSON.stringify(task),
      ({ code, details }) => `${code === 9 ? 'TASK_NOT_CANCELABLE' : code} ${details}`,
    ),
};

function idOf(result: unknown): string {
  const { task, id } = result as { task?: { id: string }; id?: string };
  return task?.id ?? id ?? '';
}

const callers: Record<string, Caller> = {
  ...Object.fromEntries((Object.keys(seedPaths) as SeedPath[]).map((path) => [`JSON-RPC ${path}`, seedCaller(path)])),
  ...Object.fromEntries(['0.3', '1.0', '1.1'].map((version) => [`JSON-RPC ${version}`, rpcCaller(version)])),
  ...Object.fromEntries(['0.3', '1.0', '1.1'].map((version) => [`HTTP+JSON ${version}`, restCaller(version)])),
  'gRPC 1.0': grpcCaller,
  'gRPC 1.1': draftGrpcCaller,
};

describe.each(Object.entries(callers))('a cancel on %s', (_, caller) => {
  test('of a canceled task returns the task again, and the agent is not asked again', async () => {
    const id = await caller.send('ask');
    const first = await caller.cancel(id);
    const asked = steps.agent.calls('tasks/cancel').length;
    const second = await caller.cancel(id);
    expect(first).toMatch(/cancell?ed/i);
    expect(second).toBe(first);
    expect(steps.agent.calls('tasks/cancel').length).toBe(asked);
  });

  test('that is sent several times at once returns the canceled task to all', async () => {
    const id = await caller.send('ask');
    const answers = await Promise.all([1, 2, 3].map(() => caller.cancel(id)));
    for (const answer of answers) {
      expect(answer).toMatch(/"state":"(?:TASK_STATE_)?cancell?ed"/i);
      expect(answer).not.toContain('error');
    }
  });

  test('of a completed task is rejected as not cancelable', async () => {
    const id = await caller.send('hello');
    expect(await caller.cancel(id)).toMatch(/-32002|not_cancelable/i);
  });
});

test('a cancel that the agent rejects because of an earlier one returns the canceled task', async () => {
  const agent = await ScriptedAgent.start({ name: 'Strict' });
  const cancels: Exchange[] = [];
  agent.answer((exchange) => {
    const { received, json, result, end } = exchange;
    if (received.method === 'tasks/cancel') return void cancels.push(exchange);
    if (received.method === 'tasks/get') return json({ jsonrpc: '2.0', id: received.id, error: notFound });
    result(agent03.status('up', 'input-required', 'What?'));
    end();
  });
  const notFound = { code: -32001, message: 'Task not found' };
  const connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
  const id = idOf((await rpc(connection, 'message/send', message03('hi'))).body.result);
  const calls = [1, 2].map(() => rpc(connection, 'tasks/cancel', { id }));
  const [first, second] = await waitFor(() => (cancels.length === 2 ? cancels : null), { what: 'both cancels' });
  first?.json({ jsonrpc: '2.0', id: first.received.id, result: agent03.task('up', 'canceled') });
  await Promise.race(calls);
  second?.json({ jsonrpc: '2.0', id: second.received.id, error: { code: -32002, message: 'Task is canceled' } });
  for (const { body } of await Promise.all(calls)) expect(body.result).toMatchObject({ status: { state: 'canceled' } });
  await agent.stop();
});
