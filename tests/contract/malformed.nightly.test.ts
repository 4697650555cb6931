import { Agent, request as send } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '@/lib/endpoints/table';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import type { RawRequest } from '../fakes/malformed';
import {
  type Caller,
  describeRequest,
  malformedRequests,
  problemOf,
  type ResponseBody,
} from '../fakes/malformed-requests';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message03, type Person, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { basic, createApp } from './tokens-fixture';

const requests = 15_000;
/** These requests load code on first use and fill the caches: 100 MB. */
const first = 10_000;
const seed = 20_261_121;
const atOnce = 16;
/** Of the others 3 KB a request, such as tasks in caches. */
const maxGrowthBytes = 15 * 1_048_576;
/** An endless stream is closed. */
const maxMs = 3_000;

let parley: Parley;
let agent: ScriptedAgent;
let person: Person;
let connection: Connection;
let taskId: string;
let caller: Caller;
/** The endpoints that programs of other parties call. */
const flooded = endpoints.filter(({ path }) =>
  /^\/(?:agents|v1|v0\.1|a2a|mcp|oauth|tasks|\.well-known|api\/(?:push|apps|auth\/(?:handshake|introspect|access-tokens)))\b|^\/$/.test(
    path,
  ),
);
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
  const slug = await listAgent(parley.url, person, { url: agent.url });
  connection = await connectTo(parley.url, person, slug);
  taskId = ((await rpc(connection, 'message/send', message03('hi'))).body.result as { id: string }).id;
  const { cookie, accessToken } = person;
  const app = basic(await createApp(parley.url, person));
  caller = { slug, taskId, agentToken: connection.token, accessToken, app, cookie, origin: parley.url };
});

afterAll(async () => {
  connections.destroy();
  await parley?.stop();
  await agent?.stop();
});

function exchange({ method, path, headers, body }: RawRequest): Promise<ResponseBody> {
  const { hostname, port } = new URL(parley.url);
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent: connections, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      const done = (): void => {
        clearTimeout(patience);
        const { statusCode: status = 0, headers: fields } = response;
        resolve({ status, type: fields['content-type'] ?? '', text: Buffer.concat(chunks).toString('utf8') });
      };
      const patience = setTimeout(() => response.destroy(), maxMs);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('close', done);
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
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
  const requests = malformedRequests(flooded, caller, from);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let remaining = count;
  async function work(): Promise<void> {
    while (remaining-- > 0) {
      const request = requests.next().value;
      const answer = await exchange(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = problemOf(request, answer);
      if (fault) faults.push(`${fault}: ${describeRequest(request)} -> ${answer.text.slice(0, 200)}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return { faults, statuses };
}

test('RS-10 LIM-5 LIM-6: 15,000 malformed requests get clear errors that disclose no data', {
  timeout: 180_000,
}, async () => {
  const { pid } = parley;
  const loading = await flood(first, seed - 1);
  const before = await memory();
  const { faults, statuses } = await flood(requests - first, seed);
  expect(loading.faults.slice(0, 20)).toEqual([]);
  expect(faults.slice(0, 20)).toEqual([]);
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(requests - first);
  for (const status of [200, 400, 401, 404, 405, 415])
    expect(statuses.get(status), `HTTP ${status}`).toBeGreaterThan(50);
  expect(parley.pid).toBe(pid);
  expect(parley.output()).not.toMatch(/unhandled|uncaught|"event":"request\.failed"/i);
  await waitFor(async () => (await memory()) - before < maxGrowthBytes, { what: 'the memory to be released' });
  const { body } = await rpc(connection, 'tasks/get', { id: taskId });
  expect(body.result).toMatchObject({ id: taskId });
});
