import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ContextAgent } from '../fakes/context-agent';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  rpc,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

const v1 = { 'a2a-version': '1.0' };

let parley: SharedParley;
let agent: ScriptedAgent;
let ada: Person;
let connection: Connection;

interface Found {
  id: string;
  contextId: string;
}

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  parley = await sharedParley();
  ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(() => agent?.stop());

beforeEach(() => {
  agent.received.length = 0;
  says('completed');
});

/** The agent's next replies; `working` is sent alone, and the stream stays open. */
function says(state: string, taskId = newUuid()): void {
  agent.answer(({ result, end }) => {
    result(agent03.status(taskId, state, 'so it is'));
    if (state !== 'working') end();
  });
}

async function say(extra: object = {}, configuration?: object): Promise<Found> {
  const { body } = await rpc(connection, 'message/send', {
    ...message03('hello', extra),
    ...(configuration && { configuration }),
  });
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Found;
}

const receivedContexts = (): (string | undefined)[] =>
  agent.calls('message/stream').map(({ params }) => params.message?.contextId);

/** The agent's next replies, in a context of this id; null for none. */
function answersIn(contextId: string | null, state = 'completed', taskId = newUuid()): void {
  agent.answer(({ result, end }) => {
    result({ ...agent03.status(taskId, state, 'so it is'), contextId: contextId ?? undefined });
    end();
  });
}

describe('an agent’s own context id', () => {
  test('is read from the first response and used from then on, while the caller sees only our id', async () => {
    for (const chosen of [undefined, newUuid(), 'mine, "quoted"']) {
      agent.received.length = 0;
      answersIn('its-own');
      const { contextId } = await say(chosen ? { contextId: chosen } : {});
      if (chosen) expect(contextId).toBe(chosen);
      const again = await say({ contextId });
      await say({ contextId });
      expect(receivedContexts()).toEqual([undefined, 'its-own', 'its-own']);
      expect(again.contextId).toBe(contextId);
      expect(JSON.stringify(again)).not.toContain('its-own');
    }
  });

  test('cannot be set by a caller: another user’s context id starts a new context', async () => {
    answersIn('secret-1');
    await say();
    await say({ contextId: 'secret-1' });
    expect(receivedContexts()).toEqual([undefined, undefined]);
  });

  test('is replaced by our id from the second message on if the agent returns none', async () => {
    answersIn(null);
    const { contextId } = await say();
    await say({ contextId });
    await say({ contextId });
    const [first, second, third] = receivedContexts();
    expect(first).toBeUndefined();
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(third).toBe(second);
    expect(second).not.toBe(contextId);
  });

  test('is not replaced by our id before the agent has replied', async () => {
    const contextId = newUuid();
    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32603, message: 'not now' } }),
    );
    await rpc(connection, 'message/send', message03('hello', { contextId }));
    answersIn('its-own');
    await say({ contextId });
    expect(receivedContexts()).toEqual([undefined, undefined]);
  });

  test('is updated if the agent changes it', async () => {
    answersIn('before');
    const { contextId } = await say();
    answersIn('after');
    await say({ contextId });
    await say({ contextId });
    expect(receivedContexts()).toEqual([undefined, 'before', 'after']);
  });

  test('is stored per task after two concurrent first messages', async () => {
    const contextId = newUuid();
    let next = 0;
    agent.answer(async ({ result, end, received: { params } }) => {
      const name = params.message?.taskId?.replace('task', 'context') ?? `context-${++next}`;
      // The first response is sent only when the second request has arrived.
      await waitFor(() => next > 1, { what: 'both messages' });
      const state = params.message?.taskId ? 'completed' : 'input-required';
      result({ ...agent03.status(name.replace('context', 'task'), state, name), contextId: name });
      end();
    });
    const begun = await Promise.all([say({ contextId }), say({ contextId })]);
    for (const { id } of begun) await say({ taskId: id, contextId });
    const sent = agent.calls('message/stream').map(({ params }) => params.message);
    expect(sent.slice(0, 2).map((message) => message?.contextId)).toEqual([undefined, undefined]);
    for (const message of sent.slice(2)) expect(message?.contextId).toBe(message?.taskId?.replace('task', 'context'));
    await say({ contextId });
    expect(receivedContexts()[4]).toMatch(/^context-[12]$/);
  });

  test('is never sent for another user who receives or chooses the same id', async () => {
    const bob = await createPerson(parley.url, 'Bob');
    const bobConnection = await connectTo(parley.url, bob, connection.url.split('/')[4] ?? '');
    answersIn('shared');
    const { id, contextId } = await say({ contextId: 'ours' });
    const { body } = await rpc(bobConnection, 'message/send', message03('hello', { contextId: 'ours' }));
    expect(receivedContexts()).toEqual([undefined, undefined]);
    expect((body.result as Found).contextId).toBe('ours');
    const list = (await rpc(bobConnection, 'ListTasks', { contextId })).body.result as { tasks: Found[] };
    expect(list.tasks.map((task) => task.id)).not.toContain(id);
    const named = await rpc(bobConnection, 'message/send', message03('hello', { contextId: 'shared' }));
    expect((named.body.result as Found).contextId).toBe('shared');
    expect(receivedContexts()[2]).toBeUndefined();
  });

  test('is separate for each agent, and is never sent to another agent', async () => {
    const other = await ScriptedAgent.start();
    other.answer(({ result, end }) => {
      result(agent03.status(newUuid(), 'completed'));
      end();
    });
    const otherConnection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: other.url }));
    answersIn('its-own');
    await say({ contextId: 'a' });
    await rpc(otherConnection, 'message/send', message03('hello', { contextId: 'a' }));
    await rpc(otherConnection, 'message/send', message03('hello', { contextId: 'a' }));
    const receivedIds = other.calls('message/stream').map(({ params }) => params.message?.contextId);
    await other.stop();
    expect(receivedIds).toEqual([undefined, 'agent-context']);
  });
});

describe('a conversation that started before agent ids were stored', () => {
  const asBefore = (id: string): Promise<unknown> =>
    query('test-task-of-before', `UPDATE task SET upstream_context_id = '' WHERE id = $1`, [id]);

  test('continues under our id, which the agent received at the time', async () => {
    const contextId = newUuid();
    answersIn(null, 'input-required', 'up-asks');
    const { id } = await say({ contextId });
    answersIn(null);
    await say({ contextId });
    const ours = receivedContexts()[1];
    await query('test-tasks-of-before', `UPDATE task SET upstream_context_id = '' WHERE context_id = $1`, [contextId]);
    answersIn(null, 'completed', 'up-asks');
    await say({ taskId: id, contextId });
    answersIn(null);
    await say({ contextId });
    expect(receivedContexts().slice(2)).toEqual([ours, ours]);
  });

  test('continues under the id in a row created before ids were derived', async () => {
    const contextId = newUuid();
    answersIn(null, 'input-required', 'up-asks');
    const { id } = await say({ contextId });
    await asBefore(id);
    await query(
      'test-earlier-context',
      `INSERT INTO context (principal, agent_id, id, upstream_context_id) SELECT principal, agent_id, context_id, 'as-ever' FROM task
       WHERE id = $1`,
      [id],
    );
    answersIn(null, 'completed', 'up-asks');
    await say({ taskId: id, contextId });
    answersIn(null);
    await say({ contextId });
    expect(receivedContexts().slice(1)).toEqual(['as-ever', 'as-ever']);
  });
});

// google-a2a/a2a-java#723, A2A 1.0 §3.4.1 and §3.4.3.
describe.each([
  { protocolVersion: '0.3' as const, streaming: true },
  { protocolVersion: '0.3' as const, streaming: false },
  { protocolVersion: '1.0' as const, streaming: true },
  { protocolVersion: '1.0' as const, streaming: false },
])('an A2A $protocolVersion agent that accepts only its own ids (streaming: $streaming)', (options) => {
  let strict: ContextAgent;
  let own: Connection;

  beforeAll(async () => {
    strict = await ContextAgent.start(options);
    own = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: strict.url }));
  });

  afterAll(() => strict?.stop());

  const ask = async (text: string, extra: object = {}): Promise<Found & { state: string }> => {
    const { body } = await rpc(withHeaders(own, v1), 'SendMessage', message10(text, extra));
    const { task } = (body.result ?? {}) as { task?: Found & { status: { state: string } } };
    if (!task) throw new Error(JSON.stringify(body));
    return { ...task, state: task.status.state };
  };

  test('accepts more messages, a reply and a cancel request in one context', async () => {
    const first = await ask('hello', { contextId: newUuid() });
    const question = await ask('ask', { contextId: first.contextId });
    expect(question.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const reply = await ask('there', { contextId: first.contextId, taskId: question.id });
    expect(reply.state).toBe('TASK_STATE_COMPLETED');
    expect(new Set([first.contextId, question.contextId, reply.contextId]).size).toBe(1);
    expect(strict.contextIds).toHaveLength(1);
    const open = await ask('ask', { contextId: first.contextId });
    const canceled = await rpc(withHeaders(own, v1), 'CancelTask', { id: open.id });
    expect(canceled.body.result).toMatchObject({ id: open.id, status: { state: 'TASK_STATE_CANCELED' } });
    expect(JSON.stringify(canceled.body)).not.toContain(strict.contextIds[0]);
  });

  test('receives the caller’s other tasks under its own ids, and the caller sees only ours', async () => {
    const first = await ask('draw a boat');
    const refers = { contextId: first.contextId, referenceTaskIds: [first.id] };
    const second = await ask('make it red', refers);
    expect(strict.messages.at(-1)?.referenceTaskIds).toEqual([strict.taskIds.at(-2)]);
    const history = (await rpc(withHeaders(own, v1), 'GetTask', { id: second.id })).body.result;
    expect(history).toMatchObject({ history: [{ referenceTaskIds: [first.id] }, { role: 'ROLE_AGENT' }] });
    const oldest = (await rpc(withHeaders(own, v1), 'ListTasks', {})).body.result as { tasks: Found[] };
    const receivedIds = await ask('refer', { contextId: first.contextId });
    expect(receivedIds).toMatchObject({ status: { message: { referenceTaskIds: [oldest.tasks.at(-1)?.id] } } });
    expect(JSON.stringify(receivedIds)).not.toContain('somebody-else');
  });

  test('returns only messages in its own context', async () => {
    const contextId = newUuid();
    const chat = async (): Promise<object> =>
      (await rpc(withHeaders(own, v1), 'SendMessage', message10('chat', { contextId }))).body.result as object;
    expect(await chat()).toMatchObject({ message: { contextId } });
    expect(await chat()).toMatchObject({ message: { contextId } });
    const [first, second] = strict.messages.slice(-2);
    expect(first?.contextId).toBeUndefined();
    expect(strict.contextIds).toContain(second?.contextId);
  });
});

test('a reference to another user’s task is rejected before it reaches the agent, and the error contains the task’s id', async () => {
  const bob = await createPerson(parley.url, 'Bob');
  const bobConnection = await connectTo(parley.url, bob, connection.url.split('/')[4] ?? '');
  const theirs = (await rpc(bobConnection, 'message/send', message03('hello'))).body.result as Found;
  agent.received.length = 0;
  for (const unknown of [theirs.id, newUuid(), 'agents-task-1']) {
    const { body } = await rpc(connection, 'message/send', message03('hello', { referenceTaskIds: [unknown] }));
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining(unknown) });
  }
  expect(agent.received).toEqual([]);
});

test('a task list contains running and finished tasks, newest first, page by page', async () => {
  const contextId = newUuid();
  const list = async (filter: object): Promise<{ tasks: Found[]; nextPageToken: string; totalSize: number }> =>
    (await rpc(connection, 'ListTasks', { contextId, ...filter })).body.result as never;
  const first = await say({ contextId });
  says('working');
  const runs = await say({ contextId }, { blocking: false });
  const working = async (): Promise<boolean> => (await list({ status: 'TASK_STATE_WORKING' })).tasks[0]?.id === runs.id;
  await waitFor(working, { what: 'the task that runs' });
  says('input-required');
  const asks = await say({ contextId });
  const found: string[] = [];
  for (let pageToken: string | undefined; ; ) {
    const page = await list({ pageSize: 1, ...(pageToken && { pageToken }) });
    expect(page.totalSize).toBe(3);
    found.push(...page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken || undefined;
    if (!pageToken) break;
  }
  expect(found).toEqual([asks.id, runs.id, first.id]);
  expect(await working()).toBe(true);
  expect((await list({ status: 'TASK_STATE_COMPLETED' })).tasks).toMatchObject([{ id: first.id }]);
});
