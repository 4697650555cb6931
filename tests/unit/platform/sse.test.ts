import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasCode } from '@/lib/platform/errors';
import { encodeSse, readSse, type SseEvent } from '@/lib/platform/http-client/sse';

async function* bytes(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

async function readAll(body: AsyncIterable<Uint8Array>, max = 1_048_576): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const batch of readSse(body, max)) events.push(...batch);
  return events;
}

test('SSE-1 event data cannot forge an event, an id or a comment', () => {
  for (const data of [
    '\n\nevent: done\ndata: {"paid":true}',
    'a\rid: 9\r\rdata: x',
    'x\r\n\r\n: y',
    '\u2028\u2029',
    '',
  ]) {
    const text = encodeSse({ id: '1', data });
    for (const line of text.split('\n').slice(1, -2)) expect(line).toMatch(/^data: /);
    expect(text.endsWith('\n\n')).toBe(true);
  }
});

test('the event parser reads written events back, however the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 7 }), async (value, size) => {
      const wire = new TextEncoder().encode(encodeSse({ id: '7', data: JSON.stringify(value) }));
      const cuts = Array.from({ length: Math.ceil(wire.length / size) }, (_, at) =>
        wire.slice(at * size, at * size + size),
      );
      expect(await readAll(bytes(...cuts))).toEqual([{ id: '7', event: undefined, data: JSON.stringify(value) }]);
    }),
    { numRuns: 50 },
  );
});

test('the event parser reads CR, LF and CRLF, comments, fields without a colon and a byte order mark', async () => {
  const read = await readAll(
    bytes('\ufeffdata: a\r\n\r\n', ': hi\n\n', 'data\ndata: b\n\n', 'event: m\rdata:c\r\rdata: unfinished'),
  );
  expect(read.map(({ data }) => data)).toEqual(['a', '\nb', 'c', 'unfinished']);
});

test('LIM-1 the event parser rejects an event that is too large, including one that never ends', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new TextEncoder().encode(`data: ${'x'.repeat(10_000)}`);
  }
  await expect(readAll(endless(), 50_000)).rejects.toSatisfy((error) => hasCode(error, 'agent_misbehaved'));
});

test('the event parser rejects bytes that are not UTF-8', async () => {
  const broken = new Uint8Array([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a]);
  await expect(readAll(bytes(broken))).rejects.toSatisfy((error) => hasCode(error, 'agent_misbehaved'));
});
