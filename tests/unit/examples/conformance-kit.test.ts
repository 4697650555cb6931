import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentProcess, ensureAgent, originOf, stopAgent } from '@/scripts/demo/agent-process';
import { freePort } from '@/scripts/processes.mjs';
import { bundleAgents, credentialsFor, startParley } from './running-agents';

let bundles: Awaited<ReturnType<typeof bundleAgents>>;
let parley: Awaited<ReturnType<typeof startParley>>;
let agent: AgentProcess;

beforeAll(async () => {
  [bundles, parley] = await Promise.all([bundleAgents('conformance'), startParley()]);
  const files = {
    bundle: path.join(bundles.folder, 'conformance.mjs'),
    logFile: path.join(bundles.folder, 'conformance.log'),
  };
  const variables = credentialsFor(parley.url);
  agent = await ensureAgent({ slug: 'conformance', ...files, variables, preferredPort: await freePort() }, null);
});

afterAll(async () => {
  await stopAgent('conformance', agent);
  await parley.stop();
  bundles.remove();
});

interface Answer {
  message?: { parts: object[] };
  task?: {
    id: string;
    status: { state: string; message?: { parts: { text: string }[] } };
    artifacts?: { parts: object[] }[];
  };
}

async function post(method: string, params: object): Promise<Response> {
  return fetch(`${originOf(agent)}/a2a/jsonrpc`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${parley.tokenOf('ada')}`,
      'content-type': 'application/json',
      'a2a-version': '1.0',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

async function send(messageId: string): Promise<Answer> {
  const message = { messageId, role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  return ((await (await post('SendMessage', { message })).json()) as { result: Answer }).result;
}

describe('a2a-tck scenarios by messageId prefix:', () => {
  test.each([
    ['tck-complete-task', 'TASK_STATE_COMPLETED', 'Hello from TCK'],
    ['tck-input-required', 'TASK_STATE_INPUT_REQUIRED', 'What else should I know?'],
    ['tck-reject-task', 'TASK_STATE_REJECTED', 'rejected'],
  ])('%s ends the turn in %s', async (prefix, state, text) => {
    const { task } = await send(`${prefix}-1`);
    expect(task?.status).toMatchObject({ state, message: { parts: [{ text }] } });
  });

  test('tck-message-response returns a message but no task', async () => {
    const response = await send('tck-message-response-1');
    expect(response.task).toBeUndefined();
    expect(response.message?.parts).toMatchObject([{ text: 'Direct message response' }]);
  });

  const file = { filename: 'output.txt', mediaType: 'text/plain' };
  test.each([
    ['tck-artifact-text', { text: 'Generated text content' }],
    ['tck-artifact-file', { ...file, raw: Buffer.from('Generated file content').toString('base64') }],
    ['tck-artifact-file-url', { ...file, url: 'https://example.com/output.txt' }],
    ['tck-artifact-data', { data: { key: 'value', count: 42 } }],
  ])('%s publishes one artifact and completes', async (prefix, part) => {
    const { task } = await send(`${prefix}-1`);
    expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task?.artifacts?.map(({ parts }) => parts)).toMatchObject([[part]]);
  });

  test('tck-stream-artifact-chunked streams two chunks, the second appended and last', async () => {
    const message = { messageId: 'tck-stream-artifact-chunked-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
    const text = await (await post('SendStreamingMessage', { message })).text();
    const events = [...text.matchAll(/^data: ?(.+)$/gm)].map(
      ([, data]) => (JSON.parse(data ?? '') as { result: object }).result,
    );
    expect(events).toMatchObject([
      { task: { status: { state: 'TASK_STATE_WORKING' } } },
      { artifactUpdate: { artifact: { parts: [{ text: 'chunk-1 ' }] } } },
      { artifactUpdate: { artifact: { parts: [{ text: 'chunk-2' }] }, append: true, lastChunk: true } },
      { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
  });

  test('a message id from the 0.3 kit runs for a while and then requires input', async () => {
    const { task } = await send(`test-cancel-message-id-${crypto.randomUUID()}`);
    expect(task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  test('any other id returns the message text', async () => {
    const { task } = await send('tck-unheard-of-1');
    expect(task?.artifacts?.map(({ parts }) => parts)).toMatchObject([[{ text: 'hello' }]]);
  });
});
