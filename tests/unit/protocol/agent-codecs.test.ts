import { describe, expect, test } from 'vitest';
import type { Message, Part } from '@/lib/protocol/a2a/core/model';
import {
  type AgentItem,
  type AgentProtocol,
  type AgentRequest,
  readAgentError,
  readAgentResult,
  toAgentRequest,
  toAgentRestRequest,
} from '@/lib/protocol/a2a/dialects';
import type { JsonValue } from '@/lib/protocol/json';

const newId = (): string => 'made';
const first: AgentProtocol = { protocolVersion: '0.1', binding: 'JSONRPC' };
const rest03: AgentProtocol = { protocolVersion: '0.3', binding: 'HTTP+JSON' };
const rest10: AgentProtocol = { protocolVersion: '1.0', binding: 'HTTP+JSON' };

const read = (value: unknown, wire?: AgentProtocol): AgentItem | null =>
  readAgentResult(value as JsonValue, newId, wire);
const text = (words: string): Part => ({ kind: 'text', text: words });

function partsOf(item: AgentItem | null): Part[] | undefined {
  if (item?.type === 'artifact') return item.artifact.parts;
  return item && 'message' in item ? item.message?.parts : undefined;
}

/** Without undefined members, as serialized. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the state reader', () => {
  const stateOf = (state: unknown): string | undefined => {
    const item = read({ id: 't', status: { state } }, first);
    return item?.type === 'task' ? item.state : undefined;
  };

  test.each([
    ['canceled', 'canceled'],
    ['cancelled', 'canceled'],
    ['CANCELLED', 'canceled'],
    ['TASK_STATE_CANCELLED', 'canceled'],
    ['task_state_input_required', 'input-required'],
    ['Input-Required', 'input-required'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth-required'],
    ['Rejected', 'rejected'],
    ['unknown', 'working'],
    ['TASK_STATE_UNSPECIFIED', 'working'],
  ])('reads %s as %s', (spelled, state) => {
    expect(stateOf(spelled)).toBe(state);
  });

  test.each([
    ['Pending', 'submitted'],
    ['Running', 'working'],
    ['WaitingApproval', 'input-required'],
    ['Succeeded', 'completed'],
    ['Failed', 'failed'],
  ])('reads an agent’s own name %s as %s', (phase, state) => {
    expect(stateOf(phase)).toBe(state);
  });

  test.each(['', 'done', 'constructor', '__proto__', 'toString', 'TASK_STATE_', 7, null, {}, ['completed']])(
    'finds no state in %o',
    (state) => {
      expect(stateOf(state)).toBeUndefined();
    },
  );
});

describe('the message reader', () => {
  test('reads a string as a status message’s text, and ignores an empty string', () => {
    const status = (message: unknown): AgentItem | null =>
      read({ id: 't', status: { state: 'completed', message } }, first);
    expect(partsOf(status('all done'))).toEqual([text('all done')]);
    expect(status('')).toMatchObject({ message: null });
    expect(status(null)).toMatchObject({ message: null });
  });

  test('reads parts by type, by kind, by member and as bare text', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { text: 'c' },
      'd',
      { type: 'file', file: { name: 'n', mimeType: 'm/t', bytes: 'AA==' } },
      { kind: 'file', file: { uri: 'https://a' } },
      { raw: 'AA==', filename: 'n', mediaType: 'm/t' },
      { url: 'https://b' },
      { file: { fileWithBytes: 'AA==', mimeType: 'm/t' } },
      { file: { fileWithUri: 'https://c' } },
      { type: 'data', data: { a: 1 } },
      { data: null },
    ];
    expect(wire(partsOf(read({ role: 'agent', parts })))).toEqual([
      ...['a', 'b', 'c', 'd'].map(text),
      { kind: 'bytes', bytes: 'AA==', filename: 'n', mediaType: 'm/t' },
      { kind: 'uri', uri: 'https://a' },
      { kind: 'bytes', bytes: 'AA==', filename: 'n', mediaType: 'm/t' },
      { kind: 'uri', uri: 'https://b' },
      { kind: 'bytes', bytes: 'AA==', mediaType: 'm/t' },
      { kind: 'uri', uri: 'https://c' },
      { kind: 'data', data: { a: 1 } },
      { kind: 'data', data: null },
    ]);
  });

  test('accepts data one level deeper only in 0.3 HTTP+JSON', () => {
    const message = { role: 'ROLE_AGENT', parts: [{ data: { data: { a: 1 } } }] };
    expect(wire(partsOf(read({ message }, rest03)))).toEqual([{ kind: 'data', data: { a: 1 } }]);
    expect(wire(partsOf(read({ message }, rest10)))).toEqual([{ kind: 'data', data: { data: { a: 1 } } }]);
    expect(partsOf(read({ message: { role: 'ROLE_AGENT', content: [{ text: 'x' }] } }, rest03))).toMatchObject([
      text('x'),
    ]);
  });
});

describe('the task reader for A2A 0.1', () => {
  const reply = { role: 'agent', parts: [{ type: 'text', text: 'from the history' }] };
  const task = (extra: object, state = 'completed'): AgentItem | null =>
    read({ id: 't', status: { state }, ...extra }, first);

  test('takes the reply from the artifacts, then the status, then the history’s last agent message', () => {
    const artifacts = [{ parts: [{ type: 'text', text: 'made' }] }];
    expect(task({ artifacts, history: [reply] })).toMatchObject({
      message: null,
      artifacts: [{ artifactId: 'artifact-0' }],
    });
    expect(
      partsOf(read({ id: 't', status: { state: 'completed', message: 'said' }, history: [reply] }, first)),
    ).toEqual([text('said')]);
    expect(partsOf(task({ artifacts: [], history: [reply] }))).toMatchObject([text('from the history')]);
    expect(partsOf(task({ messages: [reply] }))).toMatchObject([text('from the history')]);
  });

  test('ignores the caller’s last message, and any message while the agent is working', () => {
    const mine = { role: 'user', parts: [{ type: 'text', text: 'mine' }] };
    expect(task({ history: [reply, mine] })).toMatchObject({ message: null });
    expect(task({ history: [reply] }, 'working')).toMatchObject({ message: null });
  });

  test('takes no reply from the history in later versions', () => {
    expect(read({ kind: 'task', id: 't', status: { state: 'completed' }, history: [reply] })).toMatchObject({
      message: null,
    });
  });

  test('keeps two artifacts with one name separate', () => {
    const artifacts = [
      { name: 'a', parts: [] },
      { name: 'a', parts: [] },
      { index: 2, name: 'a', parts: [] },
    ];
    const item = task({ artifacts });
    expect(item?.type === 'task' && item.artifacts.map(({ artifactId }) => artifactId)).toEqual([
      'a',
      'a-1',
      'artifact-2',
    ]);
  });
});

describe('the event reader for A2A 0.1', () => {
  test('reads a status with `final` as an event, and one without it as the task (Orloj)', () => {
    expect(read({ id: 't', status: { state: 'working', message: 'on it' }, final: false }, first)).toMatchObject({
      type: 'status',
      taskId: 't',
    });
    expect(read({ id: 't', status: { state: 'working' } }, first)).toMatchObject({ type: 'task', taskId: 't' });
    expect(read({ id: 't', status: { state: 'completed' }, artifacts: [], final: true }, first)).toMatchObject({
      type: 'task',
    });
  });

  test('recognizes a chunk by its artifact’s index', () => {
    const artifact = { index: 3, name: 'r', parts: [{ type: 'text', text: 'x' }], append: true, lastChunk: true };
    expect(read({ id: 't', artifact }, first)).toMatchObject({
      type: 'artifact',
      taskId: 't',
      artifact: { artifactId: 'artifact-3' },
      append: true,
      lastChunk: true,
    });
  });
});

describe('the reader, given invalid input,', () => {
  test.each([
    null,
    0,
    'x',
    [],
    {},
    { kind: 'task' },
    { kind: 'task', id: {}, status: { state: 'working' } },
    { id: 't', status: 'working' },
    { id: 't', status: { state: { a: 1 } } },
    { kind: 'message', parts: 'x' },
    { message: { parts: [{}] } },
    { artifact: 7 },
    { kind: 'status-update', taskId: 't' },
  ])('ignores %o', (value) => {
    for (const each of [undefined, first, rest03, rest10]) expect(read(value, each)).toBeNull();
  });

  test('drops members with wrong types and reads the others', () => {
    const item = read(
      {
        id: 't',
        sessionId: 9,
        status: {
          state: 'completed',
          message: { parts: [null, 7, {}, [], { text: 5 }, { text: 'kept' }], role: 4, messageId: {} },
        },
        artifacts: [null, 'x', { parts: 'y', index: 'z', name: [] }],
        history: 'no',
      },
      first,
    );
    expect(wire(item)).toEqual({
      type: 'task',
      taskId: 't',
      state: 'completed',
      message: { messageId: 'made', role: 'agent', parts: [text('kept')] },
      artifacts: [{ artifactId: 'artifact-2', parts: [] }],
      history: [],
    });
  });
});

describe('the error reader', () => {
  test.each([
    ['JSON-RPC', { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'm' } }, -32001],
    ['0.3 in HTTP+JSON', { code: -32002, message: 'm' }, -32002],
    [
      '1.0 in HTTP+JSON',
      {
        error: {
          code: 400,
          status: 'FAILED_PRECONDITION',
          message: 'm',
          details: [{}, { reason: 'TASK_NOT_CANCELABLE' }],
        },
      },
      -32002,
    ],
    ['problem JSON', { type: 'https://a2a-protocol.org/errors/task-not-found', title: 'm', status: 404 }, -32001],
    ['an unknown reason', { error: { code: 418, message: 'm', details: [{ reason: 'constructor' }, 'x', null] } }, 0],
  ])('reads an error in %s', (_, value, code) => {
    expect(readAgentError(value as JsonValue)).toEqual({ code, message: 'm' });
  });

  test.each([
    null,
    'x',
    [],
    {},
    { message: 'a reply' },
    { message: { parts: [] } },
    { id: 't', status: { state: 'failed' } },
  ])('finds no error in %o', (value) => {
    expect(readAgentError(value as JsonValue)).toBeNull();
  });
});

const parts: Part[] = [
  text(' odd \u2028\r\n text '),
  { kind: 'bytes', bytes: 'AA==', filename: 'a.bin', mediaType: 'a/b' },
  { kind: 'uri', uri: 'https://a', filename: 'a', mediaType: 'a/b', metadata: { m: 1 } },
  { kind: 'data', data: { deep: [null, { a: 1 }] } },
];
const message: Message = { messageId: 'm1', role: 'user', parts, contextId: 'c1' };

/** The parts as read back from the request to an agent of a version. */
function readBack(
  sent: Part[],
  protocolVersion: AgentProtocol['protocolVersion'],
  binding: 'JSONRPC' | 'HTTP+JSON',
): unknown {
  const request: AgentRequest = { op: 'send', message: { ...message, parts: sent }, ownTaskId: 'own' };
  const written =
    binding === 'JSONRPC' || protocolVersion === '0.1'
      ? (wire(toAgentRequest(protocolVersion, 'rpc', request)) as { params: { message: JsonValue } }).params
      : (wire(toAgentRestRequest(protocolVersion, request).body) as { message: JsonValue });
  return wire(partsOf(read({ message: written.message }, { protocolVersion, binding })));
}

describe('the request writer', () => {
  test('A2A 0.1: assigns one task id to every message, and derives the envelope id from it', () => {
    const begun = toAgentRequest('0.1', 'rpc-1', { op: 'stream', message, ownTaskId: 'own', metadata: { a: 'b' } });
    expect(wire(begun)).toEqual({
      jsonrpc: '2.0',
      id: 'own',
      method: 'tasks/sendSubscribe',
      params: {
        id: 'own',
        sessionId: 'c1',
        message: {
          role: 'user',
          parts: [
            { type: 'text', text: ' odd \u2028\r\n text ' },
            { type: 'file', file: { name: 'a.bin', mimeType: 'a/b', bytes: 'AA==' } },
            { type: 'file', file: { name: 'a', mimeType: 'a/b', uri: 'https://a' }, metadata: { m: 1 } },
            { type: 'data', data: { deep: [null, { a: 1 }] } },
          ],
        },
        metadata: { a: 'b' },
      },
    });
    const followed = { op: 'send' as const, message: { ...message, taskId: 'theirs' }, ownTaskId: 'own' };
    expect(toAgentRequest('0.1', 'rpc-2', followed)).toMatchObject({
      id: 'theirs',
      method: 'tasks/send',
      params: { id: 'theirs' },
    });
  });

  test.each([
    ['0.1', 'get', 'tasks/get'],
    ['0.1', 'cancel', 'tasks/cancel'],
    ['0.1', 'subscribe', 'tasks/resubscribe'],
    ['0.3', 'subscribe', 'tasks/resubscribe'],
    ['1.0', 'get', 'GetTask'],
    ['1.0', 'cancel', 'CancelTask'],
    ['1.0', 'subscribe', 'SubscribeToTask'],
  ] as const)('A2A %s: writes %s as %s', (version, op, method) => {
    expect(toAgentRequest(version, 'rpc', { op, taskId: 't/1' })).toMatchObject({ method, params: { id: 't/1' } });
  });

  test.each([
    ['1.0', { op: 'send', message }, 'POST /message:send'],
    ['1.0', { op: 'stream', message, tenant: 'a/b' }, 'POST /a%2Fb/message:stream'],
    ['1.0', { op: 'get', taskId: 't/1' }, 'GET /tasks/t%2F1'],
    ['1.0', { op: 'cancel', taskId: 't', tenant: 'x' }, 'POST /x/tasks/t:cancel'],
    ['1.0', { op: 'subscribe', taskId: '../t?a#b' }, 'GET /tasks/..%2Ft%3Fa%23b:subscribe'],
    ['1.0', { op: 'subscribe', taskId: 't', alternate: true }, 'POST /tasks/t:subscribe'],
    ['0.3', { op: 'send', message, tenant: 'x' }, 'POST /v1/message:send'],
    ['0.3', { op: 'get', taskId: 't' }, 'GET /v1/tasks/t'],
    ['0.3', { op: 'cancel', taskId: 't' }, 'POST /v1/tasks/t:cancel'],
  ] as const)('HTTP+JSON in %s: writes %o as %s', (version, request, expected) => {
    const { method, path } = toAgentRestRequest(version, request as AgentRequest);
    expect(`${method} ${path}`).toBe(expected);
  });

  test('writes a push target and the cancel reason in every version', () => {
    const push = { url: 'https://p', token: 's' };
    const sent: AgentRequest = { op: 'send', message, push };
    expect(toAgentRequest('0.1', 'rpc', sent)).toMatchObject({ params: { pushNotification: push } });
    expect(toAgentRequest('0.3', 'rpc', sent)).toMatchObject({
      params: { configuration: { pushNotificationConfig: push } },
    });
    expect(toAgentRestRequest('1.0', sent)).toMatchObject({
      body: { configuration: { taskPushNotificationConfig: push } },
    });
    expect(toAgentRestRequest('0.3', sent)).toMatchObject({ body: { configuration: { pushNotification: push } } });
    const canceled: AgentRequest = { op: 'cancel', taskId: 't', metadata: { reason: 'late' } };
    expect(toAgentRequest('0.1', 'rpc', canceled)).toMatchObject({ params: { metadata: { reason: 'late' } } });
    expect(toAgentRestRequest('1.0', canceled)).toMatchObject({ body: { metadata: { reason: 'late' } } });
  });

  test('uses Society AI’s method name in the second attempt to subscribe', () => {
    const request: AgentRequest = { op: 'subscribe', taskId: 't', alternate: true };
    expect(toAgentRequest('0.1', 'rpc', request)).toMatchObject({ method: 'task/resubscribe' });
    expect(toAgentRequest('0.3', 'rpc', request)).toMatchObject({ method: 'tasks/resubscribe' });
  });

  test('writes 0.3 HTTP+JSON with its Protobuf bodies', () => {
    const { body } = toAgentRestRequest('0.3', { op: 'send', message: { ...message, taskId: 't' } });
    expect(wire(body)).toEqual({
      configuration: { acceptedOutputModes: ['text/plain'] },
      message: {
        messageId: 'm1',
        contextId: 'c1',
        taskId: 't',
        role: 'ROLE_USER',
        content: [
          { text: ' odd \u2028\r\n text ' },
          { file: { fileWithBytes: 'AA==', name: 'a.bin', mimeType: 'a/b' } },
          { file: { fileWithUri: 'https://a', name: 'a', mimeType: 'a/b' }, metadata: { m: 1 } },
          { data: { data: { deep: [null, { a: 1 }] } } },
        ],
      },
    });
  });

  test.each([
    ['0.1', 'JSONRPC'],
    ['0.3', 'JSONRPC'],
    ['1.0', 'JSONRPC'],
    ['0.3', 'HTTP+JSON'],
    ['1.0', 'HTTP+JSON'],
  ] as const)('in A2A %s over %s writes parts that are read back unchanged', (protocolVersion, binding) => {
    expect(readBack(parts, protocolVersion, binding)).toEqual(wire(parts));
    const wrapped: Part[] = [null, 'text', 7, [1, { a: 2 }]].map((data) => ({ kind: 'data', data }));
    expect(readBack(wrapped, protocolVersion, binding)).toEqual(wrapped);
    const typed: Part[] = [
      { kind: 'text', text: '# Hi', mediaType: 'text/markdown' },
      { kind: 'data', data: { a: 1 }, mediaType: 'application/a2ui+json', metadata: { surface: 's' } },
      { kind: 'data', data: [1], mediaType: 'application/vnd.list+json' },
    ];
    // Before 1.0, the metadata has the media type.
    const expected = typed.map(({ mediaType, metadata, ...part }) => {
      const more = { ...metadata, ...(protocolVersion !== '1.0' && { mimeType: mediaType }) };
      return { ...part, mediaType, ...(Object.keys(more).length > 0 && { metadata: more }) };
    });
    expect(readBack(typed, protocolVersion, binding)).toEqual(expected);
    expect(readBack(expected as Part[], protocolVersion, binding)).toEqual(expected);
  });
});
