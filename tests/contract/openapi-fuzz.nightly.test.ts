import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonSchema, OpenApi, Operation } from '@/lib/docs/schema';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { HOSTILE_SEGMENTS, hostileBodies, sampleOf } from '../fakes/hostile-values';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { basic, createApp } from './tokens-fixture';

const atOnce = 12;
/** An endless stream is closed. */
const maxMs = 3_000;

let parley: Parley;
let agent: ScriptedAgent;
let fixture: Fixture;
const connections = new Agent({ keepAlive: true, maxSockets: atOnce });

/** A user with one of everything, so that hostile values pass the checks of ids. */
interface Fixture {
  person: Person;
  slug: string;
  credentials: string;
  ids: Record<string, string>;
}

async function createFixture(): Promise<Fixture> {
  const person = await createPerson(parley.url, 'Fay');
  const slug = await listAgent(parley.url, person, { url: agent.url, slug: `fuzz-${newUuid().slice(0, 8)}` });
  const app = await createApp(parley.url, person);
  const client = new ChatClient(parley.url, person);
  const posted = await client.say({ agentSlug: slug });
  const collection = await client.call('/api/collections', { body: { name: 'All', visibility: 'private' } });
  const { id: collectionId = 'x' } = (await collection.json()) as { id?: string };
  const ids = {
    '/api/apps/': app.id,
    '/api/chat/conversations/': posted.conversationId,
    '/api/chat/tasks/': posted.taskId,
    '/api/push/': posted.taskId,
    '/api/collections/': collectionId,
  };
  return { person, slug, credentials: basic(app), ids };
}

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Calm' });
  agent.answer(({ result, end }) => {
    result(agent03.task(newUuid(), 'completed', ['done']));
    end();
  });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', LOG_LEVEL: 'error' } });
  fixture = await createFixture();
});

afterAll(async () => {
  connections.destroy();
  await parley?.stop();
  await agent?.stop();
});

interface Sent {
  method: string;
  path: string;
  type?: string;
  body?: string | Buffer;
}

interface ResponseBody {
  status: number;
  type: string;
  text: string;
}

function exchange({ method, path, type, body }: Sent, authorization: Record<string, string>): Promise<ResponseBody> {
  const { hostname, port } = new URL(parley.url);
  const headers: Record<string, string> = { ...authorization, ...(type && { 'content-type': type }) };
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent: connections, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      const patience = setTimeout(() => response.destroy(), maxMs);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('close', () => {
        clearTimeout(patience);
        const { statusCode: status = 0, headers: fields } = response;
        resolve({ status, type: fields['content-type'] ?? '', text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The credentials a caller of the operation sends. */
function authorizationFor({ security }: Operation): Record<string, string> {
  if (security.some((one) => 'app' in one)) return { authorization: fixture.credentials };
  return { cookie: fixture.person.cookie, origin: parley.url };
}

function pathOf(path: string, replaced: Record<string, string> = {}): string {
  const known = Object.entries(fixture.ids).find(([start]) => path.startsWith(start))?.[1] ?? 'x';
  return path.replace(/\{(\w+)\}/g, (_, name: string) => replaced[name] ?? (name === 'slug' ? fixture.slug : known));
}

interface Described {
  path: string;
  method: string;
  operation: Operation;
}

/** Every hostile request to one operation. */
function* hostileRequests({ path, method, operation }: Described, api: OpenApi): Generator<Sent> {
  const { parameters = [], requestBody } = operation;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const schema: JsonSchema = content?.schema ?? {};
  const sample = sampleOf(schema, api.components.schemas);
  const isForm = type === 'application/x-www-form-urlencoded';
  const right = isForm ? new URLSearchParams(sample as Record<string, string>).toString() : JSON.stringify(sample);
  const bare = { method: method.toUpperCase(), ...(type && { type, body: right }) };
  for (const { name, in: where } of parameters) {
    for (const value of HOSTILE_SEGMENTS) {
      if (where === 'path') yield { ...bare, path: pathOf(path, { [name]: value }) };
      else yield { ...bare, path: `${pathOf(path)}?${name}=${value}` };
    }
    if (where === 'query') yield { ...bare, path: `${pathOf(path)}?${name}=a&${name}=b&${name}[]=c` };
  }
  if (!type) return;
  const to = pathOf(path);
  for (const body of ['', '{', 'null', Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from([0])])
    yield { ...bare, path: to, body };
  yield { ...bare, path: to, type: 'text/plain' };
  if (!isForm) {
    for (const body of hostileBodies(sample)) yield { ...bare, path: to, body };
    return;
  }
  for (const name of Object.keys(sample as object)) {
    for (const value of HOSTILE_SEGMENTS) yield { ...bare, path: to, body: `${right}&${name}=${value}` };
    for (const value of HOSTILE_SEGMENTS) yield { ...bare, path: to, body: `${name}=${value}` };
  }
}

/** The problem of a response; null when a caller can act on it. */
function problemOf({ status, type, text }: ResponseBody): string | null {
  // Addresses named by the request, other than Parley's, are unreachable; 501 is ARD's answer where an operation is absent.
  if (status >= 500 && status !== 501 && !/"code":"agent_(?:unreachable|timeout)"/.test(text)) return `HTTP ${status}`;
  if (status < 400 || text === '' || !type.includes('json')) return null;
  const body = JSON.parse(text) as Record<string, unknown>;
  return typeof body.code === 'string' || typeof body.error === 'string' || 'error' in body ? null : 'no error code';
}

/** Sends all of them, some concurrently; returns the errors and how many reached the operation. */
async function flood(requests: Iterable<Sent>, operation: Operation): Promise<{ faults: string[]; reached: number }> {
  const faults: string[] = [];
  let reached = 0;
  const next = requests[Symbol.iterator]();
  async function work(): Promise<void> {
    for (let { value: sent, done } = next.next(); !done; { value: sent, done } = next.next()) {
      const answer = await exchange(sent, authorizationFor(operation));
      if (answer.status !== 429) reached += 1;
      const fault = problemOf(answer);
      const shown = `${sent.method} ${sent.path.slice(0, 120)} ${String(sent.body ?? '').slice(0, 200)}`;
      if (fault) faults.push(`${fault}: ${shown} -> ${answer.text.slice(0, 200)}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return { faults, reached };
}

async function isSignedIn(): Promise<boolean> {
  const headers = { cookie: fixture.person.cookie, origin: parley.url };
  return (await exchange({ method: 'GET', path: '/api/auth/profile' }, headers)).status === 200;
}

async function stillListed(): Promise<boolean> {
  return (await fetch(`${parley.url}/api/agents/${fixture.slug}`)).status === 200;
}

test('RS-10 LIM-5 AUZ-3: hostile values cause no server error in any operation', { timeout: 600_000 }, async () => {
  const api = (await (await fetch(`${parley.url}/openapi.json`)).json()) as OpenApi;
  const operations = Object.entries(api.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
  );
  const faults: string[] = [];
  const unreached: string[] = [];
  for (const { path, method, operation } of operations) {
    // Restores what an operation ended, such as the session or the listing.
    if (!(await isSignedIn()) || !(await stillListed())) fixture = await createFixture();
    const outcome = await flood(hostileRequests({ path, method, operation }, api), operation);
    faults.push(...outcome.faults.slice(0, 5));
    const takesNothing = !operation.parameters && !operation.requestBody;
    if (outcome.reached === 0 && !takesNothing) unreached.push(operation.operationId);
  }
  expect(faults).toEqual([]);
  expect(unreached).toEqual([]);
  expect(operations.length).toBeGreaterThan(100);
  expect(parley.output()).not.toMatch(/unhandled|uncaught|"event":"request\.failed"/i);
});
