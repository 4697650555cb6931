import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message03, type Person, rpc } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let ada: Person;
const agents: ScriptedAgent[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});

afterAll(async () => {
  for (const agent of agents) await agent.stop();
});

interface Registered {
  url: string;
  token: string;
}

/** A listed agent that works until `finish`, and the push configuration that a send carried. */
async function start(options: { streaming: boolean; pushNotifications: boolean }): Promise<{
  agent: ScriptedAgent;
  connection: Connection;
  finish: () => void;
  registered: () => Registered | undefined;
}> {
  const agent = await ScriptedAgent.start({ name: `Pusher ${newUuid()}`, ...options });
  agents.push(agent);
  const upstream = newUuid();
  let state = 'working';
  agent.answer(({ json, received }) =>
    json({
      jsonrpc: '2.0',
      id: received.id,
      result: agent03.task(upstream, state, state === 'working' ? [] : ['all']),
    }),
  );
  const connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
  return {
    agent,
    connection,
    finish: () => {
      state = 'completed';
    },
    registered() {
      const { params } = agent.received.find(({ method }) => method.startsWith('message/')) ?? {};
      return (params as { configuration?: { pushNotificationConfig?: Registered } } | undefined)?.configuration
        ?.pushNotificationConfig;
    },
  };
}

async function startTask({ connection }: { connection: Connection }): Promise<string> {
  const { body } = await rpc(connection, 'message/send', { ...message03('go'), configuration: { blocking: false } });
  return (body.result as { id: string }).id;
}

const push = (url: string, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"kind":"task"}' });

test('a push with a wrong secret is rejected like a push for an unknown task', async () => {
  const fixture = await start({ streaming: false, pushNotifications: true });
  const taskId = await startTask(fixture);
  const { token } = await waitFor(fixture.registered, { what: 'the send to reach the agent' });
  const other = `${parley.url}/api/push/${newUuid()}`;
  const wrong: [string, Record<string, string>][] = [
    [`${parley.url}/api/push/${taskId}`, {}],
    [`${parley.url}/api/push/${taskId}`, { 'x-a2a-notification-token': `${token}x` }],
    [`${parley.url}/api/push/${taskId}`, { 'x-a2a-notification-token': '' }],
    [`${parley.url}/api/push/${taskId}`, { authorization: `Bearer ${fixture.connection.token}` }],
    [other, { 'x-a2a-notification-token': token }],
    [`${parley.url}/api/push/nonsense`, { 'x-a2a-notification-token': token }],
  ];
  const responses = await Promise.all(wrong.map(([url, headers]) => push(url, headers)));
  const bodies = await Promise.all(
    responses.map(async (response) => ({ ...((await response.json()) as object), requestId: '' })),
  );
  expect(responses.map(({ status }) => status)).toEqual(wrong.map(() => 401));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
});

test('an agent that pushes but cannot stream gets a push URL and a secret per task, and its push resumes the run', async () => {
  const fixture = await start({ streaming: false, pushNotifications: true });
  const taskId = await startTask(fixture);
  const { url, token } = await waitFor(fixture.registered, { what: 'the send to reach the agent' });
  expect(url).toBe(`${parley.url}/api/push/${taskId}`);
  // From its seventh poll on the run waits two seconds: an earlier result came from the push.
  await waitFor(() => fixture.agent.calls('tasks/get').length >= 7, { what: 'the run to poll less often' });
  fixture.finish();
  const response = await push(url, { 'x-a2a-notification-token': token });
  expect(response.status).toBe(204);
  await waitFor(
    async () => {
      const { body } = await rpc(fixture.connection, 'tasks/get', { id: taskId });
      return (body.result as { status: { state: string } }).status.state === 'completed';
    },
    { what: 'the task to end', timeout: 1_200 },
  );
  const second = await startTask(fixture);
  expect(await push(`${parley.url}/api/push/${second}`, { 'x-a2a-notification-token': token })).toMatchObject({
    status: 401,
  });
});

test.each([
  { streaming: true, pushNotifications: true },
  { streaming: false, pushNotifications: false },
])('an agent with %o receives no push URL', async (options) => {
  const fixture = await start(options);
  await startTask(fixture);
  await waitFor(() => fixture.agent.received.length > 0, { what: 'the agent to be called' });
  expect(fixture.registered()).toBeUndefined();
  fixture.finish();
});
