import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { answerWith, asks, callMcp, postMcp } from './mcp-fixture';

/** Two nodes that share a database: each request of a client may reach another one. */
let one: Parley;
let two: Parley;
let ada: Person;
let agent: ScriptedAgent;
let slug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Patient' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  ada = await createPerson(one.url);
  slug = await listAgent(one.url, ada, { url: agent.url });
});
afterAll(async () => {
  await two?.stop();
  await one?.stop();
  await agent?.stop();
});

test('a cancel request on one node stops a call on another', async () => {
  let isCanceled = false;
  agent.answer(({ received, result, json }) => {
    if (received.method !== 'tasks/cancel') return result(agent03.task(randomUUID(), 'working'));
    isCanceled = true;
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task(received.params.id ?? '', 'canceled') });
  });
  const id = randomUUID();
  const params = { name: 'send_message', arguments: { agent: slug, message: 'Work' }, _meta: { progressToken: 1 } };
  const answered = postMcp(one.url, { jsonrpc: '2.0', id, method: 'tools/call', params }, { person: ada });
  await expect.poll(() => agent.received.length).toBeGreaterThan(0);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
  expect((await postMcp(two.url, cancel, { person: ada })).status).toBe(202);
  await expect.poll(() => isCanceled).toBe(true);
  expect(await (await answered).text()).toContain('"state":"canceled"');
});

test('a question that one node asks can be answered on the other', async () => {
  answerWith(agent, (id) => agent03.status(id, 'input-required', 'Which city?'));
  const params = { name: 'send_message', arguments: { agent: slug, message: 'Weather?' } };
  const sending = { person: ada, capabilities: asks };
  const { result } = await callMcp(one.url, ['tools/call', params], sending);
  const [key = ''] = Object.keys(result?.inputRequests ?? {});
  answerWith(agent, (id) => agent03.status(id, 'completed', 'Sunny'));
  const inputResponses = { [key]: { action: 'accept', content: { answer: 'Rome' } } };
  const repeated = { ...params, inputResponses, requestState: result?.requestState };
  const answered = await callMcp(two.url, ['tools/call', repeated], sending);
  expect(answered.result?.structuredContent).toMatchObject({ state: 'completed', text: 'Sunny' });
});
