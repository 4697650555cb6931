import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pruneAgentCalls } from '@/lib/observability';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  rpc,
  send,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

interface Call {
  method: string;
  dialect: string;
  ms: number;
  requestId: string;
  code: string | null;
  message: string | null;
  wire: {
    request: { method: string; url: string; headers: Record<string, string>; body: string };
    answer: { status: number; headers: Record<string, string>; body: string } | null;
  } | null;
}

let parley: SharedParley;
let agent: ScriptedAgent;
let owner: Person;
let caller: Person;
let slug: string;
let connection: Connection;
const stored = 'hunter2"quoted"&plus+slash/';

beforeAll(async () => {
  parley = await sharedParley();
  owner = await createPerson(parley.url, 'Olga');
  caller = await createPerson(parley.url, 'Carl');
});

beforeEach(async () => {
  await agent?.stop();
  agent = await ScriptedAgent.start({ name: 'Logged' });
  slug = await listAgent(parley.url, owner, { url: agent.url });
  connection = await connectTo(parley.url, caller, slug);
});

afterAll(() => agent?.stop());

const page = (path: string, person?: Person): Promise<Response> =>
  fetch(`${parley.url}/console/agents/${path}`, {
    headers: person ? { cookie: person.cookie } : {},
    redirect: 'manual',
  });

/** The log entries of this test's agent, newest first, once it has that many. */
async function logged(count: number): Promise<Call[]> {
  return waitFor(
    async () => {
      const rows = await query<Call>(
        'test-agent-calls',
        `SELECT method, dialect, ms, request_id AS "requestId", code, message, exchange AS wire FROM agent_call
         WHERE agent_id = (SELECT id FROM agent WHERE slug = $1) ORDER BY at DESC`,
        [slug],
      );
      return rows.length >= count ? rows : null;
    },
    { what: `${count} calls in the log` },
  );
}

const say = (text = 'hi'): ReturnType<typeof rpc> => rpc(connection, 'message/send', message03(text));

test('a successful call is logged on one line, without message content', async () => {
  agent.answer(({ result, end }) => {
    result(agent03.status('up', 'working', 'a word'));
    result(agent03.status('up', 'completed'));
    end();
  });
  await say('another word');
  const [call] = await logged(1);
  expect(call).toMatchObject({
    method: 'message/stream',
    dialect: '0.3 JSONRPC',
    code: null,
    message: null,
    wire: null,
  });
  expect(call?.ms).toBeGreaterThanOrEqual(0);
  expect(call?.requestId).toMatch(/^req_/);
});

describe('a failed call', () => {
  test('is logged with the HTTP exchange in both directions', async () => {
    agent.answer(({ response }) => {
      response.writeHead(500, { 'content-type': 'text/html', 'x-from': 'the agent' }).end('<h1>I broke</h1>');
    });
    await say('please');
    const [call] = await logged(1);
    expect(call).toMatchObject({ code: 'agent_misbehaved', message: 'The agent returned HTTP 500.' });
    expect(call?.wire?.request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(call?.wire?.request.body ?? '')).toMatchObject({
      method: 'message/stream',
      params: { message: { parts: [{ text: 'please' }] } },
    });
    expect(call?.wire?.answer).toMatchObject({
      status: 500,
      headers: { 'x-from': 'the agent' },
      body: '<h1>I broke</h1>',
    });
  });

  test('is logged without a response if the agent sends none', async () => {
    agent.answer(({ response }) => void response.destroy());
    await say();
    const [call] = await logged(1);
    expect(call).toMatchObject({ code: 'agent_unreachable', wire: { answer: null } });
  });

  test('is logged up to the interruption if its stream breaks', async () => {
    agent.answer(({ result, response }) => {
      result(agent03.status('up', 'working', 'so far'));
      response.write('data: {"jsonrpc": "2.0", "id"\n\n');
      response.end();
    });
    await say();
    const calls = await logged(1);
    const broken = calls.find(({ method }) => method === 'message/stream');
    expect(broken?.message).toContain('not JSON');
    expect(broken?.wire?.answer?.body).toContain('so far');
    expect(broken?.wire?.answer?.body).toContain('data: {"jsonrpc": "2.0", "id"');
  });

  test('is logged with long bodies truncated at a character boundary', async () => {
    const words = 'abcdefgh '.repeat(2_000);
    agent.answer(({ response }) => void response.writeHead(500).end(words));
    await say(words);
    const { wire } = (await logged(1))[0] ?? {};
    for (const body of [wire?.request.body, wire?.answer?.body]) {
      expect(body?.length).toBeLessThan(4_200);
      expect(body).toMatch(/abcdefgh {1,2}…$/);
    }
  });

  test('is logged with every secret masked, wherever it occurs and whoever sent it', async () => {
    const credential = { kind: 'api-key', in: 'query', name: 'pass', value: stored };
    const put = await send(`${parley.url}/api/agents/${slug}/credentials`, {
      method: 'PUT',
      bearer: owner.accessToken,
      body: credential,
    });
    expect(put.status).toBe(200);
    const seen: string[] = [];
    agent.answer(({ response, received }) => {
      const { authorization = '', 'parley-token': token = '' } = received.headers;
      seen.push(authorization.replace('Bearer ', ''), String(token));
      const words = { authorization, token, stored, nested: JSON.stringify({ client_secret: 'open sesame', stored }) };
      response.writeHead(500, { 'set-cookie': 'sid=open-sesame', 'x-echo': `${authorization}` });
      response.end(`${JSON.stringify(words)} ${encodeURIComponent(stored)} ${new URLSearchParams({ stored })}`);
    });
    const sent = { ...message03('hi'), metadata: { note: caller.accessToken, apiKey: 'open sesame' } };
    await rpc(connection, 'message/send', sent);
    const text = JSON.stringify(await logged(1));
    expect(text).toContain('[secret]');
    for (const secret of [...seen, caller.accessToken, connection.token]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/sesame|hunter2|quoted|eyJ/);
  });

  test('is logged even if the agent returned an empty response', async () => {
    agent.answer(({ response }) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end());
    await say();
    const calls = await logged(1);
    expect(calls.find(({ code }) => code !== null)?.message).toBe('The agent returned an empty response.');
  });
});

test('the agent log keeps ten thousand calls after a flood, including the failed ones', async () => {
  agent.answer(({ response }) => void response.writeHead(500).end('no'));
  await say();
  await logged(1);
  const id = (await query<{ id: string }>('test-agent', 'SELECT id FROM agent WHERE slug = $1', [slug]))[0]?.id;
  await query(
    'test-flood',
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id)
     SELECT 'call_' || n, $1, now(), 1, 'message/send', '1.0 JSONRPC', 'req_' || n FROM generate_series(1, 10400) AS n`,
    [id],
  );
  // A logged call is counted in its hour by the same statement.
  await query(
    'test-flood-hours',
    `INSERT INTO agent_call_hour (agent_id, hour, bucket, calls) VALUES ($1, date_trunc('hour', now(), 'UTC'), 1, 10400)
     ON CONFLICT (agent_id, hour, bucket) DO UPDATE SET calls = agent_call_hour.calls + excluded.calls`,
    [id],
  );
  await pruneAgentCalls(new Date());
  const calls = await logged(1);
  expect(calls.filter(({ code }) => code === null)).toHaveLength(10_000);
  expect(calls.filter(({ code }) => code !== null)).toHaveLength(1);
});

describe('the agent log page', () => {
  beforeEach(async () => {
    agent.answer(({ response }) => void response.writeHead(503).end('closed today'));
    await say('are you open?');
    await logged(1);
  });

  test('shows the owner the calls and their HTTP exchanges', async () => {
    const overview = await (await page(slug, owner)).text();
    const log = await (await page(`${slug}/calls?status=failed`, owner)).text();
    const id = /calls\/(call_[0-9a-z]+)/.exec(log)?.[1];
    const call = await (await page(`${slug}/calls/${id}`, owner)).text();
    for (const text of [overview, call]) {
      expect(text).toContain('The agent returned HTTP 503.');
      expect(text).toContain('closed today');
      expect(text).toContain('are you open?');
    }
  });

  test('returns 404 to everyone else', async () => {
    for (const path of [`${slug}/calls`, `${slug}/calls?status=failed`]) {
      const unauthorized = await page(path, caller);
      const unknown = await page(path.replace(slug, 'no-such-agent'), caller);
      expect([unauthorized.status, unknown.status]).toEqual([404, 404]);
      expect(await unauthorized.text()).not.toContain('closed today');
      const anonymous = await page(path);
      expect([anonymous.status, anonymous.headers.get('location')]).toEqual([
        307,
        expect.stringContaining('/sign-in?next='),
      ]);
    }
  });

  test('shows the details that the A2A endpoint hides from the caller', async () => {
    const answer = await post(connection, { jsonrpc: '2.0', id: 1, method: 'message/send', params: message03('hi') });
    expect(await answer.text()).not.toContain('closed today');
  });
});
