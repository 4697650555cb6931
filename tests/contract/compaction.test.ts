import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactFinishedTasks } from '@/lib/tasks';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  post,
  readEvents,
  resultOf,
  rpc,
  type WireEvent,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';

let parley: SharedParley;
let agent: ScriptedAgent;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  parley = await sharedParley();
  const ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await agent?.stop();
});

test('a task is not evicted, however many later tasks there are: the first of 1,001 remains available', async () => {
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'completed', 'first'));
    end();
  });
  const { body } = await rpc(connection, 'message/send', message03('remember me'));
  const { id } = body.result as { id: string };
  await query(
    'test-thousand-tasks',
    `WITH fresh AS (
       INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at)
       SELECT gen_random_uuid(), principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at
       FROM task, generate_series(1, 1000) WHERE id = $1 RETURNING principal, id)
     INSERT INTO task_event (principal, task_id, seq, payload, at)
     SELECT fresh.principal, fresh.id, e.seq, e.payload, e.at FROM fresh, task_event e WHERE e.task_id = $1`,
    [id],
  );
  await compactFinishedTasks(new Date(Date.now() + 7_200_000));
  const ids = new Set<string>();
  for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
    const page = (await rpc(connection, 'ListTasks', { pageSize: 100, ...(pageToken && { pageToken }) })).body
      .result as {
      tasks: { id: string }[];
      nextPageToken: string;
      totalSize: number;
    };
    expect(page.totalSize).toBe(1001);
    for (const task of page.tasks) ids.add(task.id);
    pageToken = page.nextPageToken || undefined;
  }
  expect(ids.size).toBe(1001);
  for (const one of [id, [...ids].at(0), [...ids].at(-1)]) {
    const found = await rpc(connection, 'tasks/get', { id: one });
    expect(found.body.result).toMatchObject({ id: one, status: { state: 'completed' } });
  }
});

/** A task with 700 text chunks, in the state that the agent leaves it in. */
async function talk(lastState: string): Promise<WireEvent[]> {
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'working'));
    for (let at = 0; at < 700; at++) result(agent03.artifact('t', `${at} "quoted" \u{1f355}\n`, { append: at > 0 }));
    result(agent03.status('t', lastState));
    end();
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('talk') };
  return readEvents(await post(connection, call));
}

async function resumeAfter(id: string, after: string): Promise<WireEvent[]> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id } };
  return readEvents(await post(withHeaders(connection, { 'last-event-id': after }), call));
}

async function rowsOf(id: string): Promise<{ events: number; stories: number }> {
  const [row] = await query<{ events: number; stories: number }>(
    'test-rows',
    `SELECT (SELECT coalesce(sum(json_array_length(payload)), 0) FROM task_event WHERE task_id = $1) AS events,
            (SELECT count(*) FROM compacted_task WHERE task_id = $1) AS stories`,
    [id],
  );
  return row ?? { events: 0, stories: 0 };
}

const inTwoHours = (): Date => new Date(Date.now() + 7_200_000);

test('a task that ended an hour ago is stored in one row, and is read and resumed byte for byte as before', async () => {
  const emitted = await talk('completed');
  const { id } = resultOf<{ id: string }>(emitted[0]);
  const before = (await rpc(connection, 'tasks/get', { id })).body;
  const halfway = emitted[350]?.id ?? '';

  expect(await compactFinishedTasks(new Date())).toBe(0);
  expect(await compactFinishedTasks(inTwoHours())).toBeGreaterThan(0);
  expect(await rowsOf(id)).toEqual({ events: 0, stories: 1 });
  expect((await rpc(connection, 'tasks/get', { id })).body).toEqual(before);
  expect(await resumeAfter(id, halfway)).toEqual(emitted.slice(351));
  expect(await resumeAfter(id, emitted.at(-1)?.id ?? '')).toEqual([]);
  expect(await compactFinishedTasks(inTwoHours())).toBe(0);
});

test('rows from earlier versions, with one event each, are read, resumed and compacted like newer ones', async () => {
  const emitted = await talk('completed');
  const { id } = resultOf<{ id: string }>(emitted[0]);
  const before = (await rpc(connection, 'tasks/get', { id })).body;
  await query(
    'test-rows-of-one',
    `WITH gone AS (DELETE FROM task_event WHERE task_id = $1 RETURNING *)
     INSERT INTO task_event (principal, task_id, seq, payload, at)
     SELECT principal, task_id, seq - json_array_length(payload) + told.nth, told.event, at
     FROM gone, json_array_elements(payload) WITH ORDINALITY AS told(event, nth)`,
    [id],
  );
  expect((await rpc(connection, 'tasks/get', { id })).body).toEqual(before);
  expect(await resumeAfter(id, emitted[350]?.id ?? '')).toEqual(emitted.slice(351));
  await compactFinishedTasks(inTwoHours());
  expect((await rpc(connection, 'tasks/get', { id })).body).toEqual(before);
});

test('a task that is waiting for its user is never compacted', async () => {
  const emitted = await talk('input-required');
  const { id } = resultOf<{ id: string }>(emitted[0]);
  await compactFinishedTasks(inTwoHours());
  expect(await rowsOf(id)).toEqual({ events: 704, stories: 0 });
});

test('a compacted task can be read whatever its text, including NUL and unpaired surrogates', async () => {
  agent.answer(({ result, end }) => {
    result(agent03.artifact('odd', 'nul \u0000, half \ud83c'));
    result(agent03.status('odd', 'completed', '\udf55'));
    end();
  });
  const { body } = await rpc(connection, 'message/send', message03('say odd things'));
  const { id } = body.result as { id: string };
  const before = (await rpc(connection, 'tasks/get', { id })).body.result;
  expect(JSON.stringify(before)).toContain('nul \\u0000, half \\ud83c');
  await compactFinishedTasks(new Date(Date.now() + 7_200_000));
  expect(await query('test-odd', 'SELECT 1 FROM compacted_task WHERE task_id = $1', [id])).toHaveLength(1);
  expect((await rpc(connection, 'tasks/get', { id })).body.result).toEqual(before);
  expect((await rpc(connection, 'ListTasks', { pageSize: 1 })).body.error).toBeUndefined();
});
