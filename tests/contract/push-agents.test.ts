import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { createPerson, type Line, lineTo, listAgent, message03, type Person, rpc } from '../support/world';

let parley: Parley;
let ada: Person;
const agents: ScriptedAgent[] = [];

beforeAll(async () => {
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = await createPerson(parley.url, 'Ada');
});

afterAll(async () => {
  await parley?.stop();
  for (const agent of agents) await agent.stop();
});

interface Registered {
  url: string;
  token: string;
}

/** A listed agent that works until `finish`, and the configuration that a send brought it. */
async function start(options: { streaming: boolean; pushNotifications: boolean }): Promise<{
  agent: ScriptedAgent;
  line: Line;
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
  const line = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
  return {
    agent,
    line,
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

async function begin({ line }: { line: Line }): Promise<string> {
  const { body } = await rpc(line, 'message/send', { ...message03('go'), configuration: { blocking: false } });
  return (body.result as { id: string }).id;
}

const push = (url: string, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"kind":"task"}' });

test('a push with a wrong secret, or for a task that is not there, is refused alike', async () => {
  const world = await start({ streaming: false, pushNotifications: true });
  const taskId = await begin(world);
  const { token } = await waitFor(world.registered, { what: 'the send to reach the agent' });
  const other = `${parley.url}/api/push/${newUuid()}`;
  const wrong: [string, Record<string, string>][] = [
    [`${parley.url}/api/push/${taskId}`, {}],
    [`${parley.url}/api/push/${taskId}`, { 'x-a2a-notification-token': `${token}x` }],
    [`${parley.url}/api/push/${taskId}`, { 'x-a2a-notification-token': '' }],
    [`${parley.url}/api/push/${taskId}`, { authorization: `Bearer ${world.line.token}` }],
    [other, { 'x-a2a-notification-token': token }],
    [`${parley.url}/api/push/nonsense`, { 'x-a2a-notification-token': token }],
  ];
  const answers = await Promise.all(wrong.map(([url, headers]) => push(url, headers)));
  const bodies = await Promise.all(
    answers.map(async (answer) => ({ ...((await answer.json()) as object), requestId: '' })),
  );
  expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 401));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
});

test('an agent that pushes and cannot stream is given an address and a secret per task, and its push wakes the run', async () => {
  const world = await start({ streaming: false, pushNotifications: true });
  const taskId = await begin(world);
  const { url, token } = await waitFor(world.registered, { what: 'the send to reach the agent' });
  expect(url).toBe(`${parley.url}/api/push/${taskId}`);
  // By its seventh question the run waits two seconds for the next: what comes sooner, the push brought.
  await waitFor(() => world.agent.calls('tasks/get').length >= 7, { what: 'the run to ask seldom' });
  world.finish();
  const answer = await push(url, { 'x-a2a-notification-token': token });
  expect(answer.status).toBe(204);
  await waitFor(
    async () => {
      const { body } = await rpc(world.line, 'tasks/get', { id: taskId });
      return (body.result as { status: { state: string } }).status.state === 'completed';
    },
    { what: 'the task to end', timeout: 1_200 },
  );
  const second = await begin(world);
  expect(await push(`${parley.url}/api/push/${second}`, { 'x-a2a-notification-token': token })).toMatchObject({
    status: 401,
  });
});

test.each([
  { streaming: true, pushNotifications: true },
  { streaming: false, pushNotifications: false },
])('an agent with %o is given none', async (options) => {
  const world = await start(options);
  await begin(world);
  await waitFor(() => world.agent.received.length > 0, { what: 'the agent to be called' });
  expect(world.registered()).toBeUndefined();
  world.finish();
});
