import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { connectTo, message03, message10, rpc, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { answerWith, asks, callMcp, type McpFixture, type McpResult, polls, startMcpFixture } from './mcp-fixture';

/** Questions of an agent with typed fields, at each face of the gateway. */
let fixture: McpFixture;

beforeAll(async () => {
  fixture = await startMcpFixture();
});
afterAll(() => fixture?.agent.stop());
beforeEach(() => {
  fixture.agent.received.length = 0;
});

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'Where to' },
    day: { type: 'string', format: 'date' },
    room: {
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
      default: 's',
    },
    budget: { type: 'number', format: 'money', currency: 'EUR' },
    id: { const: 'T-1' },
  },
  required: ['city', 'day'],
};
const own = { kind: 'form', title: 'A trip', message: 'Where do you want to go?', schema };
const sample = { type: 'form', form: schema, form_data: { city: 'Rome' }, instructions: 'Where do you want to go?' };
const elicitation = { message: 'Where do you want to go?', requestedSchema: schema };

const answer = { city: 'Oslo', day: '2027-01-05', room: 'l', budget: 99.5 };
const answered = { ...answer, id: 'T-1' };

/** The agent asks with this data, and nothing else. */
function ask(data: object, more: object[] = []): void {
  answerWith(fixture.agent, (taskId) => {
    const parts = [...more, { kind: 'data', data }];
    const message = { kind: 'message', messageId: randomUUID(), role: 'agent', parts, taskId };
    const status = { state: 'input-required', message };
    return { kind: 'status-update', taskId, contextId: 'agent-context', status, final: true };
  });
}

const complete = (): void => answerWith(fixture.agent, (id) => agent03.status(id, 'completed', 'Booked'));

/** The messages that the agent received, in order. */
const messages = () => fixture.agent.received.flatMap(({ params: { message } }) => message ?? []);

/** The parts of the last one. */
const receivedParts = () => messages().at(-1)?.parts;

async function sendByMcp(more: object = {}, capabilities: object = asks) {
  const params = { name: 'send_message', arguments: { agent: fixture.slug, message: 'Book' }, ...more };
  return (await callMcp(fixture.parley.url, ['tools/call', params], { person: fixture.ada, capabilities })).result;
}

function askedOf(result: McpResult | undefined) {
  const [[key, request] = ['', undefined]] = Object.entries(result?.inputRequests ?? {});
  return { key, params: request?.params, requestState: result?.requestState };
}

describe('a host of MCP', () => {
  test.each([
    ['Parley’s own form', own, answered],
    ['the form of the A2A samples', sample, answered],
    ['an elicitation of MCP', elicitation, { action: 'accept', content: answered }],
    ['a bare schema', schema, answered],
  ])('is asked for the fields, and the agent receives them as data: %s', async (_, data, expected) => {
    ask(data, [{ kind: 'text', text: 'One moment.' }]);
    const { key, params, requestState } = askedOf(await sendByMcp());
    expect(params).toMatchObject({
      mode: 'form',
      requestedSchema: {
        type: 'object',
        required: ['city', 'day'],
        properties: {
          city: { type: 'string', title: 'City', description: 'Where to' },
          day: { type: 'string', format: 'date', title: 'Day' },
          room: {
            oneOf: [
              { const: 's', title: 'Small' },
              { const: 'l', title: 'Large' },
            ],
            default: 's',
          },
          budget: { type: 'number', title: 'Budget (EUR)' },
        },
      },
    });
    expect(params?.message).toContain('One moment.');
    expect(params?.message).not.toContain('{');
    complete();
    const result = await sendByMcp({ requestState, inputResponses: { [key]: { action: 'accept', content: answer } } });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { state: 'completed', text: 'Booked' } });
    expect(receivedParts()).toEqual([{ kind: 'data', data: expected, metadata: { 'parley.view': 'form-answer' } }]);
  });

  test.each([
    ['a missing value', { city: 'Oslo' }],
    ['a value of another type', { ...answer, day: 'soon' }],
    ['an unknown option', { ...answer, room: 'huge' }],
    ['words', { answer: 'To Oslo' }],
  ])('is asked again after %s', async (_, content) => {
    ask(own);
    const first = askedOf(await sendByMcp());
    const { requestState, key } = first;
    const again = askedOf(await sendByMcp({ requestState, inputResponses: { [key]: { action: 'accept', content } } }));
    expect(again.key).toBe(key);
    expect(messages()).toHaveLength(1);
  });

  test('that polls a task sees the fields, and answers them', async () => {
    ask(own);
    const capabilities = { ...asks, ...polls };
    const call = (method: string, params: Record<string, unknown>) =>
      callMcp(fixture.parley.url, [method, params], { person: fixture.ada, capabilities });
    const asked = await sendByMcp({}, polls);
    const taskId = String(asked?.structuredContent?.task_id);
    const { result } = await call('tasks/get', { taskId });
    const { key, params } = askedOf(result);
    expect(params?.requestedSchema).toMatchObject({ required: ['city', 'day'] });
    complete();
    await call('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: answer } } });
    await waitFor(() => messages().length === 2, { what: 'the answer' });
    expect(receivedParts()).toMatchObject([{ kind: 'data', data: answered }]);
  });

  test('that shows no forms reads the fields in words', async () => {
    ask(own);
    const result = await sendByMcp({}, {});
    expect(result?.content?.[0]?.text).toContain('**City** (required): Where to');
    expect(result?.content?.[0]?.text).toContain('one of: Small; Large');
  });

  test.each([
    ['a file that is required', { type: 'object', properties: { photo: { format: 'binary' } }, required: ['photo'] }],
    ['a password', { type: 'object', properties: { pin: { type: 'string', format: 'password' } } }],
    [
      '2,000 fields',
      { type: 'object', properties: Object.fromEntries([...Array(2_000).keys()].map((at) => [at, {}])) },
    ],
    ['a loop', { type: 'object', properties: { a: { $ref: '#' } } }],
  ])('is asked in words for %s', async (_, hostile) => {
    ask({ kind: 'form', schema: hostile });
    const { params } = askedOf(await sendByMcp());
    expect(params?.requestedSchema).toMatchObject({ required: ['answer'], properties: { answer: { type: 'string' } } });
    expect(params?.message.length).toBeLessThan(10_000);
  });
});

test('a client of the OpenAI API reads the question and its fields as text', async () => {
  ask(own);
  const response = await send(`${fixture.parley.url}/v1/chat/completions`, {
    bearer: fixture.ada.accessToken,
    body: { model: fixture.slug, messages: [{ role: 'user', content: 'Book' }] },
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  const content = choices[0]?.message.content;
  expect(content).toContain(
    '**A trip**\n\nWhere do you want to go?\n\n- **City** (required): Where to\n- **Day** (date',
  );
  expect(content).not.toContain('requestedSchema');
});

test.each(['0.3', '1.0'])(
  'a caller of A2A %s receives the data unchanged, and its answer arrives unchanged',
  async (version) => {
    ask(elicitation);
    const connection = await connectTo(fixture.parley.url, fixture.ada, fixture.slug);
    const is10 = version === '1.0';
    const call = (parts: object[], extra: object = {}) =>
      is10
        ? rpc(connection, 'SendMessage', message10('', { parts, ...extra }))
        : rpc(connection, 'message/send', message03('', { parts, ...extra }));
    const { body } = await call([is10 ? { text: 'Book' } : { kind: 'text', text: 'Book' }]);
    const task = (is10 ? (body.result as { task: object }).task : body.result) as {
      id: string;
      status: { message: { parts: { data: object }[] } };
    };
    expect(JSON.stringify(task.status.message.parts[0]?.data)).toBe(JSON.stringify(elicitation));
    complete();
    const data = { action: 'accept', content: answer };
    await call([is10 ? { data } : { kind: 'data', data }], { taskId: task.id });
    expect(receivedParts()).toEqual([{ kind: 'data', data }]);
  },
);

describe('an answer in the chat', () => {
  const post = (body: object) =>
    send(`${fixture.parley.url}/api/chat/messages`, {
      body: { messageId: randomUUID(), text: '', ...body },
      cookie: fixture.ada.cookie,
      origin: fixture.parley.url,
    });

  async function asked() {
    ask(own);
    const response = await post({ agentSlug: fixture.slug, text: 'Book' });
    const { conversationId, taskId } = (await response.json()) as { conversationId: string; taskId: string };
    const connection = await connectTo(fixture.parley.url, fixture.ada, fixture.slug);
    await waitFor(
      async () => {
        const { body } = await rpc(connection, 'tasks/get', { id: taskId });
        return (body.result as { status: { state: string } }).status.state === 'input-required';
      },
      { what: 'the question' },
    );
    return { conversationId, taskId };
  }

  test('is sent as a data part, followed by its files', async () => {
    const target = await asked();
    complete();
    const files = [{ name: 'a.txt', mediaType: 'text/plain', bytes: 'YQ==' }];
    expect((await post({ ...target, data: { city: 'Oslo', photo: 'a.txt' }, files })).status).toBe(202);
    await waitFor(() => messages().length === 2, { what: 'the answer' });
    expect(receivedParts()).toMatchObject([
      { kind: 'data', data: { city: 'Oslo', photo: 'a.txt' }, metadata: { 'parley.view': 'form-answer' } },
      { kind: 'file' },
    ]);
  });

  test('is refused outside of a question, and if it is a payment', async () => {
    const { conversationId, taskId } = await asked();
    const refusals = [
      { conversationId, data: { city: 'Oslo' } },
      { conversationId, taskId, data: { 'ap2.mandates.PaymentMandate': {} } },
      { conversationId, taskId, data: { action: 'accept', content: { 'ap2.mandates.PaymentMandate': {} } } },
    ];
    for (const body of refusals) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid_request', title: expect.stringMatching(/^data: /) });
    }
    expect(messages()).toHaveLength(1);
  });
});
