import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import { call01, connectToAll, type SeedPath, send01, type Task01 } from '../support/dialects';
import { type Connection, createPerson, listAgent, type Person, post, readEvents, resultOf } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

// Bodies as the four systems print them, with only the Authorization added.
const examples = {
  society: {
    jsonrpc: '2.0',
    id: 'task-123',
    method: 'tasks/send',
    params: { id: 'task-123', message: { role: 'user', parts: [{ type: 'text', text: 'Hello, agent' }] } },
  },
  orloj: {
    jsonrpc: '2.0',
    id: 'req-1',
    method: 'tasks/send',
    params: {
      id: 'task-001',
      message: { role: 'user', parts: [{ type: 'text', text: 'Summarize this document' }] },
      metadata: { source: 'external-workflow' },
    },
  },
  agentos: {
    jsonrpc: '2.0',
    id: 'req-123',
    method: 'tasks/send',
    params: {
      id: 'task-xyz-789',
      sessionId: 'session-abc-123',
      message: { role: 'user', parts: [{ type: 'text', text: 'Analyze this data...' }] },
      metadata: {},
    },
  },
};

let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
let ada: Person | undefined;

beforeAll(async () => {
  chattyAgent = await startChattyAgent({ name: 'Research agent' });
});

afterAll(() => chattyAgent?.agent.stop());

describe('the four systems’ examples', () => {
  let parley: Parley;
  let connections: Record<SeedPath, Connection>;
  let slug: string;

  beforeAll(async () => {
    parley = await startParley({
      env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', DEFAULT_AGENT: 'research-agent' },
    });
    ada ??= await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: chattyAgent.agent.url });
  });

  afterAll(() => parley?.stop());

  // Every test has its own caller: the examples choose their ids themselves.
  beforeEach(async () => {
    chattyAgent.agent.received.length = 0;
    connections = await connectToAll(parley.url, await createPerson(parley.url, `P${newUuid().slice(0, 8)}`), slug);
  });

  const at = (path: string): Connection => ({ ...connections.society, url: parley.url + path });

  test('use the agent’s slug', () => {
    expect(slug).toBe('research-agent');
  });

  test.each(['/', '/agents/research-agent/society'])(
    'for Society get the documented response to POST %s',
    async (path) => {
      const { status, body } = await send01(at(path), examples.society);
      expect(status).toBe(200);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 'task-123',
        result: {
          id: 'task-123',
          status: { state: 'completed', message: '' },
          messages: [],
          artifacts: [{ name: 'response', parts: [{ type: 'text', text: 'answer: Hello, agent' }] }],
        },
      });
    },
  );

  test('for Society get the documented text for an unknown method', async () => {
    const { status, body } = await send01(at('/'), { jsonrpc: '2.0', id: 'task-123', method: 'unknown/method' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      id: 'task-123',
      error: { code: -32601, message: 'method not found: unknown/method' },
    });
  });

  test.each(['/tasks/process', '/agents/research-agent/tasks/process'])(
    'for Society AI get a stream from POST %s',
    async (path) => {
      const response = await post(at(path), {
        jsonrpc: '2.0',
        id: 'req-1',
        method: 'tasks/sendSubscribe',
        params: {
          id: 'task-uuid',
          sessionId: 'session-uuid',
          message: { role: 'user', parts: [{ type: 'text', text: 'What is quantum computing?' }] },
          metadata: {
            requester: { name: 'ai-chatbot' },
            executor: { name: 'research-agent' },
            skill_used: 'research-topic',
            user_id: 'user-uuid',
          },
        },
      });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const events = await readEvents(response);
      expect(events.every(({ data }) => (data as { id: string }).id === 'req-1')).toBe(true);
      expect(events.map(({ data }) => (data as { result: object }).result)).toContainEqual({
        id: 'task-uuid',
        status: { state: 'working', message: { role: 'agent', parts: [{ type: 'text', text: 'Researching...' }] } },
        final: false,
      });
      expect(resultOf<object>(events.at(-1))).toMatchObject({ status: { state: 'completed' }, final: true });
    },
  );

  test.each(['/a2a', '/v1/agent-systems/research-agent/a2a', '/v1/agents/research-agent/a2a'])(
    'for Orloj can send and get with POST %s, but not cancel a finished task',
    async (path) => {
      const { body } = await send01(at(path), examples.orloj);
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 'req-1' });
      const task = body.result as Task01;
      expect(task).toMatchObject({
        status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text' }] } },
        artifacts: [{ parts: [{ type: 'text', text: 'answer: Summarize this document' }], index: 0 }],
        metadata: { source: 'external-workflow' },
      });
      const got = await send01(at(path), { jsonrpc: '2.0', id: 'req-2', method: 'tasks/get', params: { id: task.id } });
      expect(got.body).toMatchObject({ id: 'req-2', result: { id: task.id, status: { state: 'completed' } } });
      const canceled = await send01(at(path), {
        jsonrpc: '2.0',
        id: 'req-3',
        method: 'tasks/cancel',
        params: { id: task.id, reason: 'No longer needed' },
      });
      expect(canceled.body).toMatchObject({ id: 'req-3', error: { code: -32002 } });
    },
  );

  test('for Orloj get the documented state from tasks/cancel', async () => {
    const response = await post(connections.orloj, {
      jsonrpc: '2.0',
      id: 'req-1',
      method: 'tasks/sendSubscribe',
      params: { id: 'task-c', message: { role: 'user', parts: [{ type: 'text', text: 'ask me' }] } },
    });
    await readEvents(response, (events) =>
      events.some(({ data }) => (data as Task01).status.state === 'input-required'),
    );
    const { body } = await call01(connections.orloj, 'tasks/cancel', { id: 'task-c', reason: 'No longer needed' });
    expect(body).toMatchObject({ result: { id: 'task-c', status: { state: 'canceled' } } });
  });

  test('for Orloj get the documented response for an unknown task', async () => {
    const { body } = await call01(connections.orloj, 'tasks/get', { id: 'a2a-task-unknown' });
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32001, message: 'task not found', data: { task_id: 'a2a-task-unknown' } },
    });
  });

  test('for Orloj get bare tasks as `event: status` from tasks/sendSubscribe', async () => {
    const response = await post(connections.orloj, { ...examples.orloj, method: 'tasks/sendSubscribe' });
    const events = await readEvents(response);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['status']));
    const states = events.map(({ data }) => (data as Task01).status.state);
    expect(states).toContain('working');
    expect(states.at(-1)).toBe('completed');
    expect(events.every(({ data }) => (data as Task01).id === 'task-001' && !('jsonrpc' in (data as object)))).toBe(
      true,
    );
  });

  test.each(['/a2a/rpc', '/agents/research-agent/a2a/rpc'])(
    'for AgentOS can send, get and cancel with POST %s',
    async (path) => {
      const { body } = await send01(at(path), examples.agentos);
      expect(body.id).toBe('req-123');
      const task = body.result as Task01;
      expect(task).toMatchObject({
        id: 'task-xyz-789',
        sessionId: 'session-abc-123',
        status: { state: 'completed', message: { role: 'agent' }, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
        metadata: {},
        artifacts: expect.any(Array),
        createdAt: expect.any(Number),
      });
      const got = await send01(at(path), {
        jsonrpc: '2.0',
        id: 'req-124',
        method: 'tasks/get',
        params: { id: 'task-xyz-789' },
      });
      expect(got.body).toEqual({ jsonrpc: '2.0', id: 'req-124', result: task });
      const canceled = await send01(at(path), {
        jsonrpc: '2.0',
        id: 'req-125',
        method: 'tasks/cancel',
        params: { id: 'task-xyz-789' },
      });
      expect(canceled.body).toMatchObject({
        id: 'req-125',
        error: { code: -32002, data: { task_id: 'task-xyz-789', reason: 'not_cancelable' } },
      });
    },
  );
});
