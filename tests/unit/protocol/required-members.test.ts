import { describe, expect, test } from 'vitest';
import { type IssuedCard, writeCard } from '@/lib/protocol/a2a/cards/write-card';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { Message, Part, PushTarget, Task, TaskState } from '@/lib/protocol/a2a/core/model';
import { type AgentRequest, fallbackDialect, toAgentRequest, toAgentRestRequest } from '@/lib/protocol/a2a/dialects';
import type { JsonObject } from '@/lib/protocol/json';
import { errorsIn, type SchemaVersion, typesWithRequired } from '../../support/required-members';

// Strict readers reject a request without a member that their version requires.

const parts: Part[] = [
  { kind: 'text', text: 'hello' },
  { kind: 'data', data: { a: 1 } },
  { kind: 'data', data: [1] },
  { kind: 'bytes', bytes: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
  { kind: 'uri', uri: 'https://example.com/a' },
];
const bare: Message = { messageId: 'm1', role: 'user', parts };
const full: Message = {
  ...bare,
  contextId: 'c',
  taskId: 't',
  referenceTaskIds: ['t0'],
  extensions: ['e'],
  metadata: {},
};
const pushes: (PushTarget | undefined)[] = [
  undefined,
  { url: 'https://example.com/hook' },
  { id: 'p', url: 'https://example.com/hook', token: 'x', authentication: { scheme: 'Bearer', credentials: 'y' } },
  { url: 'https://example.com/hook', authentication: { scheme: 'Bearer' } },
];

function sends(op: 'send' | 'stream'): AgentRequest[] {
  const modes = [
    {},
    { acceptedOutputModes: [] },
    { acceptedOutputModes: ['text/html'] },
    { outputModes: [] },
    { outputModes: ['image/png'] },
  ];
  return [bare, full].flatMap((message) =>
    pushes.flatMap((push) => modes.map((mode): AgentRequest => ({ op, message, push, ...mode }))),
  );
}

const byId = (op: 'get' | 'cancel' | 'subscribe'): AgentRequest[] => [
  { op, taskId: 't' },
  { op, taskId: 't', metadata: { a: 1 } },
];

const requests: [string, AgentRequest[]][] = [
  ['SendMessageRequest', sends('send')],
  ['SendStreamingMessageRequest', sends('stream')],
  ['GetTaskRequest', byId('get')],
  ['CancelTaskRequest', byId('cancel')],
  ['TaskResubscriptionRequest', byId('subscribe')],
];

describe.each(['0.2.5', '0.2.6', '0.3.0'] as const)('an A2A %s agent', (version) => {
  test.each(requests)('receives every required member in a %s', (type, asked) => {
    for (const request of asked) expect(errorsIn(version, type, toAgentRequest('0.3', 'q', request))).toEqual([]);
  });

  test('receives the output modes that the caller accepts, or else those in its card', () => {
    const modesOf = (request: AgentRequest): unknown => {
      const { configuration } = toAgentRequest('0.3', 'q', request).params as { configuration: JsonObject };
      return configuration.acceptedOutputModes;
    };
    const send = { op: 'send' as const, message: bare, outputModes: ['image/png'] };
    expect(modesOf(send)).toEqual(['image/png']);
    expect(modesOf({ ...send, acceptedOutputModes: ['text/html'] })).toEqual(['text/html']);
    expect(modesOf({ ...send, op: 'stream', outputModes: [] })).toEqual(['text/plain']);
  });
});

test('an A2A 0.3 agent receives every required member over HTTP, and schemes for its push authentication', () => {
  for (const request of [...sends('send'), ...sends('stream')]) {
    const configuration = toAgentRestRequest('0.3', request).body?.configuration;
    expect(configuration).toMatchObject({ acceptedOutputModes: [expect.any(String)] });
    const { pushNotification } = configuration as { pushNotification?: JsonObject };
    if (pushNotification) expect(errorsIn('0.3.0', 'PushNotificationConfig', pushNotification)).toEqual([]);
  }
});

describe('an A2A 1.0 agent', () => {
  test('receives every required member in a SendMessageRequest, over both bindings', () => {
    for (const request of [...sends('send'), ...sends('stream')]) {
      expect(errorsIn('1.0.0', 'SendMessageRequest', toAgentRequest('1.0', 'q', request).params)).toEqual([]);
      expect(errorsIn('1.0.0', 'SendMessageRequest', toAgentRestRequest('1.0', request).body)).toEqual([]);
    }
  });

  test.each([
    ['GetTaskRequest', 'get'],
    ['CancelTaskRequest', 'cancel'],
    ['SubscribeToTaskRequest', 'subscribe'],
  ] as const)('receives every required member in a %s', (type, op) => {
    for (const request of byId(op)) {
      expect(errorsIn('1.0.0', type, toAgentRequest('1.0', 'q', request).params)).toEqual([]);
    }
  });
});

const states: TaskState[] = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
];
const timestamp = '2026-01-01T00:00:00.000Z';
const response: Message = { ...full, role: 'agent' };

function taskIn(state: TaskState): Task {
  const artifacts = [{ artifactId: 'a', parts }];
  return {
    id: 't',
    contextId: 'c',
    status: { state, message: response, timestamp },
    artifacts,
    history: [full, response],
  };
}

const emptyTask: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'working', timestamp },
  artifacts: [],
  history: [],
};
const tasks = [...states.map(taskIn), emptyTask];
const ids = { taskId: 't', contextId: 'c' };
const events: TaskEvent[] = [
  ...states.map((state): TaskEvent => ({ type: 'status', status: { state, timestamp } })),
  { type: 'status', status: { state: 'working', message: response, timestamp } },
  { type: 'artifact', artifact: { artifactId: 'a', parts }, append: false, lastChunk: true },
  { type: 'reply', message: response, timestamp },
];
const config = { id: 'p', taskId: 't', url: 'https://example.com', authentication: { scheme: 'Bearer' } };
const result = (value: unknown): object => ({ jsonrpc: '2.0', id: 1, result: value });

describe.each(['0.2.5', '0.2.6', '0.3.0'] as const)('an A2A %s caller', (version) => {
  const dialect = fallbackDialect('0.3');
  const accepts = (type: string, value: unknown): void => expect(errorsIn(version, type, result(value))).toEqual([]);

  test('receives every required member in a task, in every state', () => {
    for (const task of tasks) {
      accepts('SendMessageSuccessResponse', dialect.sendResult({ task }));
      accepts('GetTaskSuccessResponse', dialect.taskResult(task));
      accepts('CancelTaskSuccessResponse', dialect.taskResult(task));
      accepts('SendStreamingMessageSuccessResponse', dialect.snapshotEvent(task));
    }
    accepts('SendMessageSuccessResponse', dialect.sendResult({ message: response }));
  });

  test('receives every required member in an event', () => {
    for (const event of events) accepts('SendStreamingMessageSuccessResponse', dialect.event(event, ids, 1));
  });

  test('receives every required member in a push configuration', () => {
    const types = ['SetTaskPushNotificationConfigSuccessResponse', 'GetTaskPushNotificationConfigSuccessResponse'];
    for (const type of types) accepts(type, dialect.pushConfigResult(config));
    if (version === '0.2.5') return;
    const list = dialect.pushListResult({ configs: [config], nextPageToken: '' });
    accepts('ListTaskPushNotificationConfigSuccessResponse', list);
    accepts('DeleteTaskPushNotificationConfigSuccessResponse', dialect.pushDeleteResult);
  });

  test('receives every required member in an error', () => {
    const error = dialect.error({ code: 'task_not_found', message: 'no' });
    expect(errorsIn(version, 'JSONRPCErrorResponse', { jsonrpc: '2.0', id: 1, error })).toEqual([]);
  });
});

describe('an A2A 1.0 caller', () => {
  const dialect = fallbackDialect('1.0');
  const accepts = (type: string, value: unknown): void => expect(errorsIn('1.0.0', type, value)).toEqual([]);

  test('receives every required member in tasks, events, lists and push configurations', () => {
    for (const task of tasks) {
      accepts('SendMessageResponse', dialect.sendResult({ task }));
      accepts('Task', dialect.taskResult(task));
      accepts('StreamResponse', dialect.snapshotEvent(task));
    }
    accepts('SendMessageResponse', dialect.sendResult({ message: response }));
    for (const event of events) accepts('StreamResponse', dialect.event(event, ids, 1));
    for (const includeArtifacts of [true, false]) {
      const page = { tasks, nextPageToken: '', pageSize: 50, totalSize: 0 };
      accepts('ListTasksResponse', dialect.listResult(page, includeArtifacts));
    }
    accepts('TaskPushNotificationConfig', dialect.pushConfigResult(config));
    accepts(
      'ListTaskPushNotificationConfigsResponse',
      dialect.pushListResult({ configs: [config], nextPageToken: '' }),
    );
  });
});

describe('a card that Parley serves', () => {
  const least: IssuedCard = {
    name: 'Least',
    description: '',
    version: '',
    provider: null,
    documentationUrl: null,
    iconUrl: null,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extendedCard: false,
      stateTransitionHistory: false,
      extensions: [],
    },
    inputModes: [],
    outputModes: [],
    skills: [],
    url: 'https://parley.example/agents/least/a2a/jsonrpc',
    restUrl: 'https://parley.example/agents/least/a2a/rest',
    bearer: { name: 'parley', description: 'A token', scopes: [] },
  };
  const most: IssuedCard = {
    ...least,
    description: 'All of it',
    version: '1',
    provider: { organization: 'Acme', url: '' },
    inputModes: ['text/plain'],
    outputModes: ['text/plain'],
    skills: [
      { id: 's', name: 'S', description: '', tags: [], examples: ['x'], inputModes: ['text/plain'], outputModes: [] },
    ],
    capabilities: {
      ...least.capabilities,
      extendedCard: true,
      extensions: [{ uri: 'urn:x', description: '', required: true, params: {} }],
    },
  };

  const shapes: [SchemaVersion, '1.0' | '0.3' | '0.1'][] = [
    ['0.2.5', '0.1'],
    ['0.2.6', '0.1'],
    ['0.3.0', '0.3'],
    ['0.3.0', '0.1'],
    ['1.0.0', '1.0'],
  ];
  test.each(shapes)('has every member that A2A %s requires in the shape of %s', (version, shape) => {
    for (const card of [least, most]) expect(errorsIn(version, 'AgentCard', writeCard(card, shape))).toEqual([]);
  });
});

test('the type table contains every type with required members', () => {
  const known = (version: SchemaVersion): number => typesWithRequired(version).length;
  expect([known('0.2.5'), known('0.3.0'), known('1.0.0')].every((count) => count > 20)).toBe(true);
});
