import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatCompletion } from '@/lib/hosts/schema-openai';
import * as agent03 from '../fakes/a2a03';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { marked, withoutMarker } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';

interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

let parley: SharedParley;
let ada: Person;
let bob: Person;
let agent: ScriptedAgent;
let slug: string;
/** Only Ada may call it. */
let privateSlug: string;

beforeAll(async () => {
  parley = await sharedParley();
  [ada, bob] = await Promise.all([createPerson(parley.url, 'Ada'), createPerson(parley.url, 'Bob')]);
  agent = await ScriptedAgent.start({ name: `Completer ${randomUUID().slice(0, 6)}` });
  slug = await listAgent(parley.url, ada, { url: agent.url });
  const secret = await ScriptedAgent.start({ name: 'Secret completer' });
  privateSlug = await listAgent(parley.url, ada, { url: secret.url, visibility: 'private' });
  await secret.stop();
});
afterAll(() => agent?.stop());

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

function complete(body: object, { person = ada, headers = {} }: { person?: Person; headers?: object } = {}) {
  return send(`${parley.url}/v1/chat/completions`, {
    bearer: person.accessToken,
    body: { model: slug, ...body },
    headers: { ...headers },
  });
}

async function contentOf(response: Response): Promise<string> {
  expect(response.status, await response.clone().text()).toBe(200);
  return withoutMarker(((await response.json()) as ChatCompletion).choices[0]?.message.content ?? '');
}

async function errorOf(response: Response): Promise<ErrorBody['error'] & { status: number }> {
  return { ...((await response.json()) as ErrorBody).error, status: response.status };
}

/** The texts of the last message that the agent received. */
function received(): { texts: (string | undefined)[]; contextId?: string; taskId?: string; kinds: string[] } {
  const message = agent.messages.at(-1)?.params.message;
  return {
    texts: message?.parts.map(({ text }) => text) ?? [],
    kinds: message?.parts.map(({ kind }) => kind) ?? [],
    contextId: message?.contextId,
    taskId: message?.taskId,
  };
}

/** The agent answers every message with these events. */
function answerWith(...events: ((taskId: string) => object)[]): void {
  agent.answer(({ result, end }: Exchange) => {
    const taskId = randomUUID();
    result(agent03.task(taskId, 'working'));
    for (const event of events) result(event(taskId));
    end();
  });
}

const says = (text: string) =>
  answerWith(
    (id) => agent03.artifact(id, text),
    (id) => agent03.status(id, 'completed'),
  );

describe('a chat completion', () => {
  test('is one turn of a task, with artifacts and messages as content and working statuses as reasoning', async () => {
    answerWith(
      (id) => agent03.status(id, 'working', 'Looking it up'),
      (id) => agent03.artifact(id, 'It is '),
      (id) => agent03.artifact(id, 'sunny.', { append: true }),
      (id) => agent03.status(id, 'completed', 'Anything else?'),
    );
    const response = await complete({ messages: [user('Weather?')] });
    const completion = (await response.json()) as ChatCompletion;
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: slug,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', refusal: null } }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect(completion.choices[0]?.message.content).toMatch(marked('It is sunny.\n\nAnything else?'));
    expect(completion.choices[0]?.message.reasoning_content).toBe('Looking it up\n');
    expect(completion.id).toBe(`chatcmpl-${response.headers.get('x-parley-task')}`);
    expect(received().texts).toEqual(['Weather?']);
  });

  test('streams chunks with one id: the role first, then the reasoning, usage on request, and [DONE] last', async () => {
    answerWith(
      (id) => agent03.status(id, 'working', 'Thinking'),
      (id) => agent03.artifact(id, 'a'),
      (id) => agent03.artifact(id, 'b', { append: true }),
      (id) => agent03.status(id, 'completed'),
    );
    const body = { messages: [user('Letters')], stream: true, stream_options: { include_usage: true } };
    const response = await complete(body);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const data = (await response.text()).match(/^data: .*$/gm)?.map((line) => line.slice(6)) ?? [];
    expect(data.at(-1)).toBe('[DONE]');
    const chunks = data.slice(0, -1).map((text) => JSON.parse(text));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'Thinking\n' },
      { content: 'a' },
      { content: 'b' },
      { content: expect.stringMatching(marked('')) },
      {},
      undefined,
    ]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: null });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 0 } });
  });

  test('contains no tool calls: data is returned as JSON, and payment objects are omitted', async () => {
    answerWith(
      (id) => ({
        ...agent03.artifact(id, ''),
        artifact: {
          artifactId: 'data',
          parts: [
            { kind: 'text', text: 'Found:' },
            { kind: 'data', data: { rows: 2 } },
            { kind: 'data', data: { 'ap2.mandates.IntentMandate': {} } },
          ],
        },
      }),
      (id) => agent03.status(id, 'completed'),
    );
    const tools = [{ type: 'function', function: { name: 'pay', parameters: {} } }];
    const response = await complete({ messages: [user('Rows')], tools, tool_choice: 'auto' });
    const text = await response.clone().text();
    expect(text).not.toContain('tool_calls');
    expect(await contentOf(response)).toBe('Found:\n\n```json\n{\n  "rows": 2\n}\n```');
  });

  test('contains links to files that only the user can download', async () => {
    answerWith(
      (id) => ({
        ...agent03.artifact(id, ''),
        artifact: {
          artifactId: 'report/1',
          parts: [{ kind: 'file', file: { bytes: 'aGVsbG8=', name: 'a [1].txt', mimeType: 'text/html' } }],
        },
      }),
      (id) => agent03.status(id, 'completed'),
    );
    const content = await contentOf(await complete({ messages: [user('File')] }));
    const [, label, link = ''] = /^\[(.*)\]\(<(.*)>\)$/.exec(content) ?? [];
    expect(label).toBe('a  1 .txt');
    const path = new URL(link).pathname;
    const file = await send(`${parley.url}${path}`, { bearer: ada.accessToken });
    expect([file.status, await file.text()]).toEqual([200, 'hello']);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await send(`${parley.url}${path}`, { bearer: bob.accessToken })).status).toBe(404);
    expect((await fetch(`${parley.url}${path}`)).status).toBe(401);
  });

  test('for a failed task is an error that clients do not retry, even during a stream', async () => {
    answerWith(
      (id) => agent03.artifact(id, 'Half'),
      (id) => agent03.status(id, 'failed', 'Out of ink'),
    );
    const error = await errorOf(await complete({ messages: [user('Print')] }));
    expect(error).toMatchObject({ status: 422, code: 'task_failed', message: 'Out of ink', param: null });
    const text = await (await complete({ messages: [user('Print it')], stream: true })).text();
    expect(text).toContain('"content":"Half"');
    expect(text).not.toContain('[DONE]');
    expect(text).toContain('"code":"task_failed"');
  });
});

describe('a conversation', () => {
  test('continues the context that X-Parley-Context names', async () => {
    says('One');
    const contextId = randomUUID();
    const headers = { 'x-parley-context': contextId };
    for (const text of ['1', '2']) {
      const response = await complete({ messages: [user(text)] }, { headers });
      expect(response.headers.get('x-parley-context')).toBe(contextId);
    }
  });

  test('forwards images and files in messages as parts', async () => {
    says('Seen');
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const linked = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const response = await complete({ messages: [user([{ type: 'text', text: 'What is it?' }, image, linked])] });
    await contentOf(response);
    expect(received().kinds).toEqual(['text', 'file', 'file']);
    const bad = { type: 'image_url', image_url: { url: 'file:///etc/passwd' } };
    expect(await errorOf(await complete({ messages: [user([bad])] }))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    });
  });
});

describe('an OpenAI response', () => {
  const respond = (body: object, person = ada) =>
    send(`${parley.url}/v1/responses`, { bearer: person.accessToken, body: { model: slug, ...body } });

  test('for a failed task has the status failed, including in the last event of a stream', async () => {
    answerWith((id) => agent03.status(id, 'failed', 'Out of ink'));
    const failed = await respond({ input: 'Print' });
    expect([failed.status, await failed.json()]).toMatchObject([
      200,
      { object: 'response', status: 'failed', output: [], error: { message: 'Out of ink' } },
    ]);
    const text = await (await respond({ input: 'Print it', stream: true })).text();
    const events = text.match(/^data: .*$/gm)?.map((line) => JSON.parse(line.slice(6))) ?? [];
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } });
  });

  test('AUZ: cannot be continued if it is unknown, or belongs to another user or agent', async () => {
    says('Mine');
    const { id } = (await (await respond({ input: 'Hello' })).json()) as { id: string };
    for (const [previous, person] of [
      ['resp_1', ada],
      [id, bob],
    ] as const) {
      const refused = await errorOf(await respond({ input: 'More', previous_response_id: previous }, person));
      expect(refused).toMatchObject({ status: 404, code: 'not_found', param: 'previous_response_id' });
    }
    const other = await errorOf(await respond({ model: privateSlug, input: 'More', previous_response_id: id }));
    expect(other).toMatchObject({ status: 404, param: 'previous_response_id' });
  });

  test('is rejected if it is requested in the background', async () => {
    expect(await errorOf(await respond({ input: 'a', background: true }))).toMatchObject({
      status: 400,
      param: 'background',
    });
  });
});

describe('an OpenAI error', () => {
  test.each([
    [{ messages: [] }, 'messages'],
    [{ messages: [user('a')], n: 2 }, 'n'],
    [{ messages: [{ role: 'robot', content: 'a' }] }, 'messages[0].role'],
    [{ messages: [user('a'), assistant('b')] }, 'messages'],
    [{ messages: [user('')] }, 'messages'],
  ])('is returned for %j at %s', async (body, param) => {
    expect(await errorOf(await complete(body))).toMatchObject({
      ...{ status: 400, type: 'invalid_request_error', code: 'invalid_request', param },
    });
  });

  test('AUZ: is the same for an unknown model and for another user’s private model', async () => {
    for (const model of ['no-such-agent', privateSlug]) {
      const response = await complete({ model, messages: [user('a')] }, { person: bob });
      expect(await errorOf(response)).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
      const found = await send(`${parley.url}/v1/models/${model}`, { bearer: bob.accessToken });
      expect(await errorOf(found)).toMatchObject({ status: 404, code: 'model_not_found' });
    }
  });

  test('RS-1: is 401 with a challenge if the token is missing or wrong', async () => {
    for (const authorization of [[], [['authorization', 'Bearer wrong']]] as [string, string][][]) {
      const body = JSON.stringify({ model: slug, messages: [user('a')] });
      const headers: [string, string][] = [['content-type', 'application/json'], ...authorization];
      const response = await fetch(`${parley.url}/v1/chat/completions`, { method: 'POST', headers, body });
      expect(response.headers.get('www-authenticate')).toContain('resource_metadata=');
      expect(await errorOf(response)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
  });
});

describe('the OpenAI model list', () => {
  test('contains the concierge and the agents that the user has used, not the whole market', async () => {
    says('Used');
    const person = await createPerson(parley.url, 'Cleo');
    const list = async () => {
      const response = await send(`${parley.url}/v1/models`, { bearer: person.accessToken });
      return ((await response.json()) as { data: { id: string; object: string }[] }).data;
    };
    expect((await list()).map(({ id }) => id)).not.toContain(slug);
    await contentOf(await complete({ messages: [user('Hello')] }, { person }));
    expect(await list()).toContainEqual(expect.objectContaining({ id: slug, object: 'model' }));
    const one = await send(`${parley.url}/v1/models/${slug}`, { bearer: person.accessToken });
    expect(await one.json()).toMatchObject({ id: slug, object: 'model', owned_by: expect.any(String) });
  });
});
