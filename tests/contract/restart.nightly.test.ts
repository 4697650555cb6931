import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  type WireEvent,
  withHeaders,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let parley: Parley;
let agent: ScriptedAgent;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Counter' });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

const pieces = Array.from({ length: 300 }, (_, at) => `${at};`);

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a client resumes its stream after %s, with every event once, in order, and the complete text',
  async (signal) => {
    agent.received.length = 0;
    const text = pieces.join('');
    countOn(agent, { taskId: `n-${signal}`, pieces, pauseMs: 5 });
    const seen: WireEvent[] = [];
    const response = await post(connection, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: message03('count'),
    });
    const reading = readEvents(response, (events) => {
      seen.splice(0, seen.length, ...events);
      return false;
    }).catch(() => seen);
    await waitFor(() => seen.length > 20, { what: 'the stream to run' });
    await parley.kill(signal);
    await reading;
    await parley.restart();

    const { id } = resultOf<{ id: string }>(seen[0]);
    const last = seen.at(-1)?.id ?? '';
    const resumed = await readEvents(
      await post(withHeaders(connection, { 'last-event-id': last }), {
        jsonrpc: '2.0',
        id: 2,
        method: 'tasks/resubscribe',
        params: { id },
      }),
    );
    const ids = [...seen, ...resumed].map((event) => Number(event.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));

    const { body } = await rpc(connection, 'tasks/get', { id });
    const task = body.result as { status: { state: string }; artifacts: { parts: { text: string }[] }[] };
    const whole = task.artifacts.flatMap(({ parts }) => parts.map((part) => part.text)).join('');
    expect(task.status.state).toBe('completed');
    expect(createHash('sha256').update(whole).digest('hex')).toBe(createHash('sha256').update(text).digest('hex'));
    expect(agent.calls('message/stream')).toHaveLength(1);
  },
);

test('a resumed task reaches its final state after a restart, even if the agent deletes ended tasks', async () => {
  agent.received.length = 0;
  const count = { taskId: 'n-deleted', pieces: ['a', 'b'], pauseMs: 5, holdAt: 1, forgetsEnded: true };
  const { emitted, release } = countOn(agent, count);
  const sent = await rpc(connection, 'message/send', { ...message03('count'), configuration: { blocking: false } });
  const { id } = sent.body.result as { id: string };
  await waitFor(() => emitted() === 'a', { what: 'the first piece' });
  await parley.kill('SIGKILL');
  await parley.restart();
  await waitFor(() => agent.calls('tasks/resubscribe').length > 0, { what: 'the run to be resumed' });
  release();
  const stateOf = async (): Promise<string> => {
    const { body } = await rpc(connection, 'tasks/get', { id });
    return (body.result as { status: { state: string } }).status.state;
  };
  await waitFor(async () => (await stateOf()) !== 'working', { what: 'the task to end' });
  expect(await stateOf()).toBe('completed');
});
