import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { PushReceiver } from '../fakes/push-receiver';
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
  tokenFor,
} from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, failureOf, type GrpcConnection, grpcClient } from '../support/grpc';
import { callDraft, draftRpcs, streamDraft } from '../support/grpc-draft';
import { type Parley, startParley } from '../support/parley';
import { rest, restJson } from '../support/rest';
import { waitFor } from '../support/wait-for';
import { type DraftTask, draft, getDraft, type StepAgent, sendDraft, startStepAgent } from './draft-fixture';

// A2A 1.1 (draft): generations, conditional sends, reads that wait, and the timeline, in every binding.

let one: Parley;
let two: Parley;
let steps: StepAgent;
let ada: Person;
let slug: string;
let connection: Connection;
/** The same caller via another node. */
let elsewhere: Connection;
let base: Connection;
let grpc: GrpcConnection;

beforeAll(async () => {
  steps = await startStepAgent();
  const port = await freePort();
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  one = await startParley({ env: { ...env, GRPC_PORT: String(port) } });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  ada = await createPerson(one.url, 'Ada');
  slug = await listAgent(one.url, ada, { url: steps.agent.url });
  connection = await connectTo(one.url, ada, slug);
  elsewhere = { ...connection, url: connection.url.replace(one.url, two.url) };
  base = draft({ ...connection, url: `${one.url}/agents/${slug}/a2a/rest` });
  grpc = { client: grpcClient(`127.0.0.1:${port}`), token: connection.token };
});

afterAll(async () => {
  grpc?.client.close();
  await one?.stop();
  await two?.stop();
  await steps?.agent.stop();
});

interface Update {
  task?: DraftTask;
  statusUpdate?: { generation: string; status: DraftTask['status'] };
  artifactUpdate?: { generation: string };
}

function generationOf({ task, statusUpdate, artifactUpdate }: Update): number {
  return Number((task ?? statusUpdate ?? artifactUpdate)?.generation);
}

async function streamed(params: object): Promise<Update[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params };
  const events = await readEvents(await post(draft(connection), body));
  return events.map((event) => resultOf<Update>(event));
}

describe('the generation of a task', () => {
  test('grows by one with each event of a stream, and the task has the last one', async () => {
    const updates = await streamed(message10('hello'));
    const [first] = updates;
    const numbers = updates.map(generationOf);
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
    const task = await getDraft(connection, first?.task?.id ?? '');
    expect(Number(task.generation)).toBe(numbers.at(-1));
    expect(typeof task.generation).toBe('string');
  });

  test('is the same over HTTP+JSON and gRPC, in streams too', async () => {
    const { id, generation } = await sendDraft(connection, 'hello');
    expect((await restJson<DraftTask>(base, `GET /tasks/${id}`)).body.generation).toBe(generation);
    expect(await callDraft(grpc, draftRpcs.get, { id })).toMatchObject({ generation });
    const sent = await restJson<{ task: DraftTask }>(base, 'POST /message:send', { body: message10('hello') });
    expect(sent.body.task.generation).toBe(generation);
    const events = (await readEvents(await rest(base, 'POST /message:stream', { body: message10('hello') }))).map(
      ({ data }) => generationOf(data as Update),
    );
    const overGrpc = await streamDraft<Update>(grpc, draftRpcs.stream, message10('hello'));
    expect(overGrpc.map(generationOf)).toEqual(events);
    expect(events.at(-1)).toBe(Number(generation));
  });

  test('SSE-3 is the number of the event, after which a stream can be resumed', async () => {
    const { id, generation } = await sendDraft(connection, 'hello');
    const headers = { 'a2a-version': '1.1', 'last-event-id': '3' };
    const body = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } };
    const events = await readEvents(await post({ ...connection, headers }, body));
    expect(events.map((event) => String(generationOf(resultOf<Update>(event))))).toEqual(
      events.map((event) => event.id),
    );
    expect(events.at(-1)?.id).toBe(generation);
    expect(events[0]?.id).toBe('4');
  });

  test('is in pushes', async () => {
    const receiver = await PushReceiver.start();
    const { id } = await sendDraft(connection, 'ask');
    await rpc(draft(connection), 'CreateTaskPushNotificationConfig', { taskId: id, url: `${receiver.url}/hook` });
    const { generation } = await sendDraft(connection, 'it', { taskId: id });
    await waitFor(() => receiver.on('/hook').some(({ text }) => text.includes('COMPLETED')), { what: 'the last push' });
    const numbers = receiver.on('/hook').map(({ text }) => generationOf(JSON.parse(text) as Update));
    expect(numbers.at(-1)).toBe(Number(generation));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(JSON.stringify(receiver.on('/hook').map(({ text }) => text))).toContain('ELICITATION_STATE_RESOLVED');
    await receiver.stop();
  });

  test('and everything else of 1.1 is absent in earlier versions', async () => {
    const { id } = await sendDraft(connection, 'ask');
    const texts = [
      JSON.stringify((await rpc(connection, 'GetTask', { id, timelineLength: 5, currentGeneration: 99 })).body),
      JSON.stringify((await rpc(connection, 'tasks/get', { id })).body),
      JSON.stringify((await restJson({ ...base, headers: {} }, `GET /tasks/${id}?currentGeneration=99`)).body),
      JSON.stringify((await callGrpc(grpc, 'GetTask', { id })).response),
    ];
    for (const text of texts) {
      expect(text).toMatch(/input.required/i);
      expect(text).not.toMatch(/generation|timeline|elicitation/i);
    }
  });
});

describe('a conditional message', () => {
  const condition = (ifGenerationMatch: number | string): object => ({ configuration: { ifGenerationMatch } });

  test('is sent if the task has the generation', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    expect((await sendDraft(connection, 'it', { taskId: id, ...condition(generation) })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  test('is rejected in each binding if it has not, and the task is unchanged', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    const params = { ...message10('it', { taskId: id }), ...condition(1) };
    const metadata = { taskId: id, expectedGeneration: '1', currentGeneration: generation };
    const details = { reason: 'TASK_GENERATION_MISMATCH', domain: 'a2a-protocol.org', metadata };
    const { status, body } = await rpc(draft(connection), 'SendMessage', params);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: -32010, data: [expect.objectContaining(details)] });
    const overHttp = await restJson<{ error: object }>(base, 'POST /message:send', { body: params });
    expect(overHttp.status).toBe(409);
    expect(overHttp.body.error).toMatchObject({ code: 409, status: 'ABORTED', details: [details] });
    const stream = await restJson<{ error: object }>(base, 'POST /message:stream', { body: params });
    expect(stream.status).toBe(409);
    await expect(callDraft(grpc, draftRpcs.send, params)).rejects.toMatchObject({ code: 10 });
    expect((await getDraft(connection, id)).generation).toBe(generation);
  });

  test('is sent by exactly one of many callers on two nodes', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    const received = steps.agent.messages.length;
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) =>
        sendDraft(at % 2 ? connection : elsewhere, 'ask again', { taskId: id, ...condition(generation) }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason.code).toBe(-32010);
    expect(steps.agent.messages.length).toBe(received + 1);
  });

  test('is sent once if it is repeated', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    const params = { ...message10('it', { taskId: id }), ...condition(generation) };
    const results = [];
    for (let at = 0; at < 2; at++) results.push((await rpc(draft(connection), 'SendMessage', params)).body);
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  test('starts a task if it names none', async () => {
    expect((await sendDraft(connection, 'hello', condition(7))).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test.each([0, -1, '-9223372036854775808', '9223372036854775807'])('with generation %s is rejected', async (value) => {
    const { id } = await sendDraft(connection, 'ask');
    const params = { ...message10('it', { taskId: id }), ...condition(value) };
    await expect(callDraft(grpc, draftRpcs.send, params)).rejects.toMatchObject({ code: 10 });
    await expect(sendDraft(connection, 'it', { taskId: id, ...condition(value) })).rejects.toMatchObject({
      code: -32010,
    });
  });

  test.each([1.5, 'x', '', true, {}, 1e300, '9223372036854775808', '1e3'])(
    'LIM-5 with %j as its generation is invalid',
    async (value) => {
      const { id } = await sendDraft(connection, 'ask');
      const sent = sendDraft(connection, 'it', { taskId: id, ...condition(value as never) });
      await expect(sent).rejects.toMatchObject({ code: -32602 });
    },
  );

  test('API-1 to a task of another caller does not tell that it exists', async () => {
    const bob = await createPerson(one.url, 'Bob');
    const stranger = { ...connection, token: await tokenFor(one.url, bob, slug) };
    const { id, generation } = await sendDraft(connection, 'ask');
    const errors = [];
    for (const taskId of [id, newUuid()]) {
      const params = { ...message10('it', { taskId }), ...condition(generation) };
      const { error } = (await rpc(draft(stranger), 'SendMessage', params)).body;
      errors.push(JSON.stringify(error).replaceAll(taskId, 'ID'));
      const read = (await rpc(draft(stranger), 'GetTask', { id: taskId, currentGeneration: 1 })).body.error;
      expect(read?.code).toBe(-32001);
    }
    expect(errors[0]).toBe(errors[1]);
  });
});

describe('a read that waits for a change', () => {
  test('returns at once if there is one', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    for (const currentGeneration of [-1, 0, '1', Number(generation) - 1])
      expect((await getDraft(connection, id, { currentGeneration })).generation).toBe(generation);
  });

  test('returns at once if the task has ended', async () => {
    const { id, generation } = await sendDraft(connection, 'hello');
    expect((await getDraft(connection, id, { currentGeneration: '9223372036854775807' })).generation).toBe(generation);
  });

  test.each(['the same node', 'another node'])('returns the change in each binding, on %s', async (node) => {
    const reader = node === 'the same node' ? connection : elsewhere;
    const { id, generation: currentGeneration } = await startSlowTask();
    const read = (): Promise<{ generation: string }> => getDraft(reader, id, { currentGeneration });
    const overHttp = restRead(id, currentGeneration);
    const overGrpc = callDraft<DraftTask>(grpc, draftRpcs.get, { id, currentGeneration });
    const results = await waitTogether([overHttp, overGrpc, ...Array.from({ length: 19 }, read)]);
    for (const { generation } of results) expect(Number(generation)).toBeGreaterThan(Number(currentGeneration));
  });

  test('returns the task unchanged after the time that the caller prefers', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    const headers = { 'a2a-version': '1.1', prefer: 'wait=0' };
    const { body, headers: received } = await rpc({ ...connection, headers }, 'GetTask', {
      id,
      currentGeneration: generation,
    });
    expect((body.result as DraftTask).generation).toBe(generation);
    expect(received.get('preference-applied')).toBe('wait=0');
  });

  test('returns the task before the deadline of a gRPC call', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    const hurried = { ...grpc, deadlineMs: 2_000 };
    expect(await callDraft(hurried, draftRpcs.get, { id, currentGeneration: generation })).toMatchObject({
      generation,
    });
  });

  test('LIM-9 SSE-5 holds a stream slot until its caller disconnects', async () => {
    const { id, generation } = await sendDraft(connection, 'ask');
    const controllers = Array.from({ length: 21 }, () => new AbortController());
    const refused: unknown[] = [];
    const ended = controllers.map(({ signal }) =>
      getDraft({ ...connection, signal }, id, { currentGeneration: generation }).catch((error) => {
        if (!signal.aborted) refused.push(error);
      }),
    );
    await waitFor(() => refused.length > 0, { what: 'a read without a slot' });
    expect(JSON.stringify(refused[0])).toContain('TOO_MANY_STREAMS');
    for (const controller of controllers) controller.abort();
    await Promise.all(ended);
    const headers = { 'a2a-version': '1.1', prefer: 'wait=0' };
    const isFree = async (): Promise<boolean> =>
      (await rpc({ ...connection, headers }, 'GetTask', { id, currentGeneration: generation })).status === 200;
    await waitFor(isFree, { what: 'the slots to be free' });
  });

  test.each([1.5, 'x', {}, 1e300, '99999999999999999999'])('LIM-5 with %j is invalid', async (currentGeneration) => {
    await expect(getDraft(connection, newUuid(), { currentGeneration })).rejects.toMatchObject({ code: -32602 });
  });

  test.each(['NaN', '1.5', '1e9', '--1'])('LIM-5 with ?currentGeneration=%s is invalid', async (value) => {
    const { id } = await sendDraft(connection, 'ask');
    expect((await rest(base, `GET /tasks/${id}?currentGeneration=${value}`)).status).toBe(400);
  });
});

/** A task on which the agent works, after its first status. */
async function startSlowTask(): Promise<DraftTask> {
  const { id } = await sendDraft(connection, 'slow', { configuration: { returnImmediately: true } });
  const read = async (): Promise<DraftTask | null> => {
    const task = await getDraft(connection, id);
    return task.status.message ? task : null;
  };
  return waitFor(read, { what: 'the first status' });
}

/** A read over HTTP+JSON; rejects if it is refused. */
async function restRead(id: string, currentGeneration: string): Promise<DraftTask> {
  const { status, body } = await restJson<DraftTask>(base, `GET /tasks/${id}?currentGeneration=${currentGeneration}`);
  if (status !== 200) throw new Error(String(status));
  return body;
}

/** Ends the slow task when 20 of these 21 reads wait, because one was refused; returns the results of the others. */
async function waitTogether(reads: Promise<{ generation: string }>[]): Promise<{ generation: string }[]> {
  let refused = 0;
  for (const read of reads) read.catch(() => refused++);
  await waitFor(() => refused === 1, { what: 'all reads to wait' });
  steps.finish();
  const results = await Promise.allSettled(reads);
  return results.flatMap((result) => (result.status === 'fulfilled' && result.value.generation ? [result.value] : []));
}

describe('the timeline', () => {
  test('has the messages of the caller and the statuses of the agent in order', async () => {
    const { id } = await sendDraft(connection, 'ask');
    await sendDraft(connection, 'it', { taskId: id });
    const { timeline = [], artifacts, generation } = await getDraft(connection, id);
    expect(timeline.map(({ message, status }) => message?.parts[0] ?? status?.state)).toEqual([
      { text: 'ask' },
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_INPUT_REQUIRED',
      { text: 'it' },
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
    ]);
    const numbers = timeline.map((entry) => Number(entry.generation));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(numbers[0]).toBe(1);
    expect(numbers.at(-1)).toBe(Number(generation));
    expect(artifacts).toEqual([expect.objectContaining({ startGeneration: '6', endGeneration: '7' })]);
    expect(await callDraft(grpc, draftRpcs.get, { id })).toMatchObject({
      generation,
      timeline: timeline.map((entry) => ({ generation: entry.generation })),
      artifacts: [{ startGeneration: '6', endGeneration: '7' }],
    });
  });

  test('is limited to the last entries', async () => {
    const { id } = await sendDraft(connection, 'ask');
    const last = (await getDraft(connection, id)).timeline?.at(-1);
    expect((await getDraft(connection, id, { timelineLength: 1 })).timeline).toEqual([last]);
    expect((await getDraft(connection, id, { timelineLength: 0 })).timeline).toEqual([]);
    const { body } = await rpc(draft(connection), 'ListTasks', { timelineLength: 1, pageSize: 1 });
    expect((body.result as { tasks: DraftTask[] }).tasks[0]?.timeline).toHaveLength(1);
    const again = await sendDraft(connection, 'ask again', { taskId: id, configuration: { timelineLength: 2 } });
    expect(again.timeline).toHaveLength(2);
    const overHttp = await restJson<DraftTask>(base, `GET /tasks/${id}?timelineLength=1`);
    expect(overHttp.body.timeline).toHaveLength(1);
  });

  test.each([-1, 1.5, 'x', 2 ** 31])('LIM-5 with the length %j is invalid', async (timelineLength) => {
    await expect(getDraft(connection, newUuid(), { timelineLength })).rejects.toMatchObject({ code: -32602 });
  });

  test('starts with the stream of a subscriber, and the task of a cancel has it', async () => {
    const { id } = await sendDraft(connection, 'ask');
    const body = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } };
    const [first] = await readEvents(await post(draft(connection), body), (events) => events.length > 0);
    expect(resultOf<Update>(first).task?.timeline).toHaveLength(3);
    const canceled = (await rpc(draft(connection), 'CancelTask', { id })).body.result as DraftTask;
    expect(canceled.timeline?.at(-1)?.status?.state).toBe('TASK_STATE_CANCELED');
    const failure = await failureOf(callGrpc(grpc, 'GetTask', { id: 'x' }));
    expect(failure.status).toBe('NOT_FOUND');
  });
});
