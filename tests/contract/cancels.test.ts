import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentCall } from '../fakes/fake-agent';
import { failWith } from '../fakes/fake-agent';
import { LateAgent, type LateWire, lateWires } from '../fakes/late-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  follow,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

interface TaskView {
  id: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts: { artifactId: string; parts: { text: string }[] }[];
  history: { role: string; parts: { text: string }[] }[];
}

let parley: SharedParley;
let ada: Person;
const agents: LateAgent[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});

afterAll(async () => {
  for (const { agent } of agents) await agent.stop();
});

async function start(
  wire: LateWire,
  options: { streaming: boolean; pushNotifications?: boolean } = { streaming: true },
): Promise<{ late: LateAgent; connection: Connection }> {
  const late = await LateAgent.start({ wire, ...options });
  agents.push(late);
  const slug = await listAgent(parley.url, ada, { url: late.agent.url });
  return { late, connection: await connectTo(parley.url, ada, slug) };
}

/** A task whose send the agent has received. */
async function begin(connection: Connection, late: LateAgent): Promise<string> {
  const params = { ...message03('go'), configuration: { blocking: false } };
  const { body } = await rpc(connection, 'message/send', params);
  await waitFor(() => late.sends.length > 0, { what: 'the send to reach the agent' });
  return (body.result as TaskView).id;
}

async function cancel(connection: Connection, id: string, extra: object = {}): Promise<TaskView> {
  const { body } = await rpc(connection, 'tasks/cancel', { id, ...extra });
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as TaskView;
}

async function read(connection: Connection, id: string): Promise<TaskView> {
  return (await rpc(connection, 'tasks/get', { id })).body.result as TaskView;
}

async function untilWorking(connection: Connection, id: string): Promise<void> {
  await waitFor(async () => (await read(connection, id)).status.state === 'working', {
    what: 'the task id to be assigned',
  });
}

async function pendingCancels(id: string): Promise<{ named: string | null }[]> {
  return query('pending-of', 'SELECT upstream_task_id AS named FROM pending_cancel WHERE task_id = $1', [id]);
}

const idOf = ({ params, path }: AgentCall): string => params.id ?? path.replace(/^.*\/tasks\/(.*):cancel$/, '$1');

describe.each(lateWires)('a canceled task whose agent uses %s', (wire) => {
  test.each([true, false])('ends with the task that the agent returns (streaming: %s)', async (streaming) => {
    const { late, connection } = await start(wire, { streaming });
    late.name();
    const id = await begin(connection, late);
    await untilWorking(connection, id);
    const subscribed = await post(connection, { jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id } });
    const reading = readEvents(subscribed);
    const task = await cancel(connection, id);
    expect(task.status).toEqual({ state: 'canceled', timestamp: expect.any(String) });
    expect(task.artifacts).toMatchObject([{ artifactId: 'half', parts: [{ text: 'half' }] }]);
    expect(task.history.at(-1)).toMatchObject({ role: 'agent', parts: [{ text: 'Half of it is done.' }] });
    expect(await read(connection, id)).toEqual(task);
    const events = (await reading).map((event) =>
      resultOf<{ kind: string; artifact?: object; status?: object }>(event),
    );
    expect(events.slice(-3)).toMatchObject([
      { kind: 'status-update', status: { message: { parts: [{ text: 'Half of it is done.' }] } } },
      { kind: 'artifact-update', artifact: { artifactId: 'half' } },
      { kind: 'status-update', status: { state: 'canceled' }, final: true },
    ]);
    expect(late.cancels).toHaveLength(1);
  });

  test.each([true, false])(
    'ends immediately, and is canceled at the agent once it assigns the task id (streaming: %s)',
    async (streaming) => {
      const { late, connection } = await start(wire, { streaming });
      const id = await begin(connection, late);
      const task = await cancel(connection, id, { reason: 'Too slow' });
      expect(task.status.state).toBe('canceled');
      expect(task.status.message?.parts[0]?.text).toMatch(/^Too slow\n\n.*when it does, it is asked to stop/s);
      expect(late.cancels).toEqual([]);
      expect(await pendingCancels(id)).toEqual([{ named: null }]);
      late.name();
      await waitFor(() => late.cancels.length > 0, { what: 'the cancel to reach the agent' });
      expect(idOf(late.cancels[0] as AgentCall)).toBe(late.taskId);
      await waitFor(async () => (await pendingCancels(id)).length === 0, { what: 'the cancel to be settled' });
      expect(await read(connection, id)).toEqual(task);
      expect(late.cancels).toHaveLength(1);
      expect(late.sends).toHaveLength(1);
    },
  );
});

describe('a cancel request', () => {
  test.each([true, false])('reaches an agent that is just assigning the task id (streaming: %s)', async (streaming) => {
    for (let round = 0; round < 12; round += 1) {
      const { late, connection } = await start('0.3 JSONRPC', { streaming });
      const id = await begin(connection, late);
      const canceling = cancel(connection, id);
      await waitFor(async () => round % 3 === 0 || (await pendingCancels(id)).length > 0, { what: 'the cancel' });
      if (round % 2 === 0) late.state = 'input-required';
      late.name();
      await canceling;
      await waitFor(() => late.cancels.length > 0, { what: 'the cancel to reach the agent' });
      await waitFor(async () => (await pendingCancels(id)).length === 0, { what: 'the cancel to be settled' });
      expect((await read(connection, id)).status.state).toBe('canceled');
      expect(late.cancels).toHaveLength(1);
    }
  });

  test('returns the completed task, also to subscribers, if the agent responds with one', async () => {
    const { late, connection } = await start('0.3 JSONRPC');
    late.name();
    late.endsAs = 'completed';
    const stream = follow(
      post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go') }),
    );
    await waitFor(() => stream.seen.length > 1, { what: 'the task id to be assigned' });
    const { id } = resultOf<TaskView>(stream.seen[0]);
    const task = await cancel(connection, id);
    expect(task).toMatchObject({ status: { state: 'completed' }, artifacts: [{ artifactId: 'half' }] });
    await stream.ended;
    expect(resultOf<TaskView>(stream.seen.at(-1))).toMatchObject({ status: { state: 'completed' }, final: true });
  });

  test('ends the task with the agent’s state if the agent rejects it because the task has ended', async () => {
    const { late, connection } = await start('0.3 JSONRPC');
    late.name();
    const id = await begin(connection, late);
    await untilWorking(connection, id);
    late.onCancel = (call, response) => failWith(response, call, { code: -32002, message: 'already over' });
    const open = await rpc(connection, 'tasks/cancel', { id });
    expect(open.body.error).toMatchObject({ code: -32002, message: expect.stringContaining('already over') });
    expect((await read(connection, id)).status.state).toBe('working');
    for (const [state, answer] of [
      ['completed', { error: { code: -32002, data: { state: 'completed' } } }],
      ['canceled', { result: { status: { state: 'canceled' }, artifacts: [{ artifactId: 'half' }] } }],
    ] as const) {
      const other = await start('0.3 JSONRPC');
      other.late.name();
      const taskId = await begin(other.connection, other.late);
      await untilWorking(other.connection, taskId);
      other.late.onCancel = (call, response) => {
        other.late.state = state;
        failWith(response, call, { code: -32002, message: 'already over' });
      };
      expect((await rpc(other.connection, 'tasks/cancel', { id: taskId })).body).toMatchObject(answer);
      expect(await read(other.connection, taskId)).toMatchObject({
        status: { state },
        artifacts: [{ artifactId: 'half' }],
      });
    }
  });

  test('is retried if the agent cannot process it yet', async () => {
    const { late, connection } = await start('1.0 JSONRPC', { streaming: false });
    const id = await begin(connection, late);
    await cancel(connection, id);
    late.onCancel = (_call, response) => {
      late.onCancel = null;
      response.destroy();
    };
    late.name();
    await waitFor(() => late.cancels.length > 0, { what: 'the first attempt' });
    expect(await pendingCancels(id)).toEqual([{ named: late.taskId }]);
    await query('make-cancel-due', 'UPDATE pending_cancel SET due_at = now() WHERE task_id = $1', [id]);
    await waitFor(async () => (await pendingCancels(id)).length === 0, { what: 'the second attempt' });
    expect(late.cancels).toHaveLength(2);
  });

  test('is not sent if the agent assigns the task id and ends the task in one response', async () => {
    const { late, connection } = await start('1.0 JSONRPC', { streaming: false });
    const id = await begin(connection, late);
    await cancel(connection, id);
    late.state = 'completed';
    late.name();
    await waitFor(async () => (await pendingCancels(id)).length === 0, { what: 'the run to end' });
    expect(late.cancels).toEqual([]);
    expect((await read(connection, id)).status.state).toBe('canceled');
  });
});
