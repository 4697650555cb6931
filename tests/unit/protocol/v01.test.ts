import { describe, expect, test } from 'vitest';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { Task } from '@/lib/protocol/a2a/core/model';
import {
  chooseDialect,
  type Dialect,
  fallbackDialect,
  type LegacySystem,
  legacyDialect,
  legacySystemDialect,
  readRequest,
} from '@/lib/protocol/a2a/dialects';
import type { JsonObject } from '@/lib/protocol/json';
import { ProtocolError } from '@/lib/protocol/protocol-error';

const seeds: LegacySystem[] = ['society', 'societyai', 'orloj', 'agentos'];
const family: Dialect[] = [legacyDialect(), ...seeds.map(legacySystemDialect)];
const timestamp = '2026-03-09T10:30:00.000Z';

function read(dialect: Dialect, method: string, params: JsonObject): ReturnType<typeof readRequest> {
  return readRequest(dialect, { id: 1, method, params });
}

function fieldsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ProtocolError) return error.violations.map(({ field }) => field);
    throw error;
  }
  throw new Error('expected a fault');
}

const message: JsonObject = { role: 'user', parts: [{ type: 'text', text: 'hi' }] };

const task: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'working', timestamp },
  artifacts: [{ artifactId: 'one', parts: [{ kind: 'text', text: 'a' }] }],
  history: [],
  createdAt: timestamp,
};

/** The stream that the dialect writes for these events of the task. */
function streamOf(dialect: Dialect, ...events: TaskEvent[]): JsonObject[][] {
  const write = dialect.legacy?.openStream(task);
  if (!write) throw new Error('expected a dialect that names its tasks');
  return events.map((event) => write({ event }) as JsonObject[]);
}

describe('the choice of dialect', () => {
  test('selects 0.1 for methods that exist only there, and 0.3 for shared ones unless the version differs', () => {
    for (const method of ['tasks/send', 'tasks/sendSubscribe', 'task/resubscribe']) {
      expect(chooseDialect(method, '').key).toBe('0.1');
    }
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/resubscribe', 'tasks/list']) {
      expect(chooseDialect(method, '').key).toBe('0.3');
      expect(chooseDialect(method, '0.1').key).toBe('0.1');
    }
    expect(fallbackDialect('0.1').key).toBe('0.1');
  });

  test('§5.1: accepts every version’s methods on a legacy system’s path', () => {
    for (const seed of seeds) {
      const methods = Object.keys(legacySystemDialect(seed).methods);
      for (const method of ['tasks/send', 'task/resubscribe', 'message/stream', 'SendMessage', 'GetTask']) {
        expect(methods, `${seed} ${method}`).toContain(method);
      }
    }
  });

  test('sets a send’s longest wait by the path: 30 s for Society, 60 s elsewhere', () => {
    expect(family.map(({ key, legacy: named }) => [key, named?.waitMs])).toEqual([
      ['0.1', 60_000],
      ['society', 30_000],
      ['societyai', 60_000],
      ['orloj', 60_000],
      ['agentos', 60_000],
    ]);
  });
});

describe('the request reader for A2A 0.1', () => {
  test('also accepts a part identified by its type in 0.3', () => {
    const userMessage = { messageId: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
    expect(read(chooseDialect('message/send', ''), 'message/send', { message: userMessage })).toMatchObject({
      message: { parts: [{ kind: 'text', text: 'hi' }] },
    });
    const neither = { ...userMessage, parts: [{ text: 'hi' }] };
    expect(() => read(chooseDialect('message/send', ''), 'message/send', { message: neither })).toThrow();
  });

  test('names the invalid member', () => {
    const wrong: [JsonObject, string][] = [
      [{ message }, 'id'],
      [{ id: 't', message: { ...message, role: 'agent' } }, 'message.role'],
      [{ id: 't', message: { role: 'user', parts: [] } }, 'message.parts'],
      [{ id: 't', message: { role: 'user', parts: [{ type: 'text' }] } }, 'message.parts[0]'],
      [{ id: 't', message: { role: 'user', parts: [{ type: 'image', url2: 'x' }] } }, 'message.parts[0]'],
      [{ id: 't', message: { role: 'user', parts: [{ type: 'file', file: {} }] } }, 'message.parts[0].file'],
      [{ id: 't', message, pushNotification: {} }, 'pushNotification.url'],
      [{ id: 'a\nb', message }, 'id'],
    ];
    for (const [params, field] of wrong) {
      expect(
        fieldsOf(() => read(legacyDialect(), 'tasks/send', params)),
        JSON.stringify(params),
      ).toEqual([field]);
    }
  });

  test('reads the mode "text" as text/plain', () => {
    const request = read(legacyDialect(), 'tasks/send', {
      id: 't',
      message,
      acceptedOutputModes: ['text', 'image/png'],
    });
    expect(request).toMatchObject({ configuration: { acceptedOutputModes: ['text/plain', 'image/png'] } });
  });

  test('reads a cancel reason of up to 1024 bytes of UTF-8', () => {
    const reason = 'é'.repeat(512);
    expect(read(legacyDialect(), 'tasks/cancel', { id: 't', reason })).toMatchObject({ op: 'cancel', reason });
    expect(fieldsOf(() => read(legacyDialect(), 'tasks/cancel', { id: 't', reason: `${reason}!` }))).toEqual([
      'reason',
    ]);
  });

  test('rejects an unknown method with Society’s error text on every legacy path', () => {
    for (const seed of seeds) {
      for (const method of ['unknown/method', 'constructor', '__proto__']) {
        expect(() => read(legacySystemDialect(seed), method, {})).toThrow(`method not found: ${method}`);
      }
    }
  });
});

describe('an A2A 0.1 error', () => {
  const codes = [
    'parse_error',
    'agent_misbehaved',
    'extended_card_not_configured',
    'version_not_supported',
    'push_not_supported',
    'content_type_not_supported',
    'agent_not_found',
    'task_busy',
    'internal',
  ] as const;

  test('always has a reason, and never a number from -32006 to -32009', () => {
    for (const dialect of family) {
      for (const code of codes) {
        const written = dialect.error({ code, message: 'x' });
        expect([-32006, -32007, -32008, -32009], `${dialect.key} ${code}`).not.toContain(written.code);
        expect((written.data as JsonObject).reason, `${dialect.key} ${code}`).toMatch(/^[a-z_]+$/);
      }
    }
  });

  test('has the number -32003 only for a missing agent', () => {
    for (const dialect of family) {
      expect(dialect.error({ code: 'agent_not_found', message: 'x' }).code).toBe(-32003);
      expect(dialect.error({ code: 'push_not_supported', message: 'x' }).code).not.toBe(-32003);
    }
  });
});

describe('an A2A 0.1 stream', () => {
  const chunk = (artifactId: string, append: boolean): TaskEvent => ({
    type: 'artifact',
    artifact: { artifactId, name: artifactId, parts: [{ kind: 'text', text: 'b' }] },
    append,
    lastChunk: false,
  });
  const status = (state: 'working' | 'completed', text?: string): TaskEvent => ({
    type: 'status',
    status: {
      state,
      timestamp,
      message: text === undefined ? undefined : { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text }] },
    },
  });

  test('has the same artifact index in all chunks, even after a reconnection', () => {
    const [first, second, third] = streamOf(
      legacySystemDialect('societyai'),
      chunk('one', true),
      chunk('two', false),
      chunk('two', true),
    );
    expect(first).toMatchObject([{ id: 't', artifact: { index: 0, append: true, lastChunk: false } }]);
    expect(second).toMatchObject([{ id: 't', artifact: { index: 1, append: false } }]);
    expect(third).toMatchObject([{ id: 't', artifact: { index: 1, append: true } }]);
  });

  test('sends Orloj the whole task on every status change', () => {
    const [none, whole] = streamOf(legacySystemDialect('orloj'), chunk('one', true), status('completed'));
    expect(none).toEqual([]);
    expect(whole).toMatchObject([{ id: 't', status: { state: 'completed' }, artifacts: [{ index: 0 }] }]);
    expect(JSON.stringify(whole)).toContain('"b"');
  });

  test('converts a last message without an artifact to an artifact', () => {
    const bare = { ...task, artifacts: [] };
    const write = legacySystemDialect('societyai').legacy?.openStream(bare);
    expect(write?.({ event: status('completed', 'done') })).toEqual([
      { id: 't', artifact: { name: 'response', parts: [{ type: 'text', text: 'done' }], index: 0 } },
      {
        id: 't',
        status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'done' }] } },
        final: true,
      },
    ]);
    const [told] = streamOf(legacySystemDialect('societyai'), status('completed', 'done'));
    expect(told).toHaveLength(1);
  });

  test('leaves the start of the run’s stream unchanged', () => {
    const before = structuredClone(task);
    streamOf(legacySystemDialect('orloj'), chunk('one', true), status('completed'));
    expect(task).toEqual(before);
  });
});
