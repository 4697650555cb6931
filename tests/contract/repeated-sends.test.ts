import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  rpc,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let agent: ScriptedAgent;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Repetition probe' });
  parley = await sharedParley();
  const ada = await createPerson(parley.url, 'Ada');
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});
afterAll(() => agent?.stop());

interface Task {
  id: string;
  status: { state: string };
}

const mismatch = { code: -32602, data: { reason: 'idempotency_mismatch' } };

/** The agent asks again on every message. */
function asksAlways(): void {
  agent.answer(({ received, result, end }) => {
    result(agent03.status(received.params.message?.taskId ?? newUuid(), 'input-required', 'which one?'));
    end();
  });
}

async function send(params: object, by: Connection = connection): Promise<Task> {
  const { body } = await rpc(by, 'message/send', params);
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Task;
}

const runs = (): number => agent.calls('message/stream').length;
const underKey = (): Connection => withHeaders(connection, { 'idempotency-key': newUuid() });

beforeEach(() => {
  agent.received.length = 0;
  asksAlways();
});

describe('a reply that is resent on a task', () => {
  test.each(['messageId', 'Idempotency-Key'])('is recognized by its %s, even if the agent asks again', async (by) => {
    const { id: taskId } = await send(message03('a pizza'));
    const via = by === 'messageId' ? connection : underKey();
    const messageId = by === 'messageId' ? newUuid() : 'plain';
    const answer = message03('large', { taskId, messageId });
    const [first, second] = [await send(answer, via), await send(answer, via)];
    expect([first.id, second.id]).toEqual([taskId, taskId]);
    expect(second.status.state).toBe('input-required');
    expect(runs()).toBe(2);
    const other = await rpc(via, 'message/send', message03('small', { taskId, messageId }));
    expect(other.body.error).toMatchObject(mismatch);
    const resent = await rpc(via, 'message/send', message03('large', { messageId }));
    expect(resent.body.error).toMatchObject(mismatch);
    expect(runs()).toBe(2);
  });

  test('is recognized after the task ends, and if both sends are concurrent', async () => {
    const { id: taskId } = await send(message03('a pizza'));
    agent.answer(({ received, result, end }) => {
      result(agent03.status(received.params.message?.taskId ?? '', 'completed', 'done'));
      end();
    });
    const answer = message03('large', { taskId });
    const both = await Promise.all([send(answer), send(answer)]);
    const later = await send(answer);
    expect([...both, later].map(({ id }) => id)).toEqual([taskId, taskId, taskId]);
    expect(later.status.state).toBe('completed');
    expect(runs()).toBe(2);
  });

  test('is stored with its key or not at all, so that it can be resent if it was rejected', async () => {
    const { id: taskId } = await send(message03('a pizza'));
    let finish = (): void => undefined;
    agent.answer(({ received, result, end }) => {
      const id = received.params.message?.taskId ?? '';
      result(agent03.status(id, 'working'));
      finish = () => {
        result(agent03.status(id, 'input-required', 'and now?'));
        end();
      };
    });
    const working = { ...message03('large', { taskId }), configuration: { blocking: false } };
    await send(working);
    await waitFor(() => runs() === 2, { what: 'the agent to be called' });
    const early = message03('with cheese', { taskId });
    expect((await rpc(connection, 'message/send', early)).body.error?.code).toBe(-32004);
    finish();
    asksAlways();
    await waitFor(async () => (await send(working)).status.state === 'input-required', { what: 'the next question' });
    expect((await send(early)).id).toBe(taskId);
    expect(runs()).toBe(3);
  });
});

describe('a repeated send', () => {
  test('is a new send if the request metadata or the referenced tasks differ', async () => {
    const { id: other } = await send(message03('another task'));
    const message = message03('once');
    await send({ ...message, metadata: { table: 4 } });
    for (const changed of [
      message,
      { ...message, metadata: { table: 5 } },
      { message: { ...message.message, referenceTaskIds: [other] }, metadata: { table: 4 } },
    ])
      expect((await rpc(connection, 'message/send', changed)).body.error).toMatchObject(mismatch);
    await send({ ...message, metadata: { table: 4 }, configuration: { blocking: false, historyLength: 0 } });
    expect(runs()).toBe(2);
  });

  test('returns its task even while the agent is down', async () => {
    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up', 'completed', ['kept']) }),
    );
    const stored = message10('kept');
    const first = await rpc(connection, 'SendMessage', stored);
    agent.answer(({ response }) => void response.writeHead(503).end());
    await waitFor(
      async () =>
        JSON.stringify((await rpc(connection, 'SendMessage', message10('lost'))).body).includes('AGENT_UNREACHABLE'),
      { what: 'the agent to be marked as down', timeout: 15_000 },
    );
    const before = runs();
    const again = await rpc(connection, 'SendMessage', stored);
    expect((again.body.result as { task: Task }).task.id).toBe((first.body.result as { task: Task }).task.id);
    expect(runs()).toBe(before);
  });
});
