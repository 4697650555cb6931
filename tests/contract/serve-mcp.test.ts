import { chooseWithModel } from '@parley/agent/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpenAiServer } from '../fakes/openai-server';
import { post, readEvents, rpc } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { McpServing, partsOf, questionOf, reasonOf, type Task, textOf } from './serve-mcp-fixture';

/** An MCP server in a process as an agent, through the connection of `parley serve`. */
let serving: McpServing;

beforeAll(async () => {
  serving = await McpServing.start({ env: { PARLEY_TOKEN: 'parley_pat_own' } });
});
afterAll(() => serving?.stop());

const form = { 'parley.view': 'form-answer' };

describe('the card', () => {
  test('has the tools as skills, and a call as the example of a tool that changes nothing', async () => {
    await waitFor(async () => (await serving.skills()).length > 10, { what: 'the tools in the card' });
    const [echo] = await serving.skills();
    expect(echo).toMatchObject({ id: 'echo', name: 'Echo', tags: ['mcp', 'read-only'] });
  });

  test('follows the tools of the server', async () => {
    expect(textOf(await serving.call('change'))).toBe('changed');
    const hasAdded = async (): Promise<boolean> => (await serving.skills()).some(({ id }) => id === 'added');
    await waitFor(hasAdded, { what: 'the new tool in the card' });
    expect(textOf(await serving.call('added'))).toBe('added {}');
  });
});

describe('a message', () => {
  test('calls a tool as data, or as JSON in words', async () => {
    const call = { tool: 'echo', arguments: { text: 'hi' } };
    expect(textOf(await serving.call('echo', { text: 'hi' }))).toBe('You said: hi');
    expect(textOf(await serving.ask([{ text: JSON.stringify(call) }]))).toBe('You said: hi');
  });

  test('in words is answered with a choice of tools, then the tool’s form, whose answer is the call', async () => {
    const first = await serving.ask([{ text: 'Please help' }]);
    expect(first.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const choices = expect.arrayContaining([{ const: 'echo', title: 'Echo: Says the text again' }]);
    expect(questionOf(first)).toMatchObject({ kind: 'form', schema: { properties: { tool: { oneOf: choices } } } });
    const reply = { taskId: first.id, contextId: first.contextId };
    const second = await serving.ask([{ data: { tool: 'echo' }, metadata: form }], reply);
    expect(questionOf(second)).toMatchObject({
      kind: 'form',
      message: 'Says the text again',
      schema: {
        properties: { tool: { const: 'echo' }, arguments: { title: 'Echo', properties: { text: { title: 'Text' } } } },
        required: ['tool', 'arguments'],
      },
    });
    const answer = { tool: 'echo', arguments: { text: 'from a form' } };
    const third = await serving.ask([{ data: answer, metadata: form }], reply);
    expect([third.status.state, textOf(third)]).toEqual(['TASK_STATE_COMPLETED', 'You said: from a form']);
  });

  test('in words names a tool, and then is its only text', async () => {
    const asked = await serving.ask([{ text: 'Echo' }]);
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await serving.ask([{ text: 'plain words' }], { taskId: asked.id, contextId: asked.contextId });
    expect(textOf(done)).toBe('You said: plain words');
  });

  test('that lacks a required argument is answered with the form and what is known', async () => {
    const asked = await serving.call('echo', {});
    expect(questionOf(asked)).toMatchObject({ message: expect.stringContaining('"text" is required.') });
    const unknown = await serving.call('no-such-tool');
    expect(questionOf(unknown)).toMatchObject({ message: expect.stringContaining('There is no tool "no-such-tool".') });
  });
});

describe('a server with one tool that requires one text', () => {
  test('is called with the words of a message', async () => {
    const single = await McpServing.start({ fake: { only: ['echo'] } });
    expect(textOf(await single.ask([{ text: 'just words' }]))).toBe('You said: just words');
    await single.stop();
  });
});

describe('a model that chooses tools by words', () => {
  let model: OpenAiServer;
  let chosen: McpServing;
  const remove = {
    name: 'delete',
    title: 'Delete a file',
    inputSchema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  };

  beforeAll(async () => {
    model = await OpenAiServer.start();
    const choose = chooseWithModel({ url: model.url, model: 'm-1', apiKey: 'sk-secret' });
    chosen = await McpServing.start({ choose, fake: { only: ['echo', 'fail', 'delete'], tools: [remove] } });
  });
  afterAll(async () => {
    await chosen?.stop();
    await model?.stop();
  });

  const answers = (message: object): void =>
    model.answer(({ response }) => void response.end(JSON.stringify({ choices: [{ message }] })));
  const suggests = (name: string, args: object | string): void =>
    answers({
      tool_calls: [{ function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } }],
    });

  test('calls one that changes nothing', async () => {
    suggests('t0_echo', { text: 'good morning' });
    expect(textOf(await chosen.ask([{ text: 'Say good morning' }]))).toBe('You said: good morning');
    const { authorization, body } = model.requests.at(-1) ?? {};
    expect(authorization).toBe('Bearer sk-secret');
    expect(body).toMatchObject({ model: 'm-1', stream: false, tools: [{ function: { name: 't0_echo' } }, {}, {}] });
    expect(body?.messages.at(-1)).toEqual({ role: 'user', content: 'Say good morning' });
  });

  test('AUZ-5: fills in the form of one that may change something, which the caller sends', async () => {
    suggests('t2_delete', { file: 'old.txt' });
    const asked = await chosen.ask([{ text: 'Remove old.txt' }]);
    expect(questionOf(asked)).toMatchObject({
      message: expect.stringContaining('Please check this'),
      values: { arguments: { file: 'old.txt' } },
    });
    suggests('t1_fail', {});
    expect(questionOf(await chosen.ask([{ text: 'Do it' }]))).toMatchObject({
      schema: { properties: { tool: { oneOf: [{ const: 'fail' }] } } },
    });
  });

  test('asks in words, and is given the words before', async () => {
    answers({ content: 'Which file?' });
    const asked = await chosen.ask([{ text: 'Remove a file' }]);
    expect([asked.status.state, reasonOf(asked)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'Which file?']);
    suggests('t2_delete', { file: 'b.txt' });
    await chosen.ask([{ text: 'b.txt' }], { taskId: asked.id, contextId: asked.contextId });
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toBe('Remove a file\nb.txt');
  });

  test.each([
    ['a tool that does not exist', () => suggests('t9_format-disk', {})],
    ['arguments that are no JSON', () => suggests('t0_echo', '{"text":')],
    ['nothing', () => answers({})],
    ['no JSON', () => model.answer(({ response }) => void response.end('<html>'))],
    ['an error', () => model.answer(({ refuse }) => refuse(500, 'overloaded'))],
  ])('calls nothing if it suggests %s', async (_what, script) => {
    script();
    const asked = await chosen.ask([{ text: 'Something' }]);
    expect(asked.status.state).toMatch(/INPUT_REQUIRED|FAILED/);
    expect(asked.artifacts ?? []).toEqual([]);
  });
});

describe('a result', () => {
  test('becomes texts, data and files; what cannot be passed on is named', async () => {
    const parts = partsOf(await serving.call('image'));
    expect(parts).toMatchObject([
      { text: expect.stringContaining('"audio-2.wav", which is not valid Base64') },
      { text: 'secret (memory://secret)' },
      { text: expect.stringContaining('content of the type "hologram"') },
      { raw: 'iVBORw0KGgo=', mediaType: 'image/png', filename: 'image-1.png' },
      { text: 'A note', mediaType: 'text/plain', filename: 'a.txt' },
      { url: 'https://files.example/b.pdf', mediaType: 'application/pdf', filename: 'b.pdf' },
    ]);
    expect(partsOf(await serving.call('structured'))).toMatchObject([{ data: { rows: [1, 2] } }]);
  });

  test('that is an error fails the task with its text', async () => {
    const failed = await serving.call('fail');
    expect([failed.status.state, reasonOf(failed)]).toEqual(['TASK_STATE_FAILED', 'The printer is on fire.']);
    expect(reasonOf(await serving.call('reject'))).toContain('Invalid arguments for tool');
  });

  test('of a tool with an app contains the app, with what it may load and the call', async () => {
    const app = partsOf(await serving.call('app')).find(({ mediaType }) => mediaType === 'text/html;profile=mcp-app');
    expect(Buffer.from(app?.raw ?? '', 'base64').toString()).toBe('<p>App</p>');
    expect(app?.metadata).toMatchObject({
      'mcp.resourceUri': 'ui://fake/app',
      'mcp.ui': { csp: { connectDomains: ['https://api.example'] } },
      'mcp.call': { tool: 'app', arguments: {}, result: { content: [{ text: 'shown in an app' }] } },
    });
  });

  test('is preceded by its progress, each text once', async () => {
    const params = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data: { tool: 'progress' } }] } };
    const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params };
    const events = await readEvents(await post(serving.caller, request), () => false);
    const texts = JSON.stringify(events).match(/"text":"(?:half|most|done)"/g);
    expect(texts).toEqual(['"text":"half"', '"text":"most"', '"text":"done"']);
  });
});

describe('a question of the server', () => {
  const ask = async (answer: object): Promise<Task> => {
    const asked = await serving.call('ask');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(questionOf(asked)).toMatchObject({ message: 'Where to?', requestedSchema: { required: ['city'] } });
    return serving.ask([answer], { taskId: asked.id, contextId: asked.contextId });
  };

  test.each([
    ['the values of a form', { data: { action: 'accept', content: { city: 'Oslo' } } }, 'accept Oslo'],
    ['bare values', { data: { city: 'Rome' } }, 'accept Rome'],
    ['words', { text: 'Bern' }, 'accept Bern'],
    ['a refusal', { text: 'No' }, 'decline'],
  ])('is answered with %s in the same call', async (_what, answer, expected) => {
    expect(textOf(await ask(answer))).toBe(expected);
  });

  test('for a model or folders is declined', async () => {
    expect(textOf(await serving.call('sample'))).toBe('-1 -32601 -32601{}');
  });
});

describe('a cancel', () => {
  test('reaches the server', async () => {
    const params = { message: { messageId: 'm-2', role: 'ROLE_USER', parts: [{ data: { tool: 'wait' } }] } };
    const sent = await rpc(serving.caller, 'SendMessage', { ...params, configuration: { returnImmediately: true } });
    const { task } = sent.body.result as { task: Task };
    await waitFor(() => serving.lines.includes('mcp: waiting'), { what: 'the call' });
    await rpc(serving.caller, 'CancelTask', { id: task.id });
    await waitFor(() => serving.lines.some((line) => line.startsWith('mcp: canceled')), { what: 'the notification' });
  });
});

describe('the process', () => {
  test('does not receive Parley’s credentials', async () => {
    expect(textOf(await serving.call('env'))).toBe('["FAKE_MCP"]');
  });

  test('is started again after a crash, which fails the running call with its reason', async () => {
    const failed = await serving.call('close');
    expect(reasonOf(failed)).toBe('The MCP server ended (exit code 3).');
    expect(textOf(await serving.call('echo', { text: 'again' }))).toBe('You said: again');
  });
});
