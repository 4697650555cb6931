import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import { connectToAll, type Part01, type SeedPath, seedPaths, type Task01, task01 } from '../support/dialects';
import { type Connection, createPerson, listAgent, post, readEvents, rpc } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, type GrpcConnection, grpcClient } from '../support/grpc';
import { type Parley, startParley } from '../support/parley';

// Parts that every dialect can express: a text, a file with its bytes, a linked file, and data.
const bytes = Buffer.from('a,b\n1,2\n').toString('base64');
const link = 'https://example.test/chart.png';
const data = { rows: [1, 2], total: { sum: 3 } };

// Parts with members in 1.0 and only metadata in earlier versions: media types of text and data, and data of any type.
const markdown = { text: '# Rows', mediaType: 'text/markdown', metadata: { mimeType: 'text/markdown' } };
interface TypedPart {
  text?: string;
  data?: unknown;
  mediaType: string;
  metadata: { mimeType: string; surface?: string };
}
const typed10: TypedPart[] = [
  markdown,
  { data, mediaType: 'application/a2ui+json', metadata: { surface: 's', mimeType: 'application/a2ui+json' } },
  { data: [1, null, 'x'], mediaType: 'application/vnd.list+json', metadata: { mimeType: 'application/vnd.list+json' } },
];

type Dialect = '1.1' | '1.0' | '1.0 gRPC' | '0.3' | 'web42' | SeedPath;
const parts01 = [
  { type: 'text', text: 'echo' },
  { type: 'text', text: 'some text' },
  { type: 'file', file: { name: 'table.csv', mimeType: 'text/csv', bytes } },
  { type: 'file', file: { name: 'chart.png', mimeType: 'image/png', uri: link } },
  { type: 'data', data },
];
const parts03 = parts01.map(({ type: kind, ...part }) => ({ kind, ...part }));
const parts10 = [
  { text: 'echo' },
  { text: 'some text' },
  { raw: bytes, filename: 'table.csv', mediaType: 'text/csv' },
  { url: link, filename: 'chart.png', mediaType: 'image/png' },
  { data },
];

const seeds = Object.keys(seedPaths) as SeedPath[];
const writers: Dialect[] = ['1.1', '1.0', '1.0 gRPC', '0.3', 'web42', ...seeds];

let parley: Parley;
let grpc: GrpcConnection;
let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
let connections: Record<SeedPath, Connection>;

beforeAll(async () => {
  chattyAgent = await startChattyAgent({ stateTransitionHistory: true });
  const port = await freePort();
  parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url, 'Ada');
  const slug = await listAgent(parley.url, ada, { url: chattyAgent.agent.url });
  connections = await connectToAll(parley.url, ada, slug);
  grpc = { client: grpcClient(`127.0.0.1:${port}`), token: connections['0.1'].token };
});

afterAll(async () => {
  grpc?.client.close();
  await parley?.stop();
  await chattyAgent?.agent.stop();
});

/** Sends all parts in a dialect; returns our own id of the task. */
async function write(dialect: Dialect): Promise<string> {
  const neutral = connections['0.1'];
  const message = { messageId: newUuid(), role: 'user' };
  if (dialect === '1.0' || dialect === '1.1') {
    const connection = { ...neutral, headers: { 'a2a-version': dialect } };
    const { body } = await rpc(connection, 'SendMessage', {
      message: { ...message, role: 'ROLE_USER', parts: parts10 },
    });
    return (body.result as { task: { id: string } }).task.id;
  }
  if (dialect === '1.0 gRPC') {
    const params = { message: { ...message, role: 'ROLE_USER', parts: parts10 } };
    const { response } = await callGrpc(grpc, 'SendMessage', params);
    return (response.task as { id: string }).id;
  }
  if (dialect === '0.3') {
    const { body } = await rpc(neutral, 'message/send', { message: { ...message, kind: 'message', parts: parts03 } });
    return (body.result as { id: string }).id;
  }
  if (dialect === 'web42') {
    const params = { message: { ...message, parts: parts03 } };
    const events = await readEvents(await post(neutral, { jsonrpc: '2.0', id: '1', method: 'message/send', params }));
    const last = events.at(-1)?.data as { taskId: string } | undefined;
    return last?.taskId ?? '';
  }
  const id = newUuid();
  await task01(connections[dialect], 'tasks/send', { id, message: { role: 'user', parts: parts01 } });
  const { metadata } = await task01(connections.orloj, 'tasks/get', { id });
  return String(metadata?.task_id);
}

const dataLink = `data:text/csv;base64,${bytes}`;
const csv01 = { type: 'file', file: { name: 'table.csv', mimeType: 'text/csv', bytes } };
const png01 = { type: 'file', file: { name: 'chart.png', mimeType: 'image/png', uri: link } };
const all01 = [{ type: 'text', text: 'some text' }, csv01, png01, { type: 'data', data }];

/** The parts after the conversions of rows 7 and 8. */
const expected: Record<SeedPath, Part01[]> = {
  '0.1': all01,
  societyai: all01,
  orloj: all01,
  agentos: [
    { type: 'text', text: 'some text' },
    csv01,
    { type: 'text', text: `[file chart.png (image/png)] ${link}` },
    { type: 'data', data },
  ],
  society: [
    { type: 'text', text: 'some text' },
    { type: 'text', text: `[file table.csv (text/csv)] ${dataLink}` },
    { type: 'text', text: `[file chart.png (image/png)] ${link}` },
    { type: 'text', text: JSON.stringify(data), data },
  ],
};

describe.each(writers)('a message written by %s', (writer) => {
  let id: string;
  beforeAll(async () => {
    id = await write(writer);
  });

  test.each(seeds)('is read on the path of %s as its dialect specifies', async (path) => {
    // On the neutral path our own id would get a 0.3 response.
    const connection =
      path === '0.1' ? { ...connections['0.1'], headers: { 'a2a-version': '0.1' } } : connections[path];
    const task: Task01 = await task01(connection, 'tasks/get', { id });
    expect(task.status.state).toBe('completed');
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([expected[path]]);
    const sentParts = (task.history ?? task.messages ?? [])[0]?.parts.slice(1);
    expect(sentParts).toEqual(expected[path]);
    if (path === 'society') expect(task.status.message).toBe('');
    else if (path !== '0.1') expect(task.status.message).toEqual({ role: 'agent', parts: expected[path] });
  });

  test('is read in 0.3 without loss', async () => {
    const { body } = await rpc(connections['0.1'], 'tasks/get', { id });
    const task = body.result as { artifacts: { parts: object[] }[]; history: { parts: object[] }[] };
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([parts03.slice(1)]);
    expect(task.history[0]?.parts).toEqual(parts03);
  });

  test('is read in 1.0 over gRPC without loss', async () => {
    const { response } = await callGrpc(grpc, 'GetTask', { id });
    const task = response as { artifacts: { parts: object[] }[]; history: { parts: object[] }[] };
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([parts10.slice(1)]);
    expect(task.history[0]?.parts).toEqual(parts10);
  });

  test('is read in 1.1 without loss', async () => {
    const { body } = await rpc({ ...connections['0.1'], headers: { 'a2a-version': '1.1' } }, 'GetTask', { id });
    const task = body.result as { artifacts: { parts: object[] }[]; timeline: { message?: { parts: object[] } }[] };
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([parts10.slice(1)]);
    expect(task.timeline[0]?.message?.parts).toEqual(parts10);
  });

  test('is read in 1.0 without loss', async () => {
    const { body } = await rpc(connections['0.1'], 'GetTask', { id });
    const task = body.result as { artifacts: { parts: object[] }[]; history: { parts: object[] }[] };
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([parts10.slice(1)]);
    expect(task.history[0]?.parts).toEqual(parts10);
  });
});

describe('parts whose members exist only in A2A 1.0', () => {
  const withoutMetadata = typed10.map(({ metadata: { mimeType: _, ...metadata }, ...part }) => ({
    ...part,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }));

  test('keep their media type and data on the way to a 0.3 agent and back', async () => {
    const message = { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text: 'echo' }, ...withoutMetadata] };
    const { body } = await rpc(connections['0.1'], 'SendMessage', { message });
    const { task } = body.result as { task: { id: string; artifacts: { parts: object[] }[] } };
    expect(chattyAgent.agent.calls('message/stream').at(-1)?.params.message?.parts.slice(1)).toEqual([
      { kind: 'text', text: markdown.text, metadata: markdown.metadata },
      { kind: 'data', data, metadata: typed10[1]?.metadata },
      {
        kind: 'data',
        data: { value: typed10[2]?.data },
        metadata: { ...typed10[2]?.metadata, data_part_compat: true },
      },
    ]);
    expect(task.artifacts[0]?.parts).toEqual(typed10);
    const again = await rpc(connections['0.1'], 'GetTask', { id: task.id });
    expect((again.body.result as { history: { parts: object[] }[] }).history[0]?.parts.slice(1)).toEqual(
      withoutMetadata,
    );
  });

  test.each(['0.3', '0.1', 'societyai', 'orloj', 'agentos'] as const)(
    'are read in 1.0 as %s wrote them',
    async (writer) => {
      const parts = typed10.map(({ text, data: value, metadata }) => {
        if (text !== undefined) return { text, metadata };
        const isWrapped = Array.isArray(value);
        return {
          data: isWrapped ? { value } : value,
          metadata: isWrapped ? { ...metadata, data_part_compat: true } : metadata,
        };
      });
      const named = (name: 'kind' | 'type'): object[] => [
        { [name]: 'text', text: 'echo' },
        ...parts.map((part) => ({ [name]: 'text' in part ? 'text' : 'data', ...part })),
      ];
      let id = newUuid();
      if (writer === '0.3') {
        const message = { kind: 'message', messageId: id, role: 'user', parts: named('kind') };
        id = ((await rpc(connections['0.1'], 'message/send', { message })).body.result as { id: string }).id;
      } else {
        await task01(connections[writer], 'tasks/send', { id, message: { role: 'user', parts: named('type') } });
        id = String((await task01(connections.orloj, 'tasks/get', { id })).metadata?.task_id);
      }
      const { body } = await rpc(connections['0.1'], 'GetTask', { id });
      const task = body.result as { artifacts: { parts: object[] }[]; history: { parts: object[] }[] };
      expect(task.artifacts[0]?.parts).toEqual(typed10);
      expect(task.history[0]?.parts.slice(1)).toEqual(typed10);
    },
  );
});

test('data that Society’s path wrote as text is read as data again', async () => {
  const id = newUuid();
  const parts = [{ type: 'text', text: 'echo' }, ...expected.society];
  await task01(connections.society, 'tasks/send', { id, message: { role: 'user', parts } });
  const task = await task01(connections.societyai, 'tasks/get', { id });
  expect(task.artifacts[0]?.parts.at(-1)).toEqual({ type: 'data', data });
});
