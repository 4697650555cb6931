import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChatCompletion } from '@/lib/hosts/schema-openai';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { withoutMarker } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** A client that sends a request again does not make the agent do its work again. */

let parley: SharedParley;
let ada: Person;
let agent: ScriptedAgent;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  agent = await ScriptedAgent.start({ name: `Worker ${randomUUID().slice(0, 6)}` });
  slug = await listAgent(parley.url, ada, { url: agent.url });
});
beforeEach(() => {
  agent.received.length = 0;
  agent.answer(({ result, end }) => {
    result(agent03.status(randomUUID(), 'completed', `Run ${agent.received.length}`));
    end();
  });
});
afterAll(() => agent?.stop());

const user = (content: string) => ({ role: 'user', content });

interface Sending {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function post(body: object, { headers = {}, signal }: Sending = {}): Promise<Response> {
  return fetch(`${parley.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: slug, ...body }),
    signal,
  });
}

async function complete(body: object, sending?: Sending): Promise<{ text: string; raw: string; task: string | null }> {
  const response = await post(body, sending);
  expect(response.status, await response.clone().text()).toBe(200);
  const raw = ((await response.json()) as ChatCompletion).choices[0]?.message.content ?? '';
  return { text: withoutMarker(raw), raw, task: response.headers.get('x-parley-task') };
}

/** Sends a request, and disconnects when the agent has received it. The agent answers after that. */
async function loseAnswer(body: object, headers: Record<string, string> = {}): Promise<void> {
  let release = (): void => undefined;
  let arrive = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  agent.answer(async ({ result, end }) => {
    const run = agent.received.length;
    arrive();
    await released;
    result(agent03.status(randomUUID(), 'completed', `Run ${run}`));
    end();
  });
  const controller = new AbortController();
  const lost = post(body, { headers, signal: controller.signal });
  await arrived;
  controller.abort();
  await expect(lost).rejects.toThrow();
  release();
}

test('the same Idempotency-Key returns the same answer, and continues from it', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { messages: [user('Work')] };
  const first = await complete(body, { headers });
  const again = await complete(body, { headers });
  expect(again).toEqual(first);
  expect(agent.received).toHaveLength(1);
  const next = { messages: [user('Work'), { role: 'assistant', content: first.raw }, user('More')] };
  const key = { 'idempotency-key': randomUUID() };
  expect(await complete(next, { headers: key })).toEqual(await complete(next, { headers: key }));
  expect(agent.received).toHaveLength(2);
  expect(agent.received[1]?.params.message?.parts).toHaveLength(1);
});

test('the same Idempotency-Key is rejected for another request, but is independent for another user', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await complete({ messages: [user('Work')], user: 'alice' }, { headers });
  const other = await post({ messages: [user('Play')], user: 'alice' }, { headers });
  expect([other.status, await other.json()]).toMatchObject([422, { error: { code: 'idempotency_mismatch' } }]);
  const bob = await complete({ messages: [user('Work')], user: 'bob' }, { headers });
  expect(bob.task).not.toBe(first.task);
});

test('a request with a lost answer’s Idempotency-Key receives that answer', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { messages: [user('Long work')] };
  await loseAnswer(body, headers);
  expect((await complete(body, { headers })).text).toBe('Run 1');
  expect(agent.received).toHaveLength(1);
});

test('a repeated continuation receives the lost answer, which is found by its marker', async () => {
  const first = await complete({ messages: [user('Work')] });
  const next = { messages: [user('Work'), { role: 'assistant', content: first.raw }, user('More')] };
  await loseAnswer(next);
  expect((await complete(next)).text).toBe('Run 2');
  expect(agent.received).toHaveLength(2);
  // The answer has arrived. The same request therefore starts another one.
  expect((await complete(next)).text).toBe('Run 3');
});

test('AUZ-2: an identical request from another user receives neither a lost nor a running answer', async () => {
  const body = { messages: [user(`Hello ${randomUUID()}`)] };
  await loseAnswer(body);
  const other = await complete(body);
  expect(other.text).toBe('Run 2');
  const stranger = await complete({ ...body, user: 'bob' }, { headers: { 'x-stainless-retry-count': '1' } });
  expect(stranger.text).toBe('Run 3');
});

test('a failed continuation can be retried', async () => {
  const first = await send(`${parley.url}/v1/responses`, {
    bearer: ada.accessToken,
    body: { model: slug, input: 'Work' },
  });
  const { id } = (await first.json()) as { id: string };
  agent.answer(({ result, end }) => {
    result(agent03.status(randomUUID(), 'failed', 'Out of ink'));
    end();
  });
  const body = { model: slug, input: 'Print', previous_response_id: id };
  const attempt = async () =>
    (await send(`${parley.url}/v1/responses`, { bearer: ada.accessToken, body })).json() as Promise<{ status: string }>;
  expect((await attempt()).status).toBe('failed');
  agent.answer(({ result, end }) => {
    result(agent03.status(randomUUID(), 'completed', 'Printed'));
    end();
  });
  expect((await attempt()).status).toBe('completed');
});
