import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import {
  answerWith,
  asks,
  callMcp,
  type McpFixture,
  type McpResult,
  receivedTexts,
  startMcpFixture,
} from './mcp-fixture';

/** Questions of an agent during a call of MCP 2026-07-28 (Multi Round-Trip Requests, Elicitation). */
let fixture: McpFixture;

beforeAll(async () => {
  fixture = await startMcpFixture();
});
afterAll(() => fixture?.agent.stop());
beforeEach(() => {
  fixture.agent.received.length = 0;
});

const args = () => ({ agent: fixture.slug, message: 'Weather?' });

async function send(more: object = {}, { capabilities = asks as object, person = fixture.ada } = {}) {
  const params = { name: 'send_message', arguments: args(), ...more };
  return callMcp(fixture.parley.url, ['tools/call', params], { person, capabilities });
}

const ask = (text: string, state = 'input-required'): void =>
  answerWith(fixture.agent, (id) => agent03.status(id, state, text));

const complete = (text: string): void => answerWith(fixture.agent, (id) => agent03.status(id, 'completed', text));

/** The only question of a result. */
function questionOf(result: McpResult | undefined) {
  const [[key, request] = ['', undefined]] = Object.entries(result?.inputRequests ?? {});
  return { key, params: request?.params, requestState: result?.requestState };
}

const answer = (key: string, text: string) => ({ [key]: { action: 'accept', content: { answer: text } } });

test('a question is asked in a form, and the repeated call answers it and returns the result', async () => {
  ask('Which city?');
  const { result } = await send();
  expect(result).toMatchObject({ resultType: 'input_required' });
  const { key, params, requestState } = questionOf(result);
  expect(params).toMatchObject({ mode: 'form', requestedSchema: { required: ['answer'] } });
  expect(params?.message).toContain(fixture.slug);
  expect(params?.message).toContain('Which city?');
  complete('Sunny');
  const answered = await send({ requestState, inputResponses: answer(key, 'Rome') });
  expect(answered.result).toMatchObject({
    resultType: 'complete',
    structuredContent: { state: 'completed', text: 'Sunny' },
  });
  expect(receivedTexts(fixture.agent)).toEqual(['Weather?', 'Rome']);
});

test('each question has its own key, and the agent receives each answer once, however often the call is repeated', async () => {
  ask('Which city?');
  const first = questionOf((await send()).result);
  ask('Which day?');
  const repeated = { requestState: first.requestState, inputResponses: answer(first.key, 'Rome') };
  const second = questionOf((await send(repeated)).result);
  expect(second.params?.message).toContain('Which day?');
  expect(second.key).not.toBe(first.key);
  const again = questionOf((await send(repeated)).result);
  expect(again.key).toBe(second.key);
  expect(receivedTexts(fixture.agent)).toEqual(['Weather?', 'Rome']);
});

test.each([
  ['missing', {}],
  ['another key’s', answer('other', 'Rome')],
  ['empty', 'empty'],
])('a question is asked again after an invalid answer: %s', async (_, given) => {
  ask('Which city?');
  const { key, requestState } = questionOf((await send()).result);
  const inputResponses = given === 'empty' ? answer(key, ' ') : given;
  const again = await send({ requestState, inputResponses });
  expect(questionOf(again.result).key).toBe(key);
  expect(receivedTexts(fixture.agent)).toEqual(['Weather?']);
});

test.each(['decline', 'cancel'])(
  'an answer with the action %s sends no message, and the result says that the user did not answer',
  async (action) => {
    ask('Which city?');
    const { key, requestState } = questionOf((await send()).result);
    const { result } = await send({ requestState, inputResponses: { [key]: { action } } });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { state: 'input-required' } });
    expect(result?.content?.[0]?.text).toContain('did not answer');
    expect(receivedTexts(fixture.agent)).toEqual(['Weather?']);
  },
);

test('a sign-in is requested with a link, never a form', async () => {
  ask('Tell me your password', 'auth-required');
  const { params } = questionOf((await send()).result);
  expect(params).toMatchObject({ mode: 'url', url: `${fixture.parley.url}/agents/${fixture.slug}` });
  expect(params?.message).not.toContain('password');
});

test.each([
  ['no capability', {}, 'input-required'],
  ['links only', { elicitation: { url: {} } }, 'input-required'],
  ['forms only', { elicitation: { form: {} } }, 'auth-required'],
  ['forms only, without modes', { elicitation: {} }, 'auth-required'],
])('a client with %s receives text instead of an unsupported form', async (_, capabilities, state) => {
  ask('Which city?', state);
  const { result } = await send({}, { capabilities });
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { state } });
});

test('a client that declares elicitation without modes receives a form', async () => {
  ask('Which city?');
  expect((await send({}, { capabilities: { elicitation: {} } })).result?.resultType).toBe('input_required');
});

describe('a request state', () => {
  async function asked() {
    ask('Which city?');
    const { key, requestState = '' } = questionOf((await send()).result);
    return { requestState, inputResponses: answer(key, 'Rome') };
  }

  test('is rejected if it was altered', async () => {
    const { requestState, inputResponses } = await asked();
    const altered = `${requestState.slice(0, -2)}${requestState.endsWith('A') ? 'BB' : 'AA'}`;
    for (const state of [altered, '', 'x', 5, null, {}]) {
      expect((await send({ requestState: state, inputResponses })).error).toMatchObject({ code: -32602 });
    }
    expect(receivedTexts(fixture.agent)).toEqual(['Weather?']);
  });

  test('is rejected for another user, tool or arguments', async () => {
    const repeated = await asked();
    expect((await send(repeated, { person: fixture.bob })).error).toMatchObject({ code: -32602 });
    const other = { ...args(), message: 'Mail?' };
    expect((await send({ ...repeated, arguments: other })).error).toMatchObject({ code: -32602 });
    expect((await send({ ...repeated, name: 'get_agent' })).error).toMatchObject({ code: -32602 });
    expect(receivedTexts(fixture.agent)).toEqual(['Weather?']);
  });
});
