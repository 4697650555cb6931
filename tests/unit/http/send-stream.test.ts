import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream, sendStream } from '@/lib/http/sse';
import { encodeSse, type SseEvent } from '@/lib/platform/http-client/sse';

let server: Server;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Requests the stream; `onCancel` runs when it is canceled. */
async function request(batches: AsyncGenerator<SseEvent[]>, onCancel: () => void): Promise<Response> {
  server = createServer((_request, response) => {
    void sendStream(EventStream.of({ batches, encode: encodeSse, onCancel }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

async function* silent(): AsyncGenerator<SseEvent[]> {
  yield [{ id: '1', data: '{}' }];
  await new Promise(() => undefined);
}

test('SSE-4 a stream sets its type, disables caching and buffering, and sends a heartbeat every 15 s', async () => {
  const response = await request(silent(), () => undefined);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  const reader = response.body?.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect(await next()).toBe('id: 1\ndata: {}\n\n');
  const beat = next();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await beat).toBe(': heartbeat\n\n');
});

test('SSE-5 a reader that disconnects ends the source and the heartbeat', async () => {
  let returned = false;
  let isClosed = false;
  async function* source(): AsyncGenerator<SseEvent[]> {
    try {
      for (;;) {
        yield [{ data: 'x' }];
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      returned = true;
    }
  }
  const onCancel = (): void => {
    isClosed = true;
  };
  const response = await request(source(), onCancel);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await vi.waitFor(() => expect([returned, isClosed, vi.getTimerCount()]).toEqual([true, true, 0]));
});
