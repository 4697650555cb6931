import { readFileSync } from 'node:fs';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerWith, asks, type McpBody, modernRequest, polls, postMcp } from '../contract/mcp-fixture';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** Requests and responses of MCP 2026-07-28 against its published schema, and that of the extension for tasks. */
let parley: SharedParley;
let person: Person;
let agent: ScriptedAgent;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  person = await createPerson(parley.url);
  agent = await ScriptedAgent.start({ name: 'Schematic' });
  slug = await listAgent(parley.url, person, { url: agent.url });
});
afterAll(async () => {
  await agent?.stop();
});

const validator = new AjvJsonSchemaValidator();
type Schema = Parameters<typeof validator.getValidator>[0];

/** Fails when the value does not have the type of that schema. */
function expectType(file: '2026-07-28' | 'tasks', type: string, value: unknown): void {
  const schema = JSON.parse(readFileSync(`tests/fixtures/mcp/${file}.json`, 'utf8')) as Schema;
  expect(Object.keys(schema.$defs ?? {})).toContain(type);
  const { errorMessage } = validator.getValidator({ ...schema, $id: undefined, $ref: `#/$defs/${type}` })(value);
  expect(errorMessage, type).toBeUndefined();
}

/** Sends a request that has this type, or none if it is invalid; returns the response. */
async function exchange(
  type: string | null,
  [method, params]: [string, Record<string, unknown>],
  { capabilities = {}, headers = {}, path = '/mcp' }: { capabilities?: object; headers?: object; path?: string } = {},
): Promise<McpBody> {
  const { body, headers: own } = modernRequest(method, params, capabilities);
  if (type) expectType(method.startsWith('tasks/') ? 'tasks' : '2026-07-28', type, body);
  const response = await postMcp(parley.url, body, { person, path, headers: { ...own, ...headers } });
  return (await response.json()) as McpBody;
}

const send = (capabilities: object = {}) =>
  exchange('CallToolRequest', ['tools/call', { name: 'send_message', arguments: { agent: slug, message: 'a' } }], {
    capabilities,
  });

test('the responses to server/discover and tools/list match the schema, for all agents and for one', async () => {
  for (const path of ['/mcp', `/agents/${slug}/mcp`]) {
    const discovered = await exchange('DiscoverRequest', ['server/discover', {}], { path });
    expectType('2026-07-28', 'DiscoverResultResponse', discovered);
    const listed = await exchange('ListToolsRequest', ['tools/list', {}], { path });
    expectType('2026-07-28', 'ListToolsResultResponse', listed);
  }
});

test('tools/call responses match the schema for every tool, a failed task, rejected arguments and a question', async () => {
  answerWith(agent, (id) => agent03.status(id, 'failed', 'Out of ink'));
  const failed = await send();
  expect(failed.result).toMatchObject({ isError: true });
  const { task_id } = failed.result?.structuredContent ?? {};
  const calls: [string, object][] = [
    ['search_agents', { query: 'print' }],
    ['get_agent', { slug }],
    ['get_task', { task_id }],
    ['get_task', {}],
  ];
  const answers = await Promise.all(
    calls.map(([name, args]) => exchange('CallToolRequest', ['tools/call', { name, arguments: args }])),
  );
  for (const answer of [failed, ...answers]) expectType('2026-07-28', 'CallToolResultResponse', answer);
  for (const [state, mode] of [
    ['input-required', 'form'],
    ['auth-required', 'url'],
  ]) {
    answerWith(agent, (id) => agent03.status(id, state ?? '', 'Which?'));
    const asked = await send(asks);
    expectType('2026-07-28', 'CallToolResultResponse', asked);
    expectType('2026-07-28', 'InputRequiredResult', asked.result);
    expect(Object.values(asked.result?.inputRequests ?? {})).toMatchObject([{ params: { mode } }]);
  }
});

test('progress notifications and the response after them match the schema', async () => {
  answerWith(
    agent,
    (id) => agent03.status(id, 'working', 'Looking'),
    (id) => agent03.status(id, 'completed', 'Done'),
  );
  const { body, headers } = modernRequest('tools/call', {
    name: 'send_message',
    arguments: { agent: slug, message: 'a' },
  });
  const params = { ...body.params, _meta: { ...body.params._meta, progressToken: 'p' } };
  const response = await postMcp(parley.url, { ...body, params }, { person, headers });
  const lines = (await response.text()).match(/^data: .*$/gm) ?? [];
  const messages = lines.map((line): unknown => JSON.parse(line.slice('data: '.length)));
  expect(messages.length).toBeGreaterThan(1);
  for (const progress of messages.slice(0, -1)) expectType('2026-07-28', 'ProgressNotification', progress);
  expectType('2026-07-28', 'CallToolResultResponse', messages.at(-1));
});

describe('the tasks extension', () => {
  const capabilities = { ...asks, ...polls };
  const task = (method: string, type: string, params: Record<string, unknown>) =>
    exchange(type, [method, params], { capabilities });

  test('matches the schema from a task’s creation, through a question, to its end', async () => {
    let ask = (): void => undefined;
    agent.answer(({ received, result, end }) => {
      // Parley also polls tasks of earlier tests.
      if (received.method !== 'message/stream') return end();
      const taskId = '00000000-0000-4000-8000-000000000001';
      result(agent03.task(taskId, 'working'));
      ask = () => {
        result(agent03.status(taskId, 'input-required', 'Which?'));
        end();
      };
    });
    const created = await send(capabilities);
    expectType('tasks', 'CreateTaskResult', created.result);
    const { taskId } = created.result ?? {};
    const get = async () => (await task('tasks/get', 'GetTaskRequest', { taskId })).result;
    expectType('tasks', 'GetTaskResult', await get());
    ask();
    await expect.poll(get, { timeout: 20_000 }).toMatchObject({ status: 'input_required' });
    const asked = await get();
    expectType('tasks', 'GetTaskResult', asked);
    const [key = ''] = Object.keys(asked?.inputRequests ?? {});
    answerWith(agent, (id) => agent03.status(id, 'completed', 'Done'));
    const inputResponses = { [key]: { action: 'accept', content: { answer: 'That' } } };
    const updated = await task('tasks/update', 'UpdateTaskRequest', { taskId, inputResponses });
    expectType('tasks', 'UpdateTaskResult', updated.result);
    await expect.poll(get, { timeout: 20_000 }).toMatchObject({ status: 'completed' });
    const completed = await get();
    expectType('tasks', 'GetTaskResult', completed);
    expectType('2026-07-28', 'CallToolResult', { ...completed?.result, resultType: 'complete' });
    expectType('tasks', 'CancelTaskResult', (await task('tasks/cancel', 'CancelTaskRequest', { taskId })).result);
  });
});

test('the responses to rejected requests match the schema', async () => {
  const future = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } };
  const refusals: [string, McpBody][] = [
    ['MethodNotFoundError', await exchange(null, ['resources/list', {}])],
    ['InvalidParamsError', await exchange(null, ['tools/call', { name: 'no_such_tool' }])],
    ['HeaderMismatchError', await exchange(null, ['tools/list', {}], { headers: { 'mcp-method': 'ping' } })],
    ['MissingRequiredClientCapabilityError', await exchange(null, ['tasks/get', { taskId: 'a' }])],
    [
      'UnsupportedProtocolVersionError',
      (await (
        await postMcp(parley.url, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: future }, { person })
      ).json()) as McpBody,
    ],
  ];
  for (const [type, answer] of refusals) {
    // These types are whole responses or the error alone.
    const isWhole = type === 'HeaderMismatchError' || type.startsWith('Missing') || type.startsWith('Unsupported');
    expectType('2026-07-28', type, isWhole ? answer : answer.error);
  }
});
