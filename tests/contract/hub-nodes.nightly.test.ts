import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NotificationPause, openNotificationPause } from '../fakes/notification-pause';
import type { ScriptedRun, ScriptedWorker } from '../fakes/scripted-worker';
import { type Connection, message10, post, readEvents, resultOf, rpc, send, textsOf } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent, serveToken } from './hub-fixture';

let one: Parley;
let two: Parley;
let agent: HubAgent;
/** The caller at the second node. */
let elsewhere: Connection;

beforeAll(async () => {
  one = await startParley();
  two = await startParley({ env: { APP_URL: one.url } });
  agent = await listHubAgent(one);
  elsewhere = { ...agent.caller, url: agent.caller.url.replace(one.url, two.url) };
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
});

function stream(connection: Connection, text: string): Promise<Response> {
  return post(connection, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10(text) });
}

/** Connects the worker again and sends what is not persisted, as the SDK does. */
async function comeBack(
  before: ScriptedWorker,
  { run, pieces }: { run: ScriptedRun; pieces: string[] },
): Promise<ScriptedWorker> {
  const runs = [{ runId: run.runId, epoch: run.offer.epoch, sent: run.sent }];
  const worker = await agent.worker({ url: two.url, workerId: before.workerId, runs });
  worker.adopt(run);
  for (let n = seenBy(worker) + 1; n <= pieces.length; n++) run.piece(pieces[n - 1] ?? '', n);
  return worker;
}

/** The last event that is persisted, as far as the worker knows. */
function seenBy(worker: ScriptedWorker): number {
  const [resumed] = (worker.hello?.result?.runs ?? []) as { seen: number }[];
  if (!resumed) throw new Error('the hub named no run');
  return Number(worker.frames('run.ack').at(-1)?.params?.n ?? resumed.seen);
}

describe('a node that receives no database notifications', () => {
  let pause: NotificationPause;
  let three: Parley;

  beforeAll(async () => {
    pause = await openNotificationPause(one.databaseUrl);
    three = await startParley({ databaseUrl: pause.via(one.databaseUrl), env: { APP_URL: one.url } });
  });

  afterAll(async () => {
    await three?.stop();
    await pause?.stop();
  });

  test('gives its worker the task from another node at the next poll', async () => {
    const deaf = await listHubAgent(one);
    const worker = await deaf.worker({ url: three.url });
    worker.onStart = (run) => run.status('COMPLETED', 'heard');
    const caller = { ...deaf.caller, url: deaf.caller.url.replace(one.url, two.url) };
    // Both nodes have registered the worker.
    expect((await rpc(caller, 'SendMessage', message10('hello'))).body.error).toBeUndefined();
    pause.pause();
    const { body } = await rpc(caller, 'SendMessage', message10('are you there?'));
    expect(body.result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(worker.started).toHaveLength(2);
    expect(pause.held()).toBeGreaterThan(0);
    // Late notifications repeat no event.
    pause.resume();
    expect((await rpc(caller, 'SendMessage', message10('and now?'))).body.error).toBeUndefined();
    expect(worker.started).toHaveLength(3);
    await worker.close();
  });

  test('resumes a run that its worker continued on another node', async () => {
    const moving = await listHubAgent(one);
    const first = await moving.worker({ url: three.url });
    first.onStart = (run) => run.piece('here, ');
    const caller = { ...moving.caller, url: moving.caller.url.replace(one.url, two.url) };
    const reading = stream(caller, 'wander').then((response) => readEvents(response));
    await waitFor(() => first.frames('run.ack').length > 0, { what: 'the first acknowledgment' });
    pause.pause();
    const run = first.run(first.started[0] ?? '');
    const goTo = async ({ url }: Parley): Promise<ScriptedWorker> => {
      await run.worker.close();
      const runs = [{ runId: run.runId, epoch: run.offer.epoch, sent: run.sent }];
      const worker = await moving.worker({ url, workerId: first.workerId, runs });
      worker.adopt(run);
      return worker;
    };
    const second = await goTo(two);
    run.piece('there, ');
    await waitFor(() => second.frames('run.ack').length > 0, { what: 'the second acknowledgment' });
    const third = await goTo(three);
    expect(seenBy(third)).toBe(2);
    run.piece('and back');
    run.status('COMPLETED');
    expect(textsOf(await reading)).toBe('here, there, and back');
    pause.resume();
    await third.close();
  });
});

describe('two nodes', () => {
  test('end a connection to either within a second if the other revokes the token or withdraws the agent', async () => {
    const mine = await listHubAgent(one);
    const session = { cookie: mine.owner.cookie, origin: one.url };
    const closeCode = async (worker: ScriptedWorker): Promise<number> => {
      const closed = await waitFor(() => worker.closed, { timeout: 1_500, what: 'the connection to close' });
      return closed.code;
    };
    const first = await mine.worker();
    const listed = await send(`${two.url}/api/auth/access-tokens`, session);
    const { items } = (await listed.json()) as { items: { id: string; name: string }[] };
    const id = items.find(({ name }) => name === 'workers')?.id;
    await send(`${two.url}/api/auth/access-tokens/${id}`, { ...session, method: 'DELETE' });
    expect(await closeCode(first)).toBe(4401);
    const second = await mine.worker({ token: await serveToken(one.url, mine.owner) });
    await send(`${two.url}/api/agents/${mine.slug}`, { method: 'DELETE', bearer: mine.owner.accessToken });
    expect(await closeCode(second)).toBe(4403);
  });

  test('connect a caller on one to a worker on the other', async () => {
    const worker = await agent.worker();
    worker.onStart = (run) => {
      run.piece('from afar');
      run.status('COMPLETED');
    };
    const events = await readEvents(await stream(elsewhere, 'hi'));
    expect(textsOf(events)).toBe('from afar');
    await worker.close();
  });

  test('continue a run if its worker reconnects to the other node, and do not start it again', async () => {
    const pieces = Array.from({ length: 20 }, (_, at) => `${at};`);
    const first = await agent.worker();
    first.onStart = (run) => {
      for (const piece of pieces.slice(0, 10)) run.piece(piece);
    };
    const reading = stream(elsewhere, 'count').then((response) => readEvents(response));
    await waitFor(() => first.frames('run.ack').some(({ params }) => params?.n === 10), {
      what: 'ten acknowledgments',
    });
    const run = first.run(first.started[0] ?? '');
    await first.close();
    const second = await comeBack(first, { run, pieces });
    run.status('COMPLETED', undefined, 21);
    expect(textsOf(await reading)).toBe(pieces.join(''));
    expect(second.started).toEqual([]);
    await second.close();
  });

  test('log every acknowledged message, even if its worker reconnects to the other node', async () => {
    const first = await agent.worker();
    first.onStart = (run) =>
      run.event({ message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text: 'said early' }] } });
    const reading = stream(elsewhere, 'say').then((response) => readEvents(response));
    await waitFor(() => first.frames('run.ack').some(({ params }) => params?.n === 1), { what: 'the acknowledgment' });
    const run = first.run(first.started[0] ?? '');
    await first.close();
    const runs = [{ runId: run.runId, epoch: run.offer.epoch, sent: 1 }];
    const second = await agent.worker({ url: two.url, workerId: first.workerId, runs });
    second.adopt(run);
    run.status('COMPLETED', undefined, 2);
    expect(JSON.stringify(await reading)).toContain('said early');
    await second.close();
  });

  test('forward a cancel request from one to the worker on the other', async () => {
    const worker = await agent.worker();
    worker.onStart = (run) => run.piece('working');
    const task = stream(elsewhere, 'long').then((response) =>
      readEvents(response, (events) => textsOf(events).length > 0),
    );
    const { task: snapshot } = resultOf<{ task: { id: string } }>((await task)[0]);
    const { id } = snapshot;
    const canceling = rpc(elsewhere, 'CancelTask', { id });
    await waitFor(() => worker.frames('run.cancel').length > 0, { what: 'the cancel' });
    worker.run(worker.started[0] ?? '').status('CANCELED', 'stopped');
    const { body } = await canceling;
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await worker.close();
  });
});
