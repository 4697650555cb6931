import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message10, rpc } from '../support/fixtures';
import { connectToRest, rest } from '../support/rest';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let agent: ScriptedAgent;
let slug: string;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Hostile callers' });
  agent.answer(({ result, end }) => {
    result(agent03.agentMessage('ok'));
    end();
  });
  parley = await sharedParley();
  const ada = await createPerson(parley.url);
  slug = await listAgent(parley.url, ada, { url: agent.url });
  connection = await connectToRest(parley.url, ada, slug);
});

afterAll(() => agent?.stop());

const nasty = [
  '%00',
  '%0d%0a',
  '..',
  '%2e%2e%2f',
  '%ff',
  '%F0%9F%92%A9',
  "';--",
  'x'.repeat(2_000),
  '__proto__',
  ':',
  '%3Acancel',
];
const values: unknown[] = [
  '\0',
  '\ud800',
  '',
  ' ',
  'x'.repeat(300),
  0,
  -1,
  1e21,
  true,
  null,
  [],
  {},
  [[]],
  { toString: 1 },
];

test('a hostile path or query never causes a server error', async () => {
  const id = newUuid();
  const calls = ['', '/v1'].flatMap((version) =>
    nasty.flatMap((word) => [
      `GET ${version}/tasks/${word}`,
      `POST ${version}/tasks/${word}:cancel`,
      `GET ${version}/tasks/${word}:subscribe`,
      `GET ${version}/tasks/${id}/pushNotificationConfigs/${word}`,
      `DELETE ${version}/tasks/${word}/pushNotificationConfigs/${word}`,
      `GET ${version}/tasks?contextId=${word}&pageToken=${word}&status=${word}&pageSize=${word}`,
      `GET ${version}/tasks?contextId=${word}`,
      `GET ${version}/tasks?historyLength=${word}&statusTimestampAfter=${word}&${word}=${word}`,
      `POST ${version}/message:send?A2A-Version=${word}`,
    ]),
  );
  for (const call of calls) {
    const response = await rest(connection, call);
    await response.arrayBuffer();
    expect(response.status, call).toBeLessThan(500);
  }
});

test('an invalid member never causes a server error, in either binding', async () => {
  const base = message10('hi').message as Record<string, unknown>;
  for (const value of values) {
    // A user may send a hundred messages at once; requests refused by a limit would not be checked.
    const person = await createPerson(parley.url);
    const [connection, rpcLine] = [
      await connectToRest(parley.url, person, slug),
      await connectTo(parley.url, person, slug),
    ];
    const bodies: object[] = [
      { message: value },
      { message: { ...base, messageId: newUuid(), contextId: value } },
      ...Object.keys({ ...base, contextId: 1, taskId: 1, metadata: 1 }).map((name) => ({
        message: { ...base, messageId: newUuid(), taskId: newUuid(), [name]: value },
      })),
      { message: { ...base, taskId: newUuid() }, configuration: value },
      ...['id', 'url', 'token', 'authentication'].map((name) => ({
        message: { ...base, taskId: newUuid() },
        configuration: { taskPushNotificationConfig: { url: 'https://example.com', [name]: value } },
      })),
    ];
    for (const body of bodies) {
      const bodyText = JSON.stringify(body);
      for (const path of ['/message:send', '/v1/message:send', `/tasks/${newUuid()}/pushNotificationConfigs`]) {
        const response = await rest(connection, `POST ${path}`, { body });
        await response.arrayBuffer();
        expect(response.status, `${path} ${bodyText}`).toBeLessThan(429);
      }
      const answer = await rpc(rpcLine, 'SendMessage', body);
      expect(answer.status, bodyText).toBe(200);
      expect(answer.body.error?.code, bodyText).not.toBe(-32603);
    }
  }
  expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
}, 60_000);
