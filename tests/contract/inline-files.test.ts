import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { CardServer } from '../fakes/card-server';
import { startChattyAgent } from '../fakes/chatty-agent';
import { connectToAll, type Part01, type SeedPath, type Task01, task01 } from '../support/dialects';
import { type Connection, createPerson, listAgent, rpc } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const csv = 'a,b\n1,2\n';
const inlined = { name: 'table.csv', mimeType: 'text/csv', bytes: Buffer.from(csv).toString('base64') };

let parley: SharedParley;
let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
let files: CardServer;
let connections: Record<SeedPath, Connection>;
const headers: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  chattyAgent = await startChattyAgent({ stateTransitionHistory: true });
  files = await CardServer.start();
  parley = await sharedParley();
  const ada = await createPerson(parley.url, 'Ada');
  connections = await connectToAll(parley.url, ada, await listAgent(parley.url, ada, { url: chattyAgent.agent.url }));
});

afterAll(async () => {
  await chattyAgent?.agent.stop();
  await files?.stop();
});

/** Serves bytes at a new address. */
function serve(body: string | Buffer = csv, status = 200): string {
  const path = `/${newUuid()}`;
  files.on('GET', path, (request, response) => {
    headers.push(request.headers);
    response.writeHead(status, { 'content-type': 'text/csv; charset=utf-8', location: files.url }).end(body);
  });
  return files.url + path;
}

function fetches(uri: string): number {
  return files.requests.filter((line) => line === `GET ${new URL(uri).pathname}`).length;
}

/** The agent returns links to these addresses; the task as AgentOS reads it. */
async function answerWith(uris: string[], connection = connections.agentos): Promise<Task01> {
  const id = newUuid();
  const parts = uris.map((uri) => ({ type: 'file', file: { name: 'table.csv', uri } }));
  const message = { role: 'user', parts: [{ type: 'text', text: 'echo' }, ...parts] };
  return task01(connection, 'tasks/send', { id, message });
}

function partsOf(task: Task01): Part01[] {
  return task.artifacts.flatMap(({ parts }) => parts);
}

describe('AgentOS’s path, which does not support links,', () => {
  test('inlines the agent’s links in every part of the task', async () => {
    const task = await answerWith([serve()]);
    const file = { type: 'file', file: inlined };
    expect(partsOf(task)).toEqual([file]);
    expect(task.status.message).toEqual({ role: 'agent', parts: [file] });
    expect(task.history?.at(-1)).toEqual({ role: 'agent', parts: [file] });
  });

  test('sends the caller’s own link as text to an agent without link support', async () => {
    const uri = serve();
    const task = await answerWith([uri]);
    expect(task.history?.[0]?.parts.at(-1)).toEqual({ type: 'text', text: `[file table.csv] ${uri}` });
  });

  test('fetches a file once for all requests, and without credentials', async () => {
    const uri = serve();
    const { id } = await answerWith([uri]);
    for (const _ of [1, 2, 3])
      expect(partsOf(await task01(connections.agentos, 'tasks/get', { id }))[0]?.file).toEqual(inlined);
    expect(fetches(uri)).toBe(1);
    expect(headers.at(-1)?.authorization ?? headers.at(-1)?.['parley-token']).toBeUndefined();
  });

  test('stores no inlined content, so that other paths still return the link', async () => {
    const uri = serve();
    const { id } = await answerWith([uri]);
    expect(partsOf(await task01(connections.societyai, 'tasks/get', { id }))[0]?.file).toMatchObject({ uri });
    expect(fetches(uri)).toBe(1);
    const other = serve();
    await answerWith([other], connections.societyai);
    expect(fetches(other)).toBe(0);
  });

  test('returns the same result for an A2A 1.0 method', async () => {
    const message = { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text: 'echo' }, { url: serve() }] };
    const { body } = await rpc(connections.agentos, 'SendMessage', { message });
    expect(partsOf(body.result as Task01)[0]?.file).toEqual({ ...inlined, name: 'file' });
  });

  test.each([
    ['a file that is too large', () => serve(Buffer.alloc(1_048_577))],
    ['an error', () => serve('gone', 404)],
    ['a redirect', () => serve('', 302)],
    ['an address that must not be called', () => serve().replace('127.0.0.1', 'localhost')],
    ['nothing', () => 'http://127.0.0.1:9/nothing'],
  ])('leaves a link to %s unchanged', async (_, target) => {
    const uri = target();
    expect(partsOf(await answerWith([uri]))).toEqual([{ type: 'text', text: `[file table.csv] ${uri}` }]);
    if (uri.includes('localhost')) expect(fetches(uri)).toBe(0);
  });

  test('inlines the largest allowed file completely', async () => {
    const [part] = partsOf(await answerWith([serve(Buffer.alloc(1_048_576))]));
    expect(Buffer.from(part?.file?.bytes ?? '', 'base64').length).toBe(1_048_576);
  });

  test('fetches at most eight links for one task', async () => {
    const uris = Array.from({ length: 12 }, () => serve());
    const parts = partsOf(await answerWith(uris));
    expect(parts.map(({ type }) => type)).toEqual([...Array(8).fill('file'), ...Array(4).fill('text')]);
    expect(uris.map(fetches)).toEqual([...Array(8).fill(1), ...Array(4).fill(0)]);
  });
});
