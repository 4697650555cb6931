import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@parley/agent';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callLocalAgent } from '@/packages/cli/src/serve/local-agent';
import { streamCompletion } from '@/packages/sdk/src/openai/stream-completion';
import { interleaved } from '../../support/keep-alives';

let server: Server;
let url: string;
/** The response body of the server. */
let body = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

const eventOf = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const status = (state: string): object => ({
  statusUpdate: { taskId: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` } },
});
const items = [status('WORKING'), status('COMPLETED')];
const results = items.map((result) => eventOf({ jsonrpc: '2.0', id: 1, result }));
const deltas = [
  eventOf({ choices: [{ delta: { content: 'Hel' } }] }),
  eventOf({ choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }] }),
];

async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of source) found.push(item);
  return found;
}

const local = { card: {}, version: '1.0', streaming: true } as const;
const signal = new AbortController().signal;
const readers: [string, () => Promise<unknown[]>][] = [
  [
    'the client',
    () => {
      const token = { token: 'x', agentUrl: url, scope: '', expiresAt: Date.now() + 60_000 };
      return all(createClient({ url, authorize: async () => token }).stream('agent', 'hi'));
    },
  ],
  [
    '"parley serve" in front of an A2A server',
    () => all(callLocalAgent({ ...local, url }, { method: 'SendStreamingMessage', params: {}, token: '', signal })),
  ],
];

test.each(readers)('%s ignores keep-alives in a stream', async (_, read) => {
  await fc.assert(
    fc.asyncProperty(interleaved(results), async (text) => {
      body = text;
      expect(await read()).toEqual(items);
    }),
    { numRuns: 60 },
  );
});

test.each(readers)('%s rejects an event that is cut off', async (_, read) => {
  body = `${results[0]}${results[1]?.slice(0, 30)}\n\n`;
  await expect(read()).rejects.toThrow('not JSON');
});

test('the model client ignores keep-alives until the stream ends', async () => {
  const read = (): Promise<unknown[]> => all(streamCompletion({ url, model: 'm' }, { messages: [], signal }));
  await fc.assert(
    fc.asyncProperty(interleaved(deltas), async (text) => {
      // OpenAI's end of a stream ends it.
      fc.pre(!text.includes('[DONE]'));
      body = text;
      expect(await read()).toEqual([{ content: 'Hel' }, { content: 'lo' }]);
    }),
    { numRuns: 60 },
  );
  body = `${deltas[0]}data: {"choices":[{"del\n\n`;
  await expect(read()).rejects.toThrow('not JSON');
});
