import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** Requests for unsupported features, and conversations with items of other models. */

let parley: SharedParley;
let ada: Person;
let agent: ScriptedAgent;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  agent = await ScriptedAgent.start({ name: `Asked ${randomUUID().slice(0, 6)}` });
  slug = await listAgent(parley.url, ada, { url: agent.url });
  agent.answer(({ result, end }) => {
    result(agent03.status(randomUUID(), 'completed', 'Fine'));
    end();
  });
});
beforeEach(() => {
  agent.received.length = 0;
});
afterAll(() => agent?.stop());

const call = (path: string, body: object): Promise<Response> =>
  send(`${parley.url}/v1/${path}`, { bearer: ada.accessToken, body: { model: slug, ...body } });
const complete = (body: object): Promise<Response> =>
  call('chat/completions', { messages: [{ role: 'user', content: 'Hi' }], ...body });
const respond = (body: object): Promise<Response> => call('responses', { input: 'Hi', ...body });

const partsReceived = () => agent.messages.at(-1)?.params.message?.parts ?? [];
const textsReceived = (): (string | undefined)[] => partsReceived().map(({ text }) => text);

async function expectRefused(response: Response, param: string): Promise<void> {
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      error: {
        message: expect.stringMatching(/xpected|ID of an uploaded file/),
        type: 'invalid_request_error',
        code: 'invalid_request',
        param,
      },
    },
  ]);
  expect(agent.received).toEqual([]);
}

const schema = { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } };
const named = { type: 'function', function: { name: 'x' } };

describe('a request for an unsupported answer format', () => {
  test.each<[string, object]>([
    ['response_format', { response_format: schema }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['response_format', { response_format: 'json' }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tool_choice: named }],
    ['tool_choice', { tool_choice: { type: 'allowed_tools', mode: 'required' } }],
    ['function_call', { function_call: { name: 'x' } }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'alloy', format: 'wav' } }],
  ])('is rejected at /v1/chat/completions: %s in %j', async (param, body) => {
    await expectRefused(await complete(body), param);
  });

  test.each<[string, object]>([
    ['text.format', { text: { format: { ...schema.json_schema, type: 'json_schema' } } }],
    ['text.format', { text: { format: { type: 'json_object' } } }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tool_choice: { type: 'function', name: 'x' } }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['include', { include: ['message.output_text.logprobs'] }],
    ['modalities', { modalities: ['audio'] }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
  ])('is rejected at /v1/responses: %s in %j', async (param, body) => {
    await expectRefused(await respond(body), param);
  });

  test('is accepted if it is for plain text', async () => {
    const asked = {
      ...{ response_format: { type: 'text' }, tool_choice: 'auto', function_call: 'none', n: 1, logprobs: false },
      ...{
        top_logprobs: 0,
        modalities: ['text'],
        audio: null,
        temperature: 0.2,
        tools: [named],
        parallel_tool_calls: true,
      },
    };
    expect((await complete(asked)).status).toBe(200);
    const text = { format: { type: 'text' }, verbosity: 'low' };
    const include = ['reasoning.encrypted_content'];
    expect((await respond({ text, include, tool_choice: 'none', store: false, background: false })).status).toBe(200);
  });
});

describe('an error for an OpenAI request', () => {
  const user = (content: unknown) => ({ role: 'user', content });

  test.each<[string, object]>([
    ['messages', { messages: 'Hi' }],
    ['messages[1].role', { messages: [user('a'), { role: 'robot', content: 'b' }] }],
    ['messages[0].content', { messages: [user(3)] }],
    ['messages[0].content[1].type', { messages: [user([{ type: 'text', text: 'a' }, { type: 'video' }])] }],
    ['messages[0].content[0].file.file_id', { messages: [user([{ type: 'file', file: { file_id: 'file-1' } }])] }],
    ['messages[0].content[0].file', { messages: [user([{ type: 'file', file: {} }])] }],
    ['messages[0].content[0].image_url', { messages: [user([{ type: 'image_url', image_url: { url: 'x' } }])] }],
  ])('names the innermost invalid member at /v1/chat/completions: %s', async (param, body) => {
    await expectRefused(await complete(body), param);
  });

  test.each<[string, object]>([
    ['input', { input: 3 }],
    ['input[1].type', { input: [user('a'), { type: 'nope' }] }],
    ['input[0].role', { input: [{ role: 'robot', content: 'a' }] }],
    ['input[1].arguments', { input: [user('a'), { type: 'function_call', name: 'x' }] }],
    ['input[1].output', { input: [user('a'), { type: 'function_call_output', call_id: 'c' }] }],
    ['input[0].content[0].file_id', { input: [user([{ type: 'input_file', file_id: 'file-1' }])] }],
    ['input[0].content[0].file_id', { input: [user([{ type: 'input_image', file_id: 'file-1' }])] }],
    ['input[0].content[0]', { input: [user([{ type: 'input_file' }])] }],
    ['input[0].content[0].file', { input: [user([{ type: 'input_file', file_url: 'ftp://x' }])] }],
    ['conversation', { conversation: 3 }],
  ])('names the innermost invalid member at /v1/responses: %s', async (param, body) => {
    await expectRefused(await respond(body), param);
  });
});

describe('a conversation with items from other models', () => {
  const callOf = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_time', arguments: '{"zone":"CET"}' };

  test('is accepted as input, with these items converted to text or ignored', async () => {
    const response = await respond({
      input: [
        { role: 'user', content: 'Time?' },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'x' },
        callOf,
        { type: 'function_call_output', call_id: 'c1', output: '12:00' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { type: 'item_reference', id: 'rs_2' },
        { type: 'item_reference', id: `msg_${'0'.repeat(32)}` },
        {
          type: 'message',
          id: 'msg_x',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Noon', annotations: [] }],
        },
        { role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
      ],
    });
    expect(response.status, await response.clone().text()).toBe(200);
    expect(textsReceived()).toEqual([
      'Earlier messages of this conversation:\n\nUser: Time?\n\nAssistant: Called get_time({"zone":"CET"})\n\nTool: 12:00\n\nAssistant: Noon',
      'And now?',
    ]);
  });

  test.each([
    ['with call_id', { call_id: 'c1' }],
    ['without call_id', {}],
  ])('may end with a tool result, %s', async (_name, id) => {
    const output = [{ type: 'input_text', text: '12:00' }];
    const items = [{ role: 'user', content: 'Time?' }, callOf, { type: 'function_call_output', ...id, output }];
    expect((await respond({ input: items })).status).toBe(200);
    const texts = ['Time?', 'Assistant: Called get_time({"zone":"CET"})', 'Tool: 12:00'];
    expect(textsReceived()).toEqual(texts);
    const messages = [
      { role: 'user', content: 'Time?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_time', arguments: '{"zone":"CET"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '12:00' },
    ];
    expect((await complete({ messages })).status).toBe(200);
    expect(textsReceived()).toEqual(texts);
  });

  test('may contain a file with a URL, which becomes a link', async () => {
    const file = { type: 'input_file', file_url: 'https://example.com/a.pdf', filename: 'a.pdf' };
    const response = await respond({
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Read' }, file] }],
    });
    expect(response.status, await response.clone().text()).toBe(200);
    expect(partsReceived()[1]).toMatchObject({
      kind: 'file',
      file: { uri: 'https://example.com/a.pdf', name: 'a.pdf' },
    });
  });
});
