import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message10,
  post,
  readEvents,
  resultOf,
  rpc,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let agent: ScriptedAgent;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Asking probe' });
  parley = await sharedParley();
  const ada = await createPerson(parley.url, 'Ada');
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(() => agent?.stop());

/** The agent asks after the first message and completes after the next. */
function asksOnce(taskId: string): void {
  agent.answer(({ received, result, end }) => {
    result(agent03.status(taskId, received.params.message?.taskId ? 'completed' : 'input-required'));
    end();
  });
}

interface Task10 {
  id: string;
  history: { parts: { text: string }[] }[];
}

async function send(text: string, extra: object = {}): Promise<Task10> {
  const { body } = await rpc(connection, 'SendMessage', message10(text, extra));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return (body.result as { task: Task10 }).task;
}

describe('a task that is waiting for its caller', () => {
  test('continues to stream to an A2A 1.0 subscriber that reconnects (SSE-4)', async () => {
    asksOnce('up-back');
    const { id } = await send('hi');
    const events = await readEvents(
      await post(connection, { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } }),
      () => true,
    );
    const last = events.at(-1)?.id ?? '';
    const back = { ...connection, headers: { ...connection.headers, 'last-event-id': last } };
    const stream = await post(back, { jsonrpc: '2.0', id: 2, method: 'SubscribeToTask', params: { id } });
    await send('here you are', { taskId: id });
    const missed = await readEvents(stream);
    // Excluding the caller's own message, which has a number too.
    expect(missed.map((event) => Number(event.id) - Number(last))).toEqual([2, 3]);
    const state = resultOf<{ statusUpdate: { status: { state: string } } }>(missed.at(-1)).statusUpdate.status.state;
    expect(state).toBe('TASK_STATE_COMPLETED');
  });

  test('streams to an A2A 1.0 subscriber until it ends (STREAM-SUB-002)', async () => {
    asksOnce('up-waiting');
    const { id } = await send('hi');
    const stream = await post(connection, { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
    let answered: Promise<Task10> | undefined;
    const events = await readEvents(stream, () => {
      // The first event has arrived, so the subscriber is connected: now the task continues.
      answered ??= send('here you are', { taskId: id });
      return false;
    });
    await answered;
    const states = events.map((event) => {
      const { task, statusUpdate } = resultOf<Record<'task' | 'statusUpdate', { status: { state: string } }>>(event);
      return (task ?? statusUpdate).status.state;
    });
    expect([states.at(0), states.at(-1)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
  });

  test('stores each message from its caller, even if several share an id that is not a UUID (CORE-HIST-006)', async () => {
    asksOnce('up-history');
    const { id } = await send('first', { messageId: 'same' });
    const task = await send('second', { messageId: 'same', taskId: id });
    expect(task.history.map(({ parts }) => parts[0]?.text)).toEqual(['first', 'second']);
  });
});

describe('an agent that continues without a reply after a question', () => {
  const texts = (task: Task10): (string | undefined)[] => task.history.map(({ parts }) => parts[0]?.text);
  const get = async (id: string): Promise<Task10 & { status: { state: string } }> =>
    (await rpc(connection, 'GetTask', { id })).body.result as Task10 & { status: { state: string } };

  test('is read to the end of its stream', async () => {
    let resume = (): void => undefined;
    agent.answer(async ({ received, result, json, end }) => {
      if (received.method === 'tasks/get')
        return json({ jsonrpc: '2.0', id: received.id, error: { code: -32601, message: 'no' } });
      result(agent03.status('up-same', 'input-required', 'large?'));
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      result(agent03.status('up-same', 'working', 'I take it as large'));
      result(agent03.status('up-same', 'completed', 'baked'));
      end();
    });
    const { id } = await send('a pizza');
    const stream = await post(connection, { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
    resume();
    const events = await readEvents(stream);
    expect(JSON.stringify(events.at(-1))).toContain('TASK_STATE_COMPLETED');
    expect(texts(await get(id))).toEqual(['a pizza', 'large?', 'I take it as large', 'baked']);
  });

  test('is read if all events arrive in one chunk', async () => {
    agent.answer(({ result, end }) => {
      result(agent03.status('up-breath', 'input-required', 'large?'));
      result(agent03.status('up-breath', 'completed', 'baked'));
      end();
    });
    const { id } = await send('a pizza');
    await waitFor(async () => (await get(id)).status.state === 'TASK_STATE_COMPLETED', { what: 'the end' });
  });

  test('is polled immediately if the task is read', async () => {
    const scripted = { state: 'input-required' };
    agent.answer(({ received, result, json, end }) => {
      if (received.method === 'tasks/get')
        return json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up-read', scripted.state, ['baked']) });
      result(agent03.status('up-read', 'input-required', 'large?'));
      end();
    });
    const { id } = await send('a pizza');
    scripted.state = 'completed';
    expect((await get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('is polled occasionally even if the task is not read', { timeout: 20_000 }, async () => {
    agent.answer(({ received, result, json, end }) => {
      if (received.method === 'tasks/get')
        return json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up-poll', 'completed', ['baked']) });
      result(agent03.status('up-poll', 'input-required', 'large?'));
      end();
    });
    const { id } = await send('a pizza');
    const stored = async (): Promise<string | undefined> =>
      (await query<{ state: string }>('test-state', 'SELECT state FROM task WHERE id = $1', [id]))[0]?.state;
    await waitFor(async () => (await stored()) === 'completed', { what: 'the end', timeout: 15_000 });
  });

  test('leaves the question open if tasks/get does not return it', async () => {
    agent.answer(({ received, result, json, end }) => {
      if (received.method === 'tasks/get')
        return json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up-bare', 'working') });
      result(agent03.status('up-bare', received.params.message?.taskId ? 'completed' : 'input-required', 'large?'));
      end();
    });
    const { id } = await send('a pizza');
    expect((await get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await send('yes', { taskId: id });
    expect((await get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('an agent that sends several Messages in one stream', () => {
  test('keeps all of them, with the last as its reply', async () => {
    agent.answer(({ result, end }) => {
      for (const text of ['one', 'two', 'three']) result(agent03.agentMessage(text));
      end();
    });
    const task = await send('count');
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(task.history.map(({ parts }) => parts[0]?.text)).toEqual(['count', 'one', 'two', 'three']);
  });

  test('keeps all of them within a task', async () => {
    agent.answer(({ result, end }) => {
      result(agent03.task('up-several', 'working'));
      for (const text of ['one', 'two', 'three']) result(agent03.agentMessage(text, 'up-several'));
      end();
    });
    const task = await send('count');
    expect(task.history.map(({ parts }) => parts[0]?.text)).toEqual(['count', 'one', 'two', 'three']);
  });

  test('replies with a message if it sends only one', async () => {
    agent.answer(({ result, end }) => {
      result(agent03.agentMessage('only'));
      end();
    });
    const { body } = await rpc(connection, 'SendMessage', message10('hi'));
    expect(body.result).toMatchObject({ message: { parts: [{ text: 'only' }] } });
  });
});

describe('a task that waits for a sign-in at another service (A2A 1.0 §7.6)', () => {
  /** The agent asks for a sign-in, then reports the task as the test sets it. */
  function asksForSignIn(taskId: string): { now: object } {
    const scripted = { now: agent03.task(taskId, 'auth-required') };
    agent.answer(({ received, result, json, end }) => {
      if (received.method === 'tasks/get') return json({ jsonrpc: '2.0', id: received.id, result: scripted.now });
      if (received.method === 'tasks/resubscribe') {
        const error = { code: -32004, message: 'no streams here' };
        return json({ jsonrpc: '2.0', id: received.id, error });
      }
      result(agent03.status(taskId, 'auth-required', 'Sign in at https://bank.example'));
      end();
    });
    return scripted;
  }

  async function stateOf(id: string): Promise<string> {
    const { body } = await rpc(connection, 'GetTask', { id });
    return (body.result as { status: { state: string } }).status.state;
  }

  test('continues even if another user has thousands of waiting tasks', { timeout: 30_000 }, async () => {
    const scripted = asksForSignIn('up-crowd');
    const { id } = await send('pay my bill');
    const crowd = { principal: `usr_${newUuid()}`, id };
    await query(
      'test-crowd',
      `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at)
       SELECT gen_random_uuid(), $1, agent_id, context_id, state, state_at + interval '1 second', last_seq, credential_id,
         client_id, created_at FROM task, generate_series(1, 2500) WHERE id = $2`,
      [crowd.principal, crowd.id],
    );
    scripted.now = agent03.task('up-crowd', 'completed', ['paid']);
    await waitFor(async () => (await stateOf(id)) === 'TASK_STATE_COMPLETED', { what: 'the end', timeout: 20_000 });
    await query('test-crowd-gone', 'DELETE FROM task WHERE principal = $1', [crowd.principal]);
  });

  test('continues when the agent does, without another message', { timeout: 20_000 }, async () => {
    const scripted = asksForSignIn('up-sign-in');
    const { id } = await send('pay my bill');
    expect(await stateOf(id)).toBe('TASK_STATE_AUTH_REQUIRED');
    scripted.now = agent03.task('up-sign-in', 'working');
    await waitFor(async () => (await stateOf(id)) === 'TASK_STATE_WORKING', { what: 'the agent at work' });
    scripted.now = agent03.task('up-sign-in', 'completed', ['paid']);
    await waitFor(async () => (await stateOf(id)) === 'TASK_STATE_COMPLETED', { what: 'the end' });
    const { body } = await rpc(connection, 'GetTask', { id });
    expect(JSON.stringify(body.result)).toContain('paid');
  });

  test('can receive a reply before the sign-in, and waits until the agent continues', { timeout: 20_000 }, async () => {
    asksForSignIn('up-patient');
    const { id } = await send('pay my bill');
    const before = agent.calls('tasks/get').length;
    await waitFor(() => agent.calls('tasks/get').length > before, { what: 'a question to the agent' });
    expect(await stateOf(id)).toBe('TASK_STATE_AUTH_REQUIRED');
    asksOnce('up-patient');
    const task = await send('I have signed in', { taskId: id });
    expect(task.history.map(({ parts }) => parts[0]?.text)).toContain('I have signed in');
    expect(await stateOf(id)).toBe('TASK_STATE_COMPLETED');
  });
});
