import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream, streamResponse } from '@/lib/http/sse/event-stream';
import { encodeSse, type SseEvent } from '@/lib/platform/sse';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function streamOf(batches: AsyncGenerator<SseEvent[]>, leave: () => void): Response {
  return streamResponse(EventStream.of({ batches, encode: encodeSse, onCancel: leave }));
}

async function* silent(): AsyncGenerator<SseEvent[]> {
  yield [{ id: '1', data: '{}' }];
  await new Promise(() => undefined);
}

test('SSE-4 sets its type, forbids storing and buffering, and sends a heartbeat every 15 s', async () => {
  const response = streamOf(silent(), () => undefined);
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
      for (;;) yield [{ data: 'x' }];
    } finally {
      returned = true;
    }
  }
  const leave = (): void => {
    isClosed = true;
  };
  const response = streamOf(source(), leave);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect([returned, isClosed, vi.getTimerCount()]).toEqual([true, true, 0]);
});
