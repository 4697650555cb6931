import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import type { Exchange } from '../fakes/scripted-agent';
import { answerWith, asks, callMcp, type McpFixture, polls, receivedTexts, startMcpFixture } from './mcp-fixture';

/** The extension `io.modelcontextprotocol/tasks` (SEP-2663). */
let fixture: McpFixture;

beforeAll(async () => {
  fixture = await startMcpFixture();
});
afterAll(() => fixture?.agent.stop());
beforeEach(() => {
  fixture.agent.received.length = 0;
});

const both = { ...asks, ...polls };

function call(
  method: string,
  params: Record<string, unknown>,
  { capabilities = both as object, person = fixture.ada } = {},
) {
  return callMcp(fixture.parley.url, [method, params], { person, capabilities });
}

const send = (message: string, options?: Parameters<typeof call>[2]) =>
  call('tools/call', { name: 'send_message', arguments: { agent: fixture.slug, message } }, options);

const get = async (taskId: string, options?: Parameters<typeof call>[2]) =>
  (await call('tasks/get', { taskId }, options)).result;

/** The agent works until the test ends its turn. */
function worksUntilTold(): Promise<Exchange & { taskId: string }> {
  return new Promise((resolve) => {
    fixture.agent.answer((exchange) => {
      const taskId = exchange.received.params.message?.taskId ?? '00000000-0000-4000-8000-000000000000';
      exchange.result(agent03.task(taskId, 'working'));
      resolve({ ...exchange, taskId });
    });
  });
}

/** A call that was answered with a task, and the agent that works on it. */
async function startTask() {
  const told = worksUntilTold();
  const { result } = await send('Work');
  const { taskId = '' } = result ?? {};
  return { result, taskId, agent: await told };
}

test('server/discover lists the tasks extension', async () => {
  expect((await call('server/discover', {})).result).toMatchObject({
    capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  });
});

test('a long call returns a task, which can be polled immediately and completes with the call’s result', async () => {
  const { result, taskId, agent } = await startTask();
  const members = { taskId, ttlMs: null, pollIntervalMs: expect.any(Number), createdAt: expect.stringContaining('T') };
  expect(result).toMatchObject({ resultType: 'task', status: 'working', ...members });
  expect(await get(taskId)).toMatchObject({ resultType: 'complete', status: 'working', ...members });
  agent.result(agent03.status(agent.taskId, 'completed', 'Done'));
  agent.end();
  await expect
    .poll(() => get(taskId), { timeout: 20_000 })
    .toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { structuredContent: { state: 'completed', text: 'Done' } },
    });
});

test('a short call returns its result directly', async () => {
  answerWith(fixture.agent, (id) => agent03.status(id, 'completed', 'Done'));
  expect((await send('Work')).result).toMatchObject({ resultType: 'complete', structuredContent: { text: 'Done' } });
});

test('a task that the agent fails is a completed call with an error, as it is without the extension', async () => {
  const { taskId, agent } = await startTask();
  agent.result(agent03.status(agent.taskId, 'failed', 'Out of ink'));
  agent.end();
  await expect
    .poll(() => get(taskId), { timeout: 20_000 })
    .toMatchObject({ status: 'completed', result: { isError: true } });
});

describe('an agent’s question', () => {
  async function asked(options?: Parameters<typeof call>[2]) {
    const { taskId, agent } = await startTask();
    agent.result(agent03.status(agent.taskId, 'input-required', 'Which city?'));
    agent.end();
    await expect.poll(async () => (await get(taskId, options))?.status, { timeout: 20_000 }).not.toBe('working');
    return { taskId, task: await get(taskId, options) };
  }

  test('is an input request, which tasks/update answers once', async () => {
    const { taskId, task } = await asked();
    expect(task).toMatchObject({ status: 'input_required' });
    const [[key, request] = ['', undefined]] = Object.entries(task?.inputRequests ?? {});
    expect(request).toMatchObject({ method: 'elicitation/create', params: { mode: 'form' } });
    answerWith(fixture.agent, (id) => agent03.status(id, 'completed', 'Sunny'));
    const inputResponses = { [key]: { action: 'accept', content: { answer: 'Rome' } } };
    const unknown = await call('tasks/update', { taskId, inputResponses: { other: { action: 'decline' } } });
    expect(unknown.result).toMatchObject({ resultType: 'complete' });
    const updated = await call('tasks/update', { taskId, inputResponses });
    expect(updated.result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    await expect
      .poll(() => get(taskId), { timeout: 20_000 })
      .toMatchObject({
        status: 'completed',
        result: { structuredContent: { text: 'Sunny' } },
      });
    await call('tasks/update', { taskId, inputResponses });
    expect(receivedTexts(fixture.agent)).toEqual(['Work', 'Rome']);
  });

  test('can be declined by the user, which cancels the task', async () => {
    const { taskId, task } = await asked();
    const [key = ''] = Object.keys(task?.inputRequests ?? {});
    await call('tasks/update', { taskId, inputResponses: { [key]: { action: 'decline' } } });
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  test('is returned as the call’s result if the client cannot show it', async () => {
    const { task } = await asked({ capabilities: polls });
    expect(task).toMatchObject({
      status: 'completed',
      result: { structuredContent: { state: 'input-required', text: 'Which city?' } },
    });
    expect(task).not.toHaveProperty('inputRequests');
  });
});

test('tasks/cancel stops the task at the agent, and is accepted for an ended task', async () => {
  const { taskId, agent } = await startTask();
  fixture.agent.answer(({ received, json }) => {
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task(received.params.id ?? '', 'canceled') });
    agent.result(agent03.status(agent.taskId, 'canceled'));
    agent.end();
  });
  for (const _ of ['running', 'ended']) {
    const canceled = await call('tasks/cancel', { taskId });
    expect(canceled.result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  }
  expect(fixture.agent.calls('tasks/cancel')).toHaveLength(1);
});

describe('the tasks extension', () => {
  const methods = ['tasks/get', 'tasks/update', 'tasks/cancel'];

  test.each(methods)('rejects %s from a client that does not declare the extension', async (method) => {
    const refused = await call(method, { taskId: 'a' }, { capabilities: asks });
    expect(refused).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } },
    });
  });

  test('treats another user’s task as missing', async () => {
    answerWith(fixture.agent, (id) => agent03.status(id, 'input-required', 'Which?'));
    const { result } = await send('Mine', { capabilities: {} });
    const taskId = result?.structuredContent?.task_id as string;
    for (const method of methods) {
      for (const [id, person] of [
        [taskId, fixture.bob],
        ['never-was', fixture.ada],
      ] as const) {
        const inputResponses = { any: { action: 'decline' } };
        const refused = await call(method, { taskId: id, inputResponses }, { person });
        expect(refused.error).toMatchObject({ code: -32602, data: { code: 'task_not_found' } });
      }
    }
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  });

  test('requires the task in the Mcp-Name header', async () => {
    const sending = { person: fixture.ada, capabilities: polls, headers: { 'mcp-name': 'other' } };
    const refused = await callMcp(fixture.parley.url, ['tasks/get', { taskId: 'a' }], sending);
    expect(refused).toMatchObject({ status: 400, error: { code: -32020 } });
  });
});
