import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import OpenAI, { type APIError, AuthenticationError, NotFoundError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { marked, withoutMarker } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let person: Person;
let agents: { url: string; stop: () => Promise<void> }[];
let models: string[];
let client: OpenAI;

beforeAll(async () => {
  parley = await sharedParley();
  person = await createPerson(parley.url);
  agents = await Promise.all([startSdk03Agent(), startSdk10Agent()]);
  models = [];
  for (const { url } of agents) models.push(await listAgent(parley.url, person, { url }));
  client = new OpenAI({ apiKey: person.accessToken, baseURL: `${parley.url}/v1` });
});
afterAll(async () => {
  await Promise.all((agents ?? []).map(({ stop }) => stop()));
});

const ask = (content: string) => [{ role: 'user' as const, content }];

describe.each([
  ['0.3', 0],
  ['1.0', 1],
])('the openai package with an A2A %s agent', (_version, index) => {
  const model = (): string => models[index] ?? '';

  test('receives a completion', async () => {
    const completion = await client.chat.completions.create({ model: model(), messages: ask('hello') });
    expect(completion.choices[0]?.message.content).toMatch(marked('hello'));
    expect(completion.choices[0]?.finish_reason).toBe('stop');
  });

  test('streams a completion in the agent’s chunks', async () => {
    const stream = await client.chat.completions.create({ model: model(), messages: ask('stream me'), stream: true });
    const pieces: string[] = [];
    for await (const { choices } of stream) if (choices[0]?.delta.content) pieces.push(choices[0].delta.content);
    expect(pieces).toEqual(['st', 'ream me', expect.stringMatching(marked(''))]);
  });

  test('answers the agent’s question by sending the transcript', async () => {
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = ask('ask');
    const asked = await client.chat.completions.create({ model: model(), messages }).withResponse();
    const question = asked.data.choices[0]?.message;
    expect(question?.content).toMatch(marked('What?'));
    messages.push({ role: 'assistant', content: question?.content ?? '' }, ...ask('This'));
    const answered = await client.chat.completions.create({ model: model(), messages }).withResponse();
    expect(answered.data.choices[0]?.message.content).toMatch(marked('This'));
    expect(answered.response.headers.get('x-parley-task')).toBe(asked.response.headers.get('x-parley-task'));
  });

  test('creates responses, and the second answers the question that the first one asked', async () => {
    const asked = await client.responses.create({ model: model(), input: 'ask' });
    expect([asked.status, withoutMarker(asked.output_text)]).toEqual(['completed', 'What?']);
    const answered = await client.responses.create({
      ...{ model: model(), previous_response_id: asked.id },
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'This' }] }],
    });
    expect(answered.output_text).toBe('This');
    expect(answered.id.slice(0, 41)).toBe(asked.id.slice(0, 41));
  });

  test('streams a response in the agent’s chunks', async () => {
    const stream = client.responses.stream({ model: model(), input: 'stream me' });
    const pieces: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => pieces.push(delta));
    const response = await stream.finalResponse();
    expect(pieces).toEqual(['st', 'ream me', expect.stringMatching(marked(''))]);
    const [message] = response.output;
    expect(message).toMatchObject({
      status: 'completed',
      content: [{ type: 'output_text', text: expect.stringMatching(marked('stream me')) }],
    });
  });

  test('aborts a stream without a server error', async () => {
    const stream = await client.chat.completions.create({ model: model(), messages: ask('stop me'), stream: true });
    for await (const _ of stream) break;
    stream.controller.abort();
    const next = await client.chat.completions.create({ model: model(), messages: ask('next') });
    expect(next.choices[0]?.message.content).toMatch(marked('next'));
  });
});

test('the openai package retries a request if its connection is lost, and the agent runs once', async () => {
  const agent = await ScriptedAgent.start({ name: 'Slow' });
  const model = await listAgent(parley.url, person, { url: agent.url });
  let release = (): void => undefined;
  let arrive = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  agent.answer(async ({ result, end }) => {
    arrive();
    await released;
    result(agent03.status('t', 'completed', `Run ${agent.received.length}`));
    end();
  });
  const counts: (string | null)[] = [];
  const losesFirst: typeof fetch = async (url, init) => {
    counts.push(new Headers(init?.headers).get('x-stainless-retry-count'));
    if (counts.length > 1) {
      release();
      return fetch(url, init);
    }
    const controller = new AbortController();
    const lost = fetch(url, { ...init, signal: controller.signal });
    await arrived;
    controller.abort(new TypeError('fetch failed'));
    return lost;
  };
  const repeating = new OpenAI({ apiKey: person.accessToken, baseURL: `${parley.url}/v1`, fetch: losesFirst });
  const completion = await repeating.chat.completions.create({ model, messages: ask('Long work') });
  expect(completion.choices[0]?.message.content).toMatch(marked('Run 1'));
  expect([counts, agent.received.length]).toEqual([['0', '1'], 1]);
  await agent.stop();
});

test('the openai package lists the models in use and raises its own errors', async () => {
  const listed: string[] = [];
  for await (const { id } of client.models.list()) listed.push(id);
  expect(listed).toEqual(expect.arrayContaining(models));
  expect(await client.models.retrieve(models[0] ?? '')).toMatchObject({ id: models[0], object: 'model' });
  const messages = ask('hello');
  await expect(client.chat.completions.create({ model: 'no-such', messages })).rejects.toThrow(NotFoundError);
  const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${parley.url}/v1` });
  await expect(stranger.models.list()).rejects.toThrow(AuthenticationError);
  const bad = client.chat.completions.create({ model: models[0] ?? '', messages, n: 2 });
  await expect(bad).rejects.toMatchObject({
    status: 400,
    param: 'n',
    code: 'invalid_request',
  } satisfies Partial<APIError>);
});

test('the openai package runs the example from the docs', async () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/site/use-openai-libraries.mdx', 'utf8')) ?? [];
  const file = path.join(import.meta.dirname, 'docs-example.tmp.mjs');
  writeFileSync(file, code.replace('https://parley.example', parley.url).replace("'analyst'", `'${models[0]}'`));
  try {
    const env = { ...process.env, PARLEY_TOKEN: person.accessToken };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout).toContain('Rome,12.5');
  } finally {
    rmSync(file);
  }
});
