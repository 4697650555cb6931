import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '@/lib/endpoints/table';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { malform, type RawRequest, randomOf, type Sample } from '../fakes/malformed';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  rpc,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { consentForm } from './oauth-fixture';
import { basic, createApp } from './tokens-fixture';

const requests = 10_000;
const seed = 20_261_121;
const atOnce = 16;
const mostGrowth = 30 * 1_048_576;
/** An endless stream is closed. */
const maxMs = 3_000;

let parley: Parley;
let agent: ScriptedAgent;
let person: Person;
let connection: Connection;
let slug: string;
let credentials: string;
let taskId: string;
const connections = new Agent({ keepAlive: true, maxSockets: atOnce });

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Patient' });
  agent.answer(({ result, end }) => {
    result(agent03.task(newUuid(), 'completed', ['done']));
    end();
  });
  const preload = `--import ${new URL('../support/report-memory.mjs', import.meta.url).href}`;
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', LOG_LEVEL: 'error', NODE_OPTIONS: preload };
  parley = await startParley({ env });
  person = await createPerson(parley.url);
  slug = await listAgent(parley.url, person, { url: agent.url });
  connection = await connectTo(parley.url, person, slug);
  credentials = basic(await createApp(parley.url, person));
  taskId = ((await rpc(connection, 'message/send', message03('hi'))).body.result as { id: string }).id;
});

afterAll(async () => {
  connections.destroy();
  await parley?.stop();
  await agent?.stop();
});

const push = { url: 'http://127.0.0.1:9/hook', token: 'for the receiver' };

/** Valid JSON-RPC requests of every generation. */
function calls(): object[] {
  const task = { id: taskId };
  const config = { taskId, pushNotificationConfig: push };
  const methods: [string, object][] = [
    ['message/send', message03('hi')],
    [
      'message/stream',
      { ...message03('hi'), configuration: { acceptedOutputModes: ['text/plain'], historyLength: 1 } },
    ],
    ['tasks/get', { ...task, historyLength: 1 }],
    ['tasks/cancel', task],
    ['tasks/resubscribe', task],
    ['tasks/list', { pageSize: 5 }],
    ['tasks/pushNotificationConfig/set', config],
    ['tasks/pushNotificationConfig/get', { ...task, pushNotificationConfigId: 'x' }],
    ['agent/getAuthenticatedExtendedCard', {}],
    ['SendMessage', { ...message10('hi'), configuration: { returnImmediately: true } }],
    ['SendStreamingMessage', message10('hi')],
    ['GetTask', task],
    ['ListTasks', { contextId: newUuid(), status: 'TASK_STATE_COMPLETED' }],
    ['SubscribeToTask', task],
    ['CreateTaskPushNotificationConfig', { taskId, ...push }],
    ['tasks/send', { id: newUuid(), message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } }],
    ['tasks/sendSubscribe', { id: newUuid(), message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } }],
  ];
  return methods.map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params }));
}

/** Paths for apps of other protocols, which take access tokens. */
const hostPaths = /^\/(?:mcp|agents\/:slug\/mcp|v1\/(?:models|chat|responses|files))\b/;

/** Valid bodies of these paths. */
function hostBodiesOf(path: string): object[] {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
  if (path === '/v1/chat/completions') return [true, false].map((stream) => ({ model: slug, messages, stream }));
  if (path === '/v1/responses') return [true, false].map((stream) => ({ model: slug, input: 'hi', stream }));
  const name = path === '/mcp' ? 'send_message' : 'script';
  const call = { name, arguments: { agent: slug, message: 'hi' }, _meta: { progressToken: 1 } };
  const methods: [string, object][] = [
    ['initialize', { protocolVersion: '2025-11-25' }],
    ['tools/list', {}],
    ['tools/call', call],
  ];
  return methods.map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params }));
}

/** Valid bodies of the endpoints without JSON-RPC. */
function bodiesOf(path: string): (object | string)[] {
  if (path.endsWith('/introspect')) return [`token=${connection.token}&token_type_hint=access_token`];
  if (path.endsWith('/handshake')) return [{ agentSlug: slug }];
  if (path.endsWith('/access-tokens')) return [{ name: 'x', scopes: ['handshake'], expiresInDays: 1 }];
  if (path === '/oauth/register') return [{ client_name: 'x', redirect_uris: ['https://client.example/callback'] }];
  if (path === '/oauth/authorize') return [consentForm('reg.x.x', 'x'.repeat(43))];
  if (path.startsWith('/api/')) return [{ name: 'x' }];
  if (hostPaths.test(path)) return hostBodiesOf(path);
  if (!path.includes('/a2a/rest/')) return calls();
  if (path.includes('/message:')) return [message10('hi'), message03('hi'), { request: message10('hi').message }];
  return path.includes('pushNotificationConfigs') ? [push, { config: { pushNotificationConfig: push } }] : [{}];
}

function samples(): Sample[] {
  const rows = endpoints.filter(({ path }) =>
    /^\/(?:agents|v1|v0\.1|a2a|mcp|oauth|tasks|\.well-known|api\/(?:push|apps|auth\/(?:handshake|introspect|access-tokens)))\b|^\/$/.test(
      path,
    ),
  );
  const params = { slug, task: taskId, id: 'x', config: 'x', secretId: 'x', model: slug };
  return rows.flatMap(({ method, path }): Sample[] => {
    if (method === 'GET' || method === 'DELETE') return [{ method, path, params }];
    const isForm = path.endsWith('/introspect') || path === '/oauth/authorize';
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return bodiesOf(path).map((body) => ({ method, path, params, body, headers: { 'content-type': type } }));
  });
}

/** Most requests are authorized, so that their errors are found deeper in the code. */
function authorizationOf(path: string, chance: number): Record<string, string> {
  if (chance < 0.15) return {};
  if (path.includes('/introspect')) return { authorization: credentials };
  if (path.startsWith('/oauth/')) return { cookie: person.cookie, origin: parley.url };
  return {
    authorization: `Bearer ${path.startsWith('/api/') || hostPaths.test(path) ? person.accessToken : connection.token}`,
  };
}

interface ResponseBody {
  status: number;
  type: string;
  text: string;
}

function exchange({ method, path, headers, body }: RawRequest): Promise<ResponseBody> {
  const { hostname, port } = new URL(parley.url);
  return new Promise((resolve, reject) => {
    const outgoing = send(
      { agent: connections, hostname, port, method, path, headers: latin1(headers) },
      (response) => {
        const chunks: Buffer[] = [];
        const done = (): void => {
          clearTimeout(patience);
          const { statusCode: status = 0, headers: fields } = response;
          resolve({ status, type: fields['content-type'] ?? '', text: Buffer.concat(chunks).toString('utf8') });
        };
        const patience = setTimeout(() => response.destroy(), maxMs);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('close', done);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Node's client refuses what it could not write. */
function latin1(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)));
}

/** What is wrong with a response; null when a caller can understand it. */
function problemOf(method: string, { status, type, text }: ResponseBody): string | null {
  if (status >= 500) return `HTTP ${status}`;
  if (/\n\s+at .+:\d+:\d+|node_modules|prisma|postgres|SELECT |INSERT /i.test(type.startsWith('text/html') ? '' : text))
    return 'tells what is inside';
  if (status < 400 || type.startsWith('text/')) return null;
  if (text === '')
    return method === 'HEAD' || status === 400 || status === 405 ? null : `HTTP ${status} without a word`;
  const parsedBody = JSON.parse(text) as Record<string, unknown>;
  // OAuth's errors and problems; JSON-RPC's, OpenAI's, google.rpc.Status, and those of HTTP+JSON in 0.3, which are bare.
  if (
    typeof parsedBody.error === 'string' ||
    (typeof parsedBody.code === 'string' && typeof parsedBody.title === 'string')
  )
    return null;
  const { code, message } = (parsedBody.error ?? parsedBody) as Record<string, unknown>;
  const isCode = Number.isInteger(code) || (typeof code === 'string' && code !== '');
  return isCode && typeof message === 'string' ? null : 'an error without code and message';
}

async function memory(): Promise<number> {
  const lines = (): string[] =>
    parley
      .output()
      .split('\n')
      .filter((text) => text.startsWith('{"event":"memory"'));
  const before = lines().length;
  process.kill(parley.pid, 'SIGUSR2');
  await waitFor(() => lines().length > before, { what: 'the memory to be reported' });
  return (JSON.parse(lines().at(-1) ?? '{}') as { bytes: number }).bytes;
}

/** Sends malformed requests, some concurrently; returns invalid responses. */
async function flood(count: number, from: number): Promise<{ faults: string[]; statuses: Map<number, number> }> {
  const right = samples();
  const random = randomOf(from);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let remaining = count;
  async function work(): Promise<void> {
    while (remaining-- > 0) {
      const sample = right[Math.floor(random() * right.length)] as Sample;
      const headers = { ...sample.headers, ...authorizationOf(sample.path, random()) };
      const request = malform({ ...sample, headers }, random);
      const answer = await exchange(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = problemOf(request.method, answer);
      if (fault) faults.push(`${fault}: ${describeRequest(request)} -> ${answer.text.slice(0, 200)}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return { faults, statuses };
}

function describeRequest({ method, path, headers, body }: RawRequest): string {
  const shown = { ...headers, authorization: headers.authorization?.slice(0, 10) };
  return `${method} ${path.slice(0, 150)} ${JSON.stringify(shown).slice(0, 300)} ${body?.toString('utf8').slice(0, 300)}`;
}

test('R10 RS-10 LIM-5 LIM-6: 10,000 malformed requests get a clear error, and leak nothing', {
  timeout: 180_000,
}, async () => {
  // Lazily loaded code counts as before.
  await flood(300, seed - 1);
  const before = await memory();
  const { pid } = parley;
  const { faults, statuses } = await flood(requests, seed);
  expect(faults.slice(0, 20)).toEqual([]);
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
  for (const status of [200, 400, 401, 404, 405, 415])
    expect(statuses.get(status), `HTTP ${status}`).toBeGreaterThan(50);
  expect(parley.pid).toBe(pid);
  expect(parley.output()).not.toMatch(/unhandled|uncaught|"event":"request\.failed"/i);
  await waitFor(async () => (await memory()) - before < mostGrowth, { what: 'the memory to be given back' });
  const { body } = await rpc(connection, 'tasks/get', { id: taskId });
  expect(body.result).toMatchObject({ id: taskId });
});
