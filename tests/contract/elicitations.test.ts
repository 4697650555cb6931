import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { DraftAgent } from '../fakes/draft-agent';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message10,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  send,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import {
  type DraftTask,
  draft,
  type Elicitation,
  getDraft,
  type StepAgent,
  sendDraft,
  startStepAgent,
} from './draft-fixture';
import { callMcp, type McpResult } from './mcp-fixture';

// Requests for input as proposed for A2A 1.1 (a2aproject/A2A#2149), to and from agents of every version.

let parley: SharedParley;
let ada: Person;
let agent: DraftAgent;
let slug: string;
let connection: Connection;
/** An agent of A2A 0.3. */
let steps: StepAgent;
let older: Connection;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  agent = await DraftAgent.start();
  slug = await listAgent(parley.url, ada, { url: agent.url });
  connection = await connectTo(parley.url, ada, slug);
  steps = await startStepAgent();
  older = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: steps.agent.url }));
});

afterAll(async () => {
  await agent?.stop();
  await steps?.agent.stop();
});

const blocked = { elicitationId: 'city', state: 'ELICITATION_STATE_BLOCKED', metadata: { step: 1 } };
const resolved = { elicitationId: 'city', state: 'ELICITATION_STATE_RESOLVED' };

beforeEach(() => {
  agent.messages.length = 0;
  agent.elicitations = [blocked];
  agent.afterwards = [resolved];
});

/** A message with the answer to a form. */
function formAnswer(taskId: string, more: object = {}): object {
  const part = { data: { city: 'Oslo' }, metadata: { 'parley.view': 'form-answer' } };
  return { message: { messageId: newUuid(), role: 'ROLE_USER', parts: [part], taskId, ...more } };
}

describe('an agent of 1.1 that lists its requests for input', () => {
  test('is called in 1.1, and callers of 1.1 receive the requests', async () => {
    const { id, elicitations, status, timeline } = await sendDraft(connection, 'ask');
    expect(agent.versions.at(-1)).toBe('1.1');
    expect(elicitations).toEqual([blocked]);
    expect(status.elicitations).toEqual([blocked]);
    expect(timeline?.at(-1)?.status?.elicitations).toEqual([blocked]);
    await rpc(draft(connection), 'SendMessage', formAnswer(id));
    const task = await getDraft(connection, id);
    expect(task.elicitations).toEqual([expect.objectContaining(resolved)]);
    expect(task.timeline?.flatMap((entry) => entry.status?.elicitations ?? [])).toEqual([blocked, resolved]);
  });

  test.each([
    ['1.1', 'a caller that names the request', { elicitationIds: ['city'] }],
    ['1.1', 'a caller that answers the form', {}],
    ['1.0', 'a caller of 1.0 that answers the form', {}],
  ])('receives the id of the answered request in %s, from %s', async (version, _, more) => {
    const { id } = await sendDraft(connection, 'ask');
    const caller = { ...connection, headers: { 'a2a-version': version } };
    expect((await rpc(caller, 'SendMessage', formAnswer(id, more))).body.error).toBeUndefined();
    expect(agent.messages.at(-1)?.elicitationIds).toEqual(['city']);
  });

  test('receives no id with an answer in words', async () => {
    const { id } = await sendDraft(connection, 'ask');
    await sendDraft(connection, 'To Oslo', { taskId: id });
    expect(agent.messages.at(-1)).not.toHaveProperty('elicitationIds');
  });

  test('streams the changes with the statuses', async () => {
    const { id } = await sendDraft(connection, 'ask');
    const body = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: formAnswer(id) };
    const events = (await readEvents(await post(draft(connection), body))).map((event) =>
      resultOf<{ task?: DraftTask; statusUpdate?: { status: DraftTask['status'] } }>(event),
    );
    expect(events[0]?.task?.elicitations).toEqual([blocked]);
    const changes = events.flatMap(({ statusUpdate }) => statusUpdate?.status.elicitations ?? []);
    expect(changes).toEqual([resolved]);
  });

  test('is shown as a form to a host of MCP, whose answer names the request', async () => {
    const params = { name: 'send_message', arguments: { agent: slug, message: 'ask' } };
    const asks = { elicitation: { form: {} } };
    const call = async (more: object): Promise<McpResult | undefined> =>
      (await callMcp(parley.url, ['tools/call', { ...params, ...more }], { person: ada, capabilities: asks })).result;
    const { inputRequests = {}, requestState } = (await call({})) ?? {};
    const [key = ''] = Object.keys(inputRequests);
    expect(inputRequests[key]?.params).toMatchObject({ requestedSchema: { required: ['city'] } });
    const inputResponses = { [key]: { action: 'accept', content: { city: 'Oslo' } } };
    expect(await call({ requestState, inputResponses })).toMatchObject({ structuredContent: { state: 'completed' } });
    expect(agent.messages.at(-1)).toMatchObject({ elicitationIds: ['city'], parts: [{ data: { city: 'Oslo' } }] });
  });

  test('asks with a form in the chat, whose answer names the request', async () => {
    const chat = async (body: object): Promise<{ conversationId: string; taskId: string }> => {
      const response = await send(`${parley.url}/api/chat/messages`, {
        body: { messageId: newUuid(), text: '', ...body },
        cookie: ada.cookie,
        origin: parley.url,
      });
      expect(response.status).toBe(202);
      return (await response.json()) as { conversationId: string; taskId: string };
    };
    const { conversationId, taskId } = await chat({ agentSlug: slug, text: 'ask' });
    const isAsked = async (): Promise<boolean> =>
      (await getDraft(connection, taskId)).status.state === 'TASK_STATE_INPUT_REQUIRED';
    await waitFor(isAsked, { what: 'the question' });
    await chat({ conversationId, taskId, data: { city: 'Oslo' } });
    await waitFor(() => agent.messages.length === 2, { what: 'the answer' });
    expect(agent.messages[1]).toMatchObject({ elicitationIds: ['city'], parts: [{ data: { city: 'Oslo' } }] });
  });

  test('asks in words on /v1', async () => {
    const response = await send(`${parley.url}/v1/chat/completions`, {
      bearer: ada.accessToken,
      body: { model: slug, messages: [{ role: 'user', content: 'ask' }] },
    });
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]?.message.content).toContain('- **City** (required)');
  });

  test('can continue while a request waits, which is open until the task ends', async () => {
    agent.elicitations = [blocked, { elicitationId: 'seat', state: 'ELICITATION_STATE_WAITING' }];
    const { id, elicitations } = await sendDraft(connection, 'ask');
    expect(elicitations).toHaveLength(2);
    await rpc(draft(connection), 'SendMessage', formAnswer(id));
    const { elicitations: last } = await getDraft(connection, id);
    expect(last?.map(({ state }) => state)).toEqual(['ELICITATION_STATE_RESOLVED', 'ELICITATION_STATE_RESOLVED']);
  });

  test.each([
    ['not a list', 'x'],
    ['items that are no objects', [null, 1, 'x', []]],
    [
      'ids that are no ids',
      [
        { ...blocked, elicitationId: 'a\u0000b' },
        { ...blocked, elicitationId: 'x'.repeat(300) },
      ],
    ],
    ['an id of Parley', [{ ...blocked, elicitationId: 'question-3' }]],
    [
      'an unknown state',
      [
        { ...blocked, state: 'constructor' },
        { ...blocked, state: 7 },
      ],
    ],
  ])('LIM-5 LIM-6 with %s gets a request of Parley instead', async (_, elicitations) => {
    agent.elicitations = elicitations;
    const task = await sendDraft(connection, 'ask');
    expect(task.elicitations).toEqual([
      { elicitationId: `question-${task.generation}`, state: 'ELICITATION_STATE_BLOCKED' },
    ]);
  });

  test('LIM-5 LIM-6 is limited to 50 requests in a status', async () => {
    agent.elicitations = Array.from({ length: 200 }, (_, at) => ({ ...blocked, elicitationId: `e${at}` }));
    expect((await sendDraft(connection, 'ask')).elicitations).toHaveLength(50);
  });

  test('cannot reopen a request that is resolved', async () => {
    agent.elicitations = [blocked, blocked, resolved, blocked];
    const { elicitations } = await sendDraft(connection, 'ask');
    expect(elicitations?.filter(({ elicitationId }) => elicitationId === 'city')).toHaveLength(1);
  });
});

describe('a question of an agent of 0.3', () => {
  const open = (elicitations: Elicitation[] = []): Elicitation[] =>
    elicitations.filter(({ state }) => state !== 'ELICITATION_STATE_RESOLVED');

  test('is a request for callers of 1.1, which their next message resolves', async () => {
    const { id, elicitations, generation } = await sendDraft(older, 'ask');
    const elicitationId = `question-${generation}`;
    expect(elicitations).toEqual([{ elicitationId, state: 'ELICITATION_STATE_BLOCKED' }]);
    const again = await sendDraft(older, 'ask again', { taskId: id, elicitationIds: [elicitationId] });
    expect(open(again.elicitations)).toEqual([
      { elicitationId: `question-${again.generation}`, state: 'ELICITATION_STATE_BLOCKED' },
    ]);
    expect(steps.agent.messages.at(-1)?.params.message).not.toHaveProperty('elicitationIds');
    const ended = await sendDraft(older, 'it', { taskId: id });
    expect(open(ended.elicitations)).toEqual([]);
    expect(ended.elicitations).toHaveLength(2);
  });

  test('with a form is a request with the same content, and its answer is data in the version of the agent', async () => {
    const { id, elicitations, status } = await sendDraft(older, 'form');
    expect(open(elicitations)).toHaveLength(1);
    expect(status.message?.parts).toEqual([{ data: expect.objectContaining({ kind: 'form' }) }]);
    const elicitationIds = elicitations?.map(({ elicitationId }) => elicitationId);
    await rpc(draft(older), 'SendMessage', formAnswer(id, { elicitationIds }));
    const { message } = steps.agent.messages.at(-1)?.params ?? {};
    expect(message?.parts[0]).toMatchObject({ kind: 'data', data: { city: 'Oslo' } });
    expect(message).not.toHaveProperty('elicitationIds');
    expect(open((await getDraft(older, id)).elicitations)).toEqual([]);
  });

  test('is withdrawn when the task is canceled', async () => {
    const { id } = await sendDraft(older, 'ask');
    const canceled = (await rpc(draft(older), 'CancelTask', { id })).body.result as DraftTask;
    expect(open(canceled.elicitations)).toEqual([]);
  });

  test.each([
    ['unknown', ['nope']],
    ['repeated', ['nope', 'nope']],
    ['of another task', ['city']],
    ['answered', ['question-3']],
  ])('can be answered with an id that is %s, because it is a hint', async (_, elicitationIds) => {
    const { id } = await sendDraft(older, 'ask');
    const task = await sendDraft(older, 'it', { taskId: id, elicitationIds });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('cannot be answered after the end of the task', async () => {
    const { id, generation } = await sendDraft(older, 'ask');
    await sendDraft(older, 'it', { taskId: id });
    const late = sendDraft(older, 'it', { taskId: id, elicitationIds: [`question-${generation}`] });
    await expect(late).rejects.toMatchObject({ code: -32004 });
  });

  test.each([
    ['text', 'city'],
    ['numbers', [1]],
    ['an empty id', ['']],
    ['an id with a control character', ['a\u0000']],
    ['51 ids', Array.from({ length: 51 }, (_, at) => `e${at}`)],
  ])('LIM-5 is not answered with ids that are %s', async (_, elicitationIds) => {
    const { body } = await rpc(draft(older), 'SendMessage', message10('hi', { elicitationIds }));
    expect(body.error?.code).toBe(-32602);
  });
});

describe('an agent whose card declares 1.1', () => {
  test('but that supports only 1.0 is called in 1.0', async () => {
    const claims = await DraftAgent.start({ accepts: '1.0' });
    const at = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: claims.url }));
    const task = await sendDraft(at, 'hello');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(claims.versions.slice(-2)).toEqual(['1.1', '1.0']);
    await sendDraft(at, 'hello');
    expect(claims.versions.at(-2)).toBe('1.0');
    await claims.stop();
  });

  test('but that has only the methods of 0.3 is called in 0.3', async () => {
    const claims = await ScriptedAgent.start({ name: 'Old' });
    claims.pages['/.well-known/agent-card.json'] = {
      ...claims.card,
      url: undefined,
      supportedInterfaces: [{ url: `${claims.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.1' }],
    };
    claims.answer(({ received, result, end, json }) => {
      if (!received.method.includes('/'))
        return json({ jsonrpc: '2.0', id: received.id, error: { code: -32601, message: 'Method not found' } });
      result({ kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } });
      end();
    });
    const at = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: claims.url }));
    expect((await sendDraft(at, 'hello')).status.state).toBe('TASK_STATE_COMPLETED');
    await claims.stop();
  });
});
