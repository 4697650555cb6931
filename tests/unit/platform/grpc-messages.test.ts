import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRAME_PREFIX_BYTES, FrameReader, FrameTooLargeError, withFramePrefix } from '@/lib/platform/grpc/frames';
import { createMessageCodec } from '@/lib/platform/grpc/message-codec';
import { formatTimeout, parseTimeout, readStatus, statusTrailers } from '@/lib/platform/grpc/status';
import { a2aEnums, a2aMessages } from '@/lib/protocol/a2a/proto/a2a-messages';
import { generateA2aMessages } from '@/scripts/a2a-messages.mjs';
import { decodeMessage, encodeMessage } from '../../support/grpc';

const codec = createMessageCodec(a2aMessages, a2aEnums);

/** Texts with one, two, three and four bytes per character, some longer than one byte of length. */
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ minLength: 100, maxLength: 300 }));
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const json = fc
  .jsonValue({ maxDepth: 4, stringUnit: 'grapheme' })
  // The other library writes -0 as 0.
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => !JSON.stringify(value).includes('__proto__'));
const struct = fc
  .dictionary(words, json, { maxKeys: 5, noNullPrototype: true })
  .filter((map) => !Object.hasOwn(map, '__proto__'));
const part = fc.oneof(
  fc.record({ text, metadata: struct }, { requiredKeys: ['text'] }),
  fc.record({ data: json, mediaType: words }, { requiredKeys: ['data'] }),
  fc.record({ raw: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')), filename: words }),
  fc.record({ url: words }),
);
const message = fc.record(
  {
    messageId: words,
    role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT'),
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    contextId: words,
    extensions: fc.array(words, { minLength: 1, maxLength: 3 }),
    metadata: struct,
  },
  { requiredKeys: ['messageId', 'role', 'parts'] },
);
const time = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const task = fc.record(
  {
    id: words,
    contextId: words,
    status: fc.record({ state: fc.constantFrom(...a2aEnums.TaskState.slice(1)), message, timestamp: time }),
    history: fc.array(message, { minLength: 1, maxLength: 3 }),
    metadata: struct,
  },
  { requiredKeys: ['id', 'status'] },
);

/** The times in one notation: both are valid, with and without milliseconds. */
function plain(value: object): object {
  return JSON.parse(JSON.stringify(value).replace(/\.000Z"/g, 'Z"')) as object;
}

describe('a message', () => {
  test.each([
    ['Task', task],
    ['SendMessageRequest', fc.record({ message, configuration: fc.record({ historyLength: fc.nat() }) })],
  ] as const)('%s is read and written as by another library', (name, values) => {
    fc.assert(
      fc.property(values as fc.Arbitrary<object>, (value) => {
        expect(plain(codec.decode(name, encodeMessage(name, value)))).toEqual(plain(value));
        expect(plain(decodeMessage(name, codec.encode(name, value as never)))).toEqual(plain(value));
      }),
      { numRuns: 300 },
    );
  });

  test('of any bytes is read or rejected, and never fails otherwise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          codec.decode('SendMessageRequest', Buffer.from(bytes));
        } catch (error) {
          expect(error).toMatchObject({ code: 'parse_error' });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('of which a part was lost is rejected or read as another one', () => {
    fc.assert(
      fc.property(task, fc.nat(), (value, cut) => {
        const bytes = encodeMessage('Task', value);
        try {
          codec.decode('Task', bytes.subarray(0, cut % bytes.length));
        } catch (error) {
          expect(error).toMatchObject({ code: 'parse_error' });
        }
      }),
    );
  });

  test('whose fields occur again is merged, and the last member of a oneof counts', () => {
    const first = encodeMessage('Task', { id: 'a', status: { state: 'TASK_STATE_WORKING' } });
    const second = encodeMessage('Task', { status: { timestamp: '2026-01-02T03:04:05Z' } });
    expect(codec.decode('Task', Buffer.concat([first, second]))).toEqual({
      id: 'a',
      status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-02T03:04:05.000Z' },
    });
    const parts = [encodeMessage('Part', { text: 'a' }), encodeMessage('Part', { url: 'b' })];
    expect(codec.decode('Part', Buffer.concat(parts))).toEqual({ url: 'b' });
  });

  test('leaves out members of another type, and those that it does not have', () => {
    const card = {
      name: 7,
      skills: [null, { id: 'x', tags: 'none' }],
      unknown: {},
      capabilities: { streaming: 'yes' },
    };
    expect(decodeMessage('AgentCard', codec.encode('AgentCard', card))).toEqual({
      skills: [{ id: 'x' }],
      capabilities: {},
    });
  });

  test('has maps, negative numbers and times before 1970', () => {
    const scheme = { httpAuthSecurityScheme: { scheme: 'bearer' } };
    const card = {
      securitySchemes: { a: scheme, b: scheme },
      securityRequirements: [{ schemes: { a: { list: ['x'] } } }],
    };
    expect(codec.decode('AgentCard', encodeMessage('AgentCard', card))).toEqual(card);
    expect(decodeMessage('AgentCard', codec.encode('AgentCard', card))).toEqual(card);
    const request = { id: 't', historyLength: -5 };
    expect(codec.decode('GetTaskRequest', encodeMessage('GetTaskRequest', request))).toEqual(request);
    expect(decodeMessage('GetTaskRequest', codec.encode('GetTaskRequest', request))).toEqual(request);
    const old = { status: { timestamp: '1969-12-31T23:59:58.500Z' } };
    expect(decodeMessage('Task', codec.encode('Task', old))).toEqual(old);
  });
});

test('the tables and descriptors are those of a2a.proto: node scripts/a2a-messages.mjs', () => {
  for (const [path, generated] of Object.entries(generateA2aMessages()))
    expect(readFileSync(path, 'utf8')).toBe(generated);
});

describe('a frame', () => {
  test('is found in any division into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }),
        fc.array(fc.nat({ max: 20 }), { minLength: 1 }),
        (messages, sizes) => {
          const frames = messages.map((bytes) =>
            withFramePrefix(Buffer.concat([Buffer.alloc(FRAME_PREFIX_BYTES), Buffer.from(bytes)])),
          );
          let rest = Buffer.concat(frames);
          const reader = new FrameReader(100);
          const found: Buffer[] = [];
          for (let index = 0; rest.length > 0; index++) {
            const size = (sizes[index % sizes.length] ?? 0) + 1;
            reader.push(rest.subarray(0, size));
            rest = rest.subarray(size);
            for (let next = reader.next(); next; next = reader.next()) found.push(next);
          }
          expect(found).toEqual(messages.map((bytes) => Buffer.from(bytes)));
          expect(reader.isPartial).toBe(false);
        },
      ),
    );
  });

  test('above the limit is rejected by its prefix', () => {
    const reader = new FrameReader(10);
    reader.push(Buffer.from([0, 0, 0, 0, 11]));
    expect(() => reader.next()).toThrow(FrameTooLargeError);
  });
});

describe('a status', () => {
  test('has its message and details in the trailers', () => {
    const reason = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'TASK_NOT_FOUND',
      domain: 'a2a-protocol.org',
      metadata: { task_id: 't1' },
    };
    const status = { name: 'NOT_FOUND', message: 'Nicht gefunden: 50 % – ünï\n', details: [reason] } as const;
    const trailers = statusTrailers({ ...status, details: [...status.details] });
    expect(trailers['grpc-message']).toMatch(/^[\x20-\x7e]*$/);
    expect(readStatus(trailers)).toEqual(status);
  });

  test('keeps its reason if the other details are too long for headers', () => {
    const fieldViolations = Array.from({ length: 500 }, () => ({
      field: 'message.parts',
      description: 'expected text',
    }));
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_PARAMS' },
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
    ];
    const trailers = statusTrailers({ name: 'INVALID_ARGUMENT', message: 'x', details });
    expect(readStatus(trailers)?.details).toEqual([details[0]]);
  });

  test('is read without details that are unreadable', () => {
    const trailers = { 'grpc-status': '5', 'grpc-message': 'a%', 'grpc-status-details-bin': 'AAAA' };
    expect(readStatus(trailers)).toEqual({ name: 'NOT_FOUND', message: 'a%', details: [] });
    expect(readStatus({ 'grpc-status': '99' })?.name).toBe('UNKNOWN');
    expect(readStatus({})).toBeNull();
  });

  test.each([
    ['1H', 3_600_000],
    ['2S', 2_000],
    ['150m', 150],
    ['5000u', 5],
    ['', null],
    ['1', null],
    ['123456789m', null],
    ['-1S', null],
  ])('the timeout %s is %s ms', (header, ms) => {
    expect(parseTimeout(header)).toBe(ms);
  });

  test('a timeout has at most eight digits', () => {
    expect(parseTimeout(formatTimeout(30_000))).toBe(30_000);
    expect(parseTimeout(formatTimeout(10 ** 9))).toBe(10 ** 9);
  });
});
