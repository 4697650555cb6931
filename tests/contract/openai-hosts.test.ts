import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatCompletion } from '@/lib/hosts/schema-openai';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { marked, withoutMarker } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** Requests as hosts send them to an OpenAI-compatible connection, and the members that they read in the response. */

let parley: SharedParley;
let ada: Person;
let agent: ScriptedAgent;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  agent = await ScriptedAgent.start({ name: `Hosted ${randomUUID().slice(0, 6)}` });
  slug = await listAgent(parley.url, ada, { url: agent.url });
});
beforeEach(() => {
  agent.received.length = 0;
  answerWith({});
});
afterAll(() => agent?.stop());

/** The agent says "Hello", with this metadata on its last status. */
function answerWith(metadata: object): void {
  agent.answer(({ result, end }) => {
    const id = randomUUID();
    result(agent03.task(id, 'working'));
    result(agent03.status(id, 'working', 'Thinking'));
    result(agent03.artifact(id, 'Hel'));
    result(agent03.artifact(id, 'lo', { append: true }));
    result({ ...agent03.status(id, 'completed'), metadata });
    end();
  });
}

function complete(body: object): Promise<Response> {
  return send(`${parley.url}/v1/chat/completions`, { bearer: ada.accessToken, body: { model: slug, ...body } });
}

const textsReceived = (): (string | undefined)[] =>
  agent.messages.at(-1)?.params.message?.parts.map(({ text }) => text) ?? [];

interface Chunk {
  choices: { delta: { content?: string; reasoning_content?: string }; finish_reason: string | null }[];
  usage?: { total_tokens: number } | null;
}

/** The answer that a client reads from a stream. */
async function readStream(response: Response): Promise<{ content: string; reason: string | null; chunks: Chunk[] }> {
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/event-stream'),
  ]);
  const data = (await response.text()).match(/^data: .*$/gm)?.map((line) => line.slice(6)) ?? [];
  expect(data.at(-1)).toBe('[DONE]');
  const chunks = data.slice(0, -1).map((line) => JSON.parse(line) as Chunk);
  const choices = chunks.flatMap(({ choices }) => choices);
  const reason = choices.at(-1)?.finish_reason ?? null;
  return { content: choices.map(({ delta }) => delta.content ?? '').join(''), reason, chunks };
}

const image = 'data:image/png;base64,aGVsbG8=';
const tool = { type: 'function', function: { name: 'get_time', description: 'Now', parameters: { type: 'object' } } };

const streamed: [string, object, (string | undefined)[]][] = [
  [
    'Open WebUI: a chat with a system prompt, an image, tools and parameters',
    {
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.8,
      max_tokens: 512,
      stop: ['\n###'],
      tools: [tool],
      messages: [
        { role: 'system', content: 'You are helpful.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: image } },
          ],
        },
      ],
    },
    ['You are helpful.', 'What is this?', undefined],
  ],
  [
    'Open WebUI: a chat that was stopped before its first word',
    {
      stream: true,
      messages: [
        { role: 'user', content: 'First' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Again' },
      ],
    },
    [expect.stringContaining('User: First'), 'Again'],
  ],
  [
    'LibreChat: a chat with the user’s id and parts of text',
    {
      user: '65f1c0ffee65f1c0ffee65f1',
      stream: true,
      stream_options: { include_usage: true },
      n: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_p: 1,
      messages: [
        { role: 'system', content: 'Answer in English.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
    },
    ['Answer in English.', 'Hi'],
  ],
  [
    'LiteLLM: a conversation with tools of another model, a developer message and cache markers',
    {
      stream: true,
      stream_options: { include_usage: true },
      user: 'team-1',
      metadata: { trace_id: 'a' },
      max_completion_tokens: 100,
      tool_choice: 'auto',
      tools: [tool],
      response_format: { type: 'text' },
      messages: [
        { role: 'developer', content: 'Be exact.' },
        { role: 'user', content: 'Time?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{}' } }],
          function_call: null,
        },
        { role: 'tool', tool_call_id: 'call_1', name: 'get_time', content: '12:00' },
        { role: 'user', content: [{ type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } }] },
      ],
    },
    ['Be exact.', expect.stringContaining('User: Time?'), 'And now?'],
  ],
  [
    'Continue: a chat with a file in its text and an image with a detail',
    {
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 4_096,
      reasoning_effort: 'medium',
      prediction: { type: 'content', content: 'x' },
      messages: [
        { role: 'system', content: 'You are in agent mode.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: '```a.ts\nlet a;\n```' },
            { type: 'text', text: 'Explain' },
            { type: 'image_url', image_url: { url: image, detail: 'auto' } },
          ],
        },
      ],
    },
    ['You are in agent mode.', '```a.ts\nlet a;\n```', 'Explain', undefined],
  ],
];

describe('a stream for a host', () => {
  test.each(streamed)('is returned for the request of %s', async (_name, body, texts) => {
    const { content, reason, chunks } = await readStream(await complete(body));
    expect([withoutMarker(content), reason]).toEqual(['Hello', 'stop']);
    expect(textsReceived()).toEqual(texts);
    const asked = 'stream_options' in body;
    const last = chunks.at(-1);
    expect(last?.choices.length === 0 && typeof last.usage?.total_tokens === 'number').toBe(asked);
    expect(JSON.stringify(chunks)).not.toContain('tool_calls');
  });
});

const whole: [string, object, string][] = [
  [
    'Open WebUI: a title, tags or follow-up questions',
    {
      stream: false,
      max_completion_tokens: 1_000,
      messages: [{ role: 'user', content: '### Task:\nGenerate a concise title.\n### Chat History:\nUSER: Hi' }],
    },
    '### Task:\nGenerate a concise title.\n### Chat History:\nUSER: Hi',
  ],
  [
    'LibreChat: a title, whose request has instructions only',
    { temperature: 0.2, max_tokens: 16, messages: [{ role: 'system', content: 'Write a title for: Hi' }] },
    'Write a title for: Hi',
  ],
  [
    'LiteLLM: a health check',
    { max_tokens: 1, stream: null, messages: [{ role: 'user', content: 'Are you up?' }] },
    'Are you up?',
  ],
  [
    'Continue: a title of a session',
    { stream: false, max_tokens: 12, temperature: 0, messages: [{ role: 'user', content: 'Title, please' }] },
    'Title, please',
  ],
];

describe('a complete response for a host', () => {
  test.each(whole)('is returned for the request of %s', async (_name, body, text) => {
    const response = await complete(body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringMatching(marked('Hello')) },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect(textsReceived()).toEqual([text]);
  });

  test('includes the model list for a connection check', async () => {
    const response = await send(`${parley.url}/v1/models`, { bearer: ada.accessToken });
    expect(await response.json()).toMatchObject({
      object: 'list',
      data: expect.arrayContaining([
        { id: slug, object: 'model', created: expect.any(Number), owned_by: expect.any(String) },
      ]),
    });
  });
});

describe('the usage that an agent reports', () => {
  const [input, output, total] = [12, 5, 17];
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: total };

  test.each([
    ['OpenAI', { usage }],
    ['Anthropic', { usage: { input_tokens: input, output_tokens: output } }],
    ['the AI SDK', { usage: { inputTokens: input, outputTokens: output, totalTokens: total } }],
    ['ADK', { adk_usage_metadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: total } }],
    ['kagent', { kagent_type: 'x', kagent_usage_metadata: { promptTokenCount: input, candidatesTokenCount: output } }],
    [
      'Gemini',
      { usageMetadata: { prompt_token_count: input, candidates_token_count: output, total_token_count: total } },
    ],
    ['LangChain', { usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: total } }],
  ])('is read under the names of %s', async (_name, metadata) => {
    answerWith(metadata);
    const completion = (await (
      await complete({ messages: [{ role: 'user', content: 'Hi' }] })
    ).json()) as ChatCompletion;
    expect(completion.usage).toEqual(usage);
  });

  test('is in the last chunk of a stream, and in a response', async () => {
    answerWith({ usage });
    const messages = [{ role: 'user', content: 'Hi' }];
    const { chunks } = await readStream(
      await complete({ messages, stream: true, stream_options: { include_usage: true } }),
    );
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
    const response = await send(`${parley.url}/v1/responses`, {
      bearer: ada.accessToken,
      body: { model: slug, input: 'Hi' },
    });
    expect(await response.json()).toMatchObject({
      usage: { input_tokens: input, output_tokens: output, total_tokens: total },
    });
  });

  test('is the last usage in a turn, including usage in messages and artifacts', async () => {
    agent.answer(({ result, end }) => {
      const id = randomUUID();
      const artifact = agent03.artifact(id, 'Hi') as { artifact: object };
      result(agent03.task(id, 'working'));
      result({ ...artifact, artifact: { ...artifact.artifact, metadata: { usage: { total_tokens: 3 } } } });
      const done = agent03.status(id, 'completed', 'Done') as { status: { message: object } };
      result({ ...done, status: { ...done.status, message: { ...done.status.message, metadata: { usage } } } });
      end();
    });
    const completion = (await (
      await complete({ messages: [{ role: 'user', content: 'Hi' }] })
    ).json()) as ChatCompletion;
    expect(completion.usage).toEqual(usage);
  });

  test.each([
    ['negative numbers', { usage: { prompt_tokens: -1, completion_tokens: -2 } }],
    ['fractions', { usage: { prompt_tokens: 1.5 } }],
    ['text', { usage: { prompt_tokens: '12' } }],
    ['numbers that are too large', { usage: { total_tokens: 1e300 } }],
    ['a list', { usage: [1, 2] }],
    ['another member', { usageOfWater: { total_tokens: 3 } }],
  ])('is ignored for %s', async (_name, metadata) => {
    answerWith(metadata);
    const completion = (await (
      await complete({ messages: [{ role: 'user', content: 'Hi' }] })
    ).json()) as ChatCompletion;
    expect(completion.usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
  });
});
