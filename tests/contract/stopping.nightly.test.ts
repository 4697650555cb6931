import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { countOn } from '../fakes/counting-script';
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
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let one: Parley;
let two: Parley;
let agent: ScriptedAgent;
let first: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Slow', streaming: false });
  const env = {
    AGENT_URL_ALLOW: 'http://127.0.0.1:*',
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY_SECONDS: '1',
    DRAIN_SECONDS: '12',
  };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  const ada = await createPerson(one.url);
  first = await connectTo(one.url, ada, await listAgent(one.url, ada, { url: agent.url }));
});

// Started outside the test's time limit. A failing test therefore does not affect the node of the next one.
afterEach(() => one.restart());

afterAll(async () => {
  await one?.kill('SIGKILL');
  await two?.kill('SIGKILL');
  await agent?.stop();
});

/** A GET with keep-alive; returns the status and the server's Connection header. */
function probe(keepAlive: Agent, path: string): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${one.url}${path}`, { agent: keepAlive }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('a stopping node first reports that it is not ready, still accepts calls, and fails none', async () => {
  agent.received.length = 0;
  let answer: () => void = () => undefined;
  agent.answer(async ({ received, json }) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task('slow-1', 'completed', ['done']) });
  });
  const keepAlive = new Agent({ keepAlive: true });
  expect(await probe(keepAlive, '/healthz')).toMatchObject({ status: 200, connection: 'keep-alive' });
  const sent = rpc(first, 'message/send', message03('take your time'));
  await waitFor(() => agent.calls('message/send').length === 1, { what: 'the agent to receive the message' });
  const ended = one.kill('SIGTERM');
  await waitFor(async () => (await probe(keepAlive, '/readyz')).status === 503, { what: 'the node not to be ready' });
  expect(await probe(keepAlive, '/healthz')).toEqual({ status: 200, connection: 'close' });
  await waitFor(
    () =>
      probe(new Agent(), '/healthz').then(
        () => false,
        () => true,
      ),
    { what: 'no new connections' },
  );
  answer();
  const { status, body } = await sent;
  expect([status, (body.result as { status: { state: string } }).status.state]).toEqual([200, 'completed']);
  await ended;
  expect(agent.calls('message/send')).toHaveLength(1);
});

test('a send that outlasts the drain returns its task, which another node resumes and completes', async () => {
  agent.received.length = 0;
  const pieces = Array.from({ length: 10 }, (_, at) => `${at};`);
  const streaming = await ScriptedAgent.start({ name: 'Counter' });
  const { release } = countOn(streaming, { taskId: 'long-1', pieces, pauseMs: 10, holdAt: 5 });
  const ada = await createPerson(one.url);
  const line = await connectTo(
    one.url,
    ada,
    await listAgent(one.url, ada, { url: streaming.url, slug: 'counts-long' }),
  );
  const sent = rpc(line, 'message/send', message03('count'));
  await waitFor(() => streaming.calls('message/stream').length === 1, { what: 'the agent to receive the message' });
  await one.kill('SIGTERM');
  const { status, body } = await sent;
  const { id, status: task } = body.result as { id: string; status: { state: string } };
  expect([status, task.state]).toEqual([200, 'working']);
  await waitFor(() => two.output().includes('runs.orphaned_resumed'), { what: 'the other node to resume the run' });
  release();
  const there = { ...line, url: line.url.replace(one.url, two.url) };
  await waitFor(
    async () =>
      ((await rpc(there, 'tasks/get', { id })).body.result as { status: { state: string } }).status.state ===
      'completed',
    { what: 'the task to be completed' },
  );
  expect(streaming.calls('message/stream')).toHaveLength(1);
  await streaming.stop();
}, 90_000);

test('a stream on a stopping node asks to reconnect, and continues on another node after its last event', async () => {
  const streaming = await ScriptedAgent.start({ name: 'Counter' });
  const pieces = Array.from({ length: 200 }, (_, at) => `${at};`);
  countOn(streaming, { taskId: 'stream-1', pieces, pauseMs: 10 });
  const ada = await createPerson(one.url);
  const line = await connectTo(one.url, ada, await listAgent(one.url, ada, { url: streaming.url, slug: 'counts-on' }));
  const response = await post(line, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') });
  const reading = response.text();
  await waitFor(() => streaming.calls('message/stream').length === 1, { what: 'the agent to receive the message' });
  const ended = one.kill('SIGTERM');
  const text = await reading;
  expect(text.endsWith('retry: 500\n\n')).toBe(true);
  const before = await readEvents(new Response(text));
  const { id } = resultOf<{ id: string }>(before[0]);
  const after = await readEvents(
    await post(
      { ...line, url: line.url.replace(one.url, two.url), headers: { 'last-event-id': before.at(-1)?.id ?? '' } },
      { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } },
    ),
  );
  const ids = [...before, ...after].map((event) => Number(event.id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
  expect(resultOf<{ status: { state: string } }>(after.at(-1)).status.state).toBe('completed');
  await ended;
  await streaming.stop();
}, 60_000);
