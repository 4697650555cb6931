import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type FromOpenAIOptions, fromOpenAI, type Connection as Served } from '@parley/agent/serve';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeUsage, OpenAiServer } from '../fakes/openai-server';
import { message10, post, readEvents, rpc, send, withHeaders } from '../support/fixtures';
import { marked } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

interface Task {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
}

let parley: SharedParley;
let agent: HubAgent;
let model: OpenAiServer;
const served: Served[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  agent = await listHubAgent(parley);
});
beforeEach(async () => {
  model = await OpenAiServer.start();
  errors.length = 0;
});
afterEach(async () => {
  for (const connection of served.splice(0)) await connection.drain({ timeoutMs: 0 });
  await model.stop();
});

async function serving(options: Partial<FromOpenAIOptions> = {}, to: HubAgent = agent): Promise<void> {
  const { handle } = fromOpenAI({ url: model.url, model: 'm-1', apiKey: 'sk-secret', ...options });
  const connection = await connect({
    url: parley.url,
    agent: to.slug,
    token: to.token,
    handle,
    onTurn: ({ error }) => error && errors.push(error),
  });
  served.push(connection);
  await waitFor(() => connection.state === 'online', { what: 'the worker to be online' });
}

const v10 = () => withHeaders(agent.caller, { 'a2a-version': '1.0' });

async function ask(text: string, extra: object = {}): Promise<Task> {
  const { body } = await rpc(v10(), 'SendMessage', message10(text, extra));
  expect(body.error).toBeUndefined();
  return (body.result as { task: Task }).task;
}

async function askParts(parts: object[]): Promise<Task> {
  return ask('', { parts });
}

const textOf = ({ artifacts = [] }: Task): string =>
  artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

const reasonOf = ({ status }: Task): string | undefined => status.message?.parts[0]?.text;

describe('an agent that uses an OpenAI-compatible API', () => {
  it('sends the system prompt and the message, and streams the answer as the model writes it', async () => {
    await serving({ system: 'Be brief.', parameters: { temperature: 0.2 } });
    let seen = false;
    model.answer(async ({ chunk, finish }) => {
      chunk({ content: 'st' });
      await waitFor(() => seen, { what: 'the first piece at the caller' });
      chunk({ content: 'ream' });
      finish();
    });
    const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('Hi') };
    const events = await readEvents(await post(v10(), request), (all) => {
      seen ||= JSON.stringify(all).includes('"text":"st"');
      return false;
    });
    expect(events.at(-1)?.data).toMatchObject({
      result: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' }, metadata: { usage: fakeUsage } } },
    });
    expect(model.requests).toEqual([
      {
        authorization: 'Bearer sk-secret',
        body: {
          model: 'm-1',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hi' },
          ],
          stream: true,
          stream_options: { include_usage: true },
          temperature: 0.2,
        },
      },
    ]);
  });

  it('stores each caller’s conversations separately, with answered messages only', async () => {
    await serving();
    model.says('One.');
    const first = await ask('First');
    model.answer(({ refuse }) => refuse(500, 'overloaded'));
    await ask('Lost', { contextId: first.contextId });
    model.says('Two.');
    await ask('Second', { contextId: first.contextId });
    expect(model.requests.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Second' },
    ]);
    await ask('Other');
    expect(model.requests.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'Other' }]);
  });

  it('shows the model’s reasoning as its status, line by line', async () => {
    await serving();
    model.answer(({ chunk, finish }) => {
      for (const reasoning_content of ['Let me', ' think.\n', 'Yes']) chunk({ reasoning_content });
      chunk({ content: 'Done' });
      finish();
    });
    const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('Hi') };
    const events = JSON.stringify(await readEvents(await post(v10(), request)));
    expect(events).toContain('"text":"Let me think."');
    expect(events).toContain('"text":"Yes"');
  });

  it('reads images, data and text files, and sends links as text so that the model’s server fetches nothing', async () => {
    await serving();
    const csv = Buffer.from('a,b\n1,2').toString('base64');
    await askParts([
      { text: 'See' },
      { raw: 'aGk=', mediaType: 'image/png', filename: 'a.png' },
      { raw: csv, mediaType: 'text/csv', filename: 'a.csv' },
      { data: { kind: 'point', x: 1 } },
    ]);
    expect(model.requests.at(-1)?.body.messages[0]?.content).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { type: 'text', text: 'a.csv:\n```\na,b\n1,2\n```' },
      { type: 'text', text: '```json\n{"kind":"point","x":1}\n```' },
    ]);
    const refused = await askParts([{ raw: 'aGk=', mediaType: 'application/zip', filename: 'a.zip' }]);
    expect([refused.status.state, reasonOf(refused)]).toEqual([
      'TASK_STATE_FAILED',
      'This agent reads text and images. It cannot read a.zip (application/zip).',
    ]);
  });

  it('reads a completion that is not streamed', async () => {
    await serving();
    model.answer(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }], usage: fakeUsage }),
      );
    });
    expect(textOf(await ask('Hi'))).toBe('Whole');
  });

  it.each([
    ['a refusal of the message', 400, 'The model refused the message: too long'],
    ['too many requests', 429, 'The model behind this agent is not available. Try again later.'],
    ['an error of the server', 503, 'The model behind this agent is not available. Try again later.'],
  ])('fails with the reason after %s', async (_what, status, reason) => {
    await serving();
    model.answer(({ refuse }) => refuse(status, 'too long'));
    const task = await ask('Hi');
    expect([task.status.state, reasonOf(task)]).toEqual(['TASK_STATE_FAILED', reason]);
    expect(String((errors[0] as Error).cause)).toContain(`HTTP ${status}: too long`);
  });

  it('reports only to its operator that its own key is rejected', async () => {
    await serving();
    model.answer(({ refuse }) => refuse(401, 'Incorrect API key provided: sk-secret'));
    const task = await ask('Hi');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toMatch(/sk-secret|API key/);
    expect(String(errors[0])).toContain('HTTP 401: Incorrect API key');
  });

  it.each([
    [
      'an error in the stream',
      (event: (data: string) => void) => event('{"error":{"message":"out of memory"}}'),
      /^The model stopped: out of memory$/,
    ],
    ['a stream that ends early', () => undefined, /cut off/],
  ])('fails after %s even if the answer has begun', async (_what, fail, reason) => {
    await serving();
    model.answer(({ chunk, event, response }) => {
      chunk({ content: 'Half' });
      fail(event);
      response.end();
    });
    const task = await ask('Hi');
    expect([task.status.state, textOf(task)]).toEqual(['TASK_STATE_FAILED', 'Half']);
    expect(reasonOf(task)).toMatch(reason);
  });

  it.each([
    ['withheld', 'content_filter', 'The model withheld its answer.'],
    ['empty', 'stop', 'The model gave no answer.'],
  ])('fails if the answer is %s', async (_what, finishReason, reason) => {
    await serving();
    model.answer(({ finish }) => finish(finishReason));
    expect(reasonOf(await ask('Hi'))).toBe(reason);
  });

  it('never follows a redirect with its key', async () => {
    const other = await OpenAiServer.start();
    await serving();
    model.answer(({ response }) => void response.writeHead(307, { location: `${other.url}/chat/completions` }).end());
    expect(reasonOf(await ask('Hi'))).toMatch(/not available/);
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('ends the request if the caller cancels', async () => {
    await serving();
    let isGone = false;
    model.answer(async ({ chunk, gone }) => {
      chunk({ content: 'working' });
      await gone;
      isGone = true;
    });
    const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('long') };
    const events = await readEvents(await post(v10(), request), (all) => JSON.stringify(all).includes('working'));
    const [first] = events as { data: { result: { task: Task } } }[];
    const { body } = await rpc(v10(), 'CancelTask', { id: first?.data.result.task.id });
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await waitFor(() => isGone, { what: 'the end of the request' });
  });
});

describe('an agent that uses Parley’s own OpenAI-compatible API', () => {
  it('returns another agent’s answer, with its chunks and its usage', async () => {
    const other = await listHubAgent(parley);
    model.says('Hel', 'lo, Ada');
    await serving({}, other);
    await serving({ url: `${parley.url}/v1`, model: other.slug, apiKey: other.owner.accessToken });
    const response = await send(`${parley.url}/v1/chat/completions`, {
      bearer: agent.owner.accessToken,
      body: { model: agent.slug, messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: expect.stringMatching(marked('Hello, Ada')) }, finish_reason: 'stop' }],
      usage: fakeUsage,
    });
    expect(model.requests.map(({ body }) => body.model)).toEqual(['m-1']);
  });
});

describe('parley serve --openai', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-openai-'));
  let child: ChildProcess | null = null;
  let output = '';

  afterEach(() => child?.kill('SIGKILL'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(args: string[], env: Record<string, string> = {}): ChildProcess {
    output = '';
    child = spawn(process.execPath, [path.resolve('packages/cli/bin/parley.mjs'), 'serve', ...args], {
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH,
        PARLEY_API_URL: parley.url,
        PARLEY_TOKEN: agent.token,
        PARLEY_CONFIG_DIR: folder,
        ...env,
      },
      stdio: 'pipe',
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece));
    return child;
  }

  it('serves a model with the key from the environment', async () => {
    const args = ['--openai', model.url, '--model', 'm-2', '--system', 'Be kind.', '--agent', agent.slug];
    run(args, { OPENAI_API_KEY: 'sk-from-environment' });
    await waitFor(() => output.includes('Connected.'), { what: 'the connection' });
    expect(textOf(await ask('Hi'))).toBe('Hello');
    expect(model.requests).toMatchObject([
      { authorization: 'Bearer sk-from-environment', body: { model: 'm-2', messages: [{ content: 'Be kind.' }, {}] } },
    ]);
  });

  it.each([
    [['--agent', 'a'], 'Expected a file or the URL of a local server.'],
    [['--agent', 'a', '--openai', 'http://127.0.0.1:9/v1'], 'Expected a file or the URL of a local server.'],
    [['--agent', 'a', '--openai', 'localhost', '--model', 'm'], '"localhost" is not a URL.'],
    [
      ['./agent.ts', '--agent', 'a', '--openai', 'http://127.0.0.1:9/v1', '--model', 'm'],
      'Expected either a file or URL',
    ],
  ])('rejects %j', async (args, message) => {
    const started = run(args);
    const code = await new Promise((resolve) => started.once('close', resolve));
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });
});
