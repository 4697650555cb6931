import { createClient } from '@parley/agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { CommandLine } from '../support/cli';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  post,
  readEvents,
  rpc,
  send,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

const ap2 = 'https://github.com/google-agentic-commerce/ap2/v1';
const timestamp = 'https://github.com/a2aproject/a2a-samples/extensions/timestamp/v1';
const unknown = 'https://extensions.example/needs-code/v1';
const v1 = { 'a2a-version': '1.0' };

let parley: SharedParley;
let ada: Person;
const agents: ScriptedAgent[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url);
});

afterAll(() => Promise.all(agents.map((agent) => agent.stop())));

interface Listed {
  agent: ScriptedAgent;
  slug: string;
  connection: Connection;
}

/**
 * An agent that refuses messages without its extension, and lists what it activated in both headers' case of its
 * version.
 */
async function listed(protocolVersion: '0.3' | '1.0', streaming: boolean, required = [ap2]): Promise<Listed> {
  const agent = await ScriptedAgent.start({
    protocolVersion,
    streaming,
    extensions: required,
    requiresExtensions: true,
  });
  agents.push(agent);
  agent.answer((exchange) => serve(agent, exchange, required));
  const slug = await listAgent(parley.url, ada, { url: agent.url });
  return { agent, slug, connection: await connectTo(parley.url, ada, slug) };
}

function serve(agent: ScriptedAgent, { received, response, json, result, end }: Exchange, required: string[]): void {
  const isNew = agent.options.protocolVersion === '1.0';
  const header = isNew ? 'a2a-extensions' : 'x-a2a-extensions';
  const asked = String(received.headers[header] ?? '').split(', ');
  if (!required.every((uri) => asked.includes(uri))) {
    const data = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'EXTENSION_SUPPORT_REQUIRED' }];
    return void json({ jsonrpc: '2.0', id: received.id, error: { code: -32008, message: 'extension required', data } });
  }
  response.setHeader(header, required.join(', '));
  const parts = [isNew ? { text: 'active' } : { kind: 'text', text: 'active' }];
  const message = { messageId: newUuid(), role: isNew ? 'ROLE_AGENT' : 'agent', parts };
  const value = isNew ? { message } : { kind: 'message', ...message };
  if (!agent.options.streaming) return void json({ jsonrpc: '2.0', id: received.id, result: value });
  result(value);
  end();
}

const asked = (agent: ScriptedAgent): object[] =>
  agent.received.map(({ headers }) => ({ new: headers['a2a-extensions'], old: headers['x-a2a-extensions'] }));

describe.each([
  { version: '0.3' as const, streaming: false },
  { version: '0.3' as const, streaming: true },
  { version: '1.0' as const, streaming: false },
  { version: '1.0' as const, streaming: true },
])('an A2A $version agent that requires AP2 (streaming: $streaming)', ({ version, streaming }) => {
  let own: Listed;

  beforeAll(async () => {
    own = await listed(version, streaming);
  });

  test.each(['A2A-Extensions', 'X-A2A-Extensions'])(
    'receives the caller’s extensions in %s, and the caller receives its response header',
    async (name) => {
      own.agent.received.length = 0;
      const headers = { ...v1, [name]: ` ${ap2},, ${timestamp} ,${ap2}` };
      const answer = await rpc(withHeaders(own.connection, headers), 'SendMessage', message10('hi'));
      expect(answer.body.result).toMatchObject({ message: { parts: [{ text: 'active' }] } });
      expect(answer.headers.get(name)).toBe(ap2);
      const other = name === 'A2A-Extensions' ? 'X-A2A-Extensions' : 'A2A-Extensions';
      expect(answer.headers.get(other)).toBeNull();
      const sent = `${ap2}, ${timestamp}`;
      expect(asked(own.agent)).toEqual([version === '1.0' ? { new: sent } : { old: sent }]);
      const streamed = await post(withHeaders(own.connection, { [name]: ap2 }), {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/stream',
        params: message03('hi'),
      });
      expect(streamed.headers.get(name)).toBe(ap2);
      expect(await readEvents(streamed)).toHaveLength(1);
    },
  );

  test('returns an error instead of a failed task if AP2 is missing, in every dialect', async () => {
    const newer = await rpc(withHeaders(own.connection, v1), 'SendMessage', message10('hi'));
    expect(newer.body.error).toMatchObject({ code: -32008, data: [{ reason: 'EXTENSION_SUPPORT_REQUIRED' }] });
    const older = await rpc(own.connection, 'message/send', message03('hi'));
    expect(older.body.error).toMatchObject({ code: -32008, data: { reason: 'extension_support_required' } });
    const rest = await send(`${parley.url}/agents/${own.slug}/a2a/rest/message:send`, {
      body: message10('hi'),
      bearer: own.connection.token,
      headers: v1,
    });
    expect(rest.status).toBe(400);
    expect(await rest.json()).toMatchObject({
      error: { status: 'FAILED_PRECONDITION', details: [{ reason: 'EXTENSION_SUPPORT_REQUIRED' }] },
    });
  });

  test('receives AP2 from the chat', async () => {
    own.agent.received.length = 0;
    const body = { agentSlug: own.slug, messageId: newUuid(), text: 'hi' };
    const posted = await send(`${parley.url}/api/chat/messages`, { body, cookie: ada.cookie, origin: parley.url });
    expect(posted.status).toBeLessThan(300);
    await waitFor(() => own.agent.received.length > 0, { what: 'the message' });
    expect(asked(own.agent)).toEqual([version === '1.0' ? { new: ap2 } : { old: ap2 }]);
  });

  test('receives AP2 from our SDK, in plain and streamed sends', async () => {
    own.agent.received.length = 0;
    const client = createClient({ url: parley.url, accessToken: ada.accessToken });
    await client.send(own.slug, 'hi');
    for await (const _ of client.stream(own.slug, 'hi'));
    const sent = version === '1.0' ? { new: ap2 } : { old: ap2 };
    expect(asked(own.agent)).toEqual([sent, sent]);
  });

  test('receives AP2 from the command line', async () => {
    own.agent.received.length = 0;
    const cli = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: ada.accessToken });
    const { code, stdout } = await cli.run(['send', own.slug, 'hi']);
    cli.remove();
    expect([code, stdout.trim()]).toEqual([0, 'active']);
    expect(asked(own.agent)).toEqual([version === '1.0' ? { new: ap2 } : { old: ap2 }]);
  });
});

describe('an extensions header', () => {
  let own: Listed;

  beforeAll(async () => {
    own = await listed('1.0', false);
  });

  test.each([
    ['an inner space', 'urn:a b', '"urn:a b"'],
    ['a quote', '"urn:a"', 'urn:a'],
    ['text outside ASCII', 'urn:\u00e4', 'URIs'],
    ['a URI that is too long', `urn:${'a'.repeat(500)}`, 'at most 500 characters'],
    [
      'too many URIs',
      Array.from({ length: 51 }, (_, at) => `urn:${at}`).join(','),
      'found 51 extensions; expected at most 50',
    ],
  ])('is rejected with its name if it is not a list of URIs: %s', async (_, header, found) => {
    own.agent.received.length = 0;
    const { body } = await rpc(
      withHeaders(own.connection, { ...v1, 'a2a-extensions': header }),
      'SendMessage',
      message10('hi'),
    );
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('A2A-Extensions: ') });
    expect(body.error?.message).toContain(found);
    expect(own.agent.received).toEqual([]);
  });

  test('may be empty', async () => {
    const { body } = await rpc(
      withHeaders(own.connection, { ...v1, 'a2a-extensions': ' , ' }),
      'SendMessage',
      message10('hi'),
    );
    expect(body.error?.code).toBe(-32008);
  });
});

test('an agent’s own extensions header is forwarded to the caller only if its URIs are valid', async () => {
  const { agent, connection } = await listed('1.0', false);
  agent.answer(({ received, response, json }) => {
    response.setHeader('A2A-Extensions', [`${ap2}, not a uri`, '<script>']);
    json({ jsonrpc: '2.0', id: received.id, result: { message: message10('hi').message } });
  });
  const { headers } = await rpc(
    withHeaders(connection, { ...v1, 'a2a-extensions': ap2 }),
    'SendMessage',
    message10('hi'),
  );
  expect(headers.get('a2a-extensions')).toBe(ap2);
});

test('every caller’s task-related calls contain the extensions that the agent’s card requires', async () => {
  const { agent, connection } = await listed('1.0', false);
  const id = newUuid();
  agent.answer(({ received, json }) => {
    const isSend = received.params.message !== undefined;
    const state = isSend ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_CANCELED';
    const task = { id, contextId: 'its-own', status: { state } };
    json({ jsonrpc: '2.0', id: received.id, result: isSend ? { task } : task });
  });
  const { body } = await rpc(withHeaders(connection, { ...v1, 'a2a-extensions': ap2 }), 'SendMessage', message10('hi'));
  const { task } = body.result as { task: { id: string } };
  await rpc(withHeaders(connection, v1), 'CancelTask', { id: task.id });
  expect(agent.calls('CancelTask')[0]?.headers['a2a-extensions']).toBe(ap2);
});

describe('an extension that an agent requires but no Parley client supports', () => {
  test('leads to a warning for the owner, and is marked on the agent’s page', async () => {
    const { slug, agent } = await listed('1.0', false, [unknown]);
    const card = JSON.stringify(agent.card);
    const linted = await send(`${parley.url}/api/cards/lint`, {
      body: { card, url: agent.url },
      bearer: ada.accessToken,
    });
    const { warnings } = (await linted.json()) as { warnings: { rule: string; found: string; pointer: string }[] };
    expect(warnings).toContainEqual(
      expect.objectContaining({ rule: 'extension.required', pointer: '/capabilities/extensions/0' }),
    );
    const page = await (
      await fetch(`${parley.url}/agents/${slug}?tab=details`, { headers: { accept: 'text/html' } })
    ).text();
    expect(page).toContain(unknown);
  });

  test('leads to no warning if the client does not have to act', async () => {
    const { agent } = await listed('1.0', false, [timestamp, ap2]);
    const card = JSON.stringify(agent.card);
    const linted = await send(`${parley.url}/api/cards/lint`, {
      body: { card, url: agent.url },
      bearer: ada.accessToken,
    });
    expect(JSON.stringify(await linted.json())).not.toContain('extension.required');
  });
});
