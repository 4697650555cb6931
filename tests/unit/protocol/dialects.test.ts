import { describe, expect, test } from 'vitest';
import {
  chooseDialect,
  fallbackDialect,
  readAgentResult,
  readRequest,
  toAgentRequest,
  wantsBareEvents,
} from '@/lib/protocol/a2a/dialects';
import type { JsonObject } from '@/lib/protocol/json';
import { readRpcRequest } from '@/lib/protocol/jsonrpc';
import { ProtocolError } from '@/lib/protocol/protocol-error';

const newId = (): string => 'made';

function read(method: string, params: JsonObject): ReturnType<typeof readRequest> {
  return readRequest(chooseDialect(method, ''), { id: 1, method, params });
}

function faultOf(work: () => unknown): { code: string; fields: string[] } {
  try {
    work();
  } catch (error) {
    if (error instanceof ProtocolError) return { code: error.code, fields: error.violations.map(({ field }) => field) };
    throw error;
  }
  throw new Error('expected a fault');
}

const message03 = { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const message10 = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

describe('the choice of dialect', () => {
  test('follows the syntax of the method name', () => {
    expect(chooseDialect('message/send', '').key).toBe('0.3');
    expect(chooseDialect('SendMessage', '').key).toBe('1.0');
    expect(chooseDialect('SendMessage', '1.0').key).toBe('1.0');
    expect(chooseDialect('SendMessage', '1.1').key).toBe('1.1');
    expect(chooseDialect('message/send', '1.1').key).toBe('0.3');
  });

  test('rejects unsupported versions', () => {
    for (const version of ['2.0', '0.9', '1.2', '1', 'x', '1.0,0.3', '1.1,1.0']) {
      expect(faultOf(() => chooseDialect('SendMessage', version)).code).toBe('version_not_supported');
    }
  });

  test('ignores names of prototype members', () => {
    for (const method of ['constructor', '__proto__', 'toString', 'message/sendX']) {
      expect(faultOf(() => chooseDialect(method, '')).code).toBe('method_not_found');
    }
  });
});

describe('the request reader', () => {
  test('reads the same message from 0.3 and 1.0', () => {
    const old = read('message/send', { message: message03, configuration: { blocking: false, historyLength: 2 } });
    const now = read('SendMessage', {
      message: message10,
      configuration: { returnImmediately: true, historyLength: 2 },
    });
    expect(old).toEqual(now);
  });

  test('names the invalid member', () => {
    const wrong: [string, JsonObject, string][] = [
      ['message/send', {}, 'message'],
      ['message/send', { message: { ...message03, parts: [] } }, 'message.parts'],
      ['message/send', { message: { ...message03, role: 'agent' } }, 'message.role'],
      [
        'message/send',
        { message: { ...message03, parts: [{ kind: 'text', text: { a: 1 } }] } },
        'message.parts[0].text',
      ],
      [
        'message/send',
        { message: { ...message03, parts: [{ kind: 'file', file: { bytes: '%' } }] } },
        'message.parts[0].file.bytes',
      ],
      ['message/send', { message: { ...message03, messageId: '' } }, 'message.messageId'],
      ['SendMessage', { message: { ...message10, parts: [{}] } }, 'message.parts[0]'],
      ['SendMessage', { message: { ...message10, parts: [{ text: 'a', url: 'b' }] } }, 'message.parts[0]'],
      ['SendMessage', { message: { ...message10, role: 'ROLE_AGENT' } }, 'message.role'],
      ['GetTask', { id: 'a', historyLength: -1 }, 'historyLength'],
      ['ListTasks', { pageSize: 101 }, 'pageSize'],
    ];
    for (const [method, params, field] of wrong) {
      expect(faultOf(() => read(method, params))).toEqual({ code: 'invalid_params', fields: [field] });
    }
  });

  test('reads data parts with any JSON value in 1.0, including null', () => {
    for (const data of [null, 1, 'a', [1], { a: 1 }]) {
      const request = read('SendMessage', { message: { ...message10, parts: [{ data }] } });
      expect(request.op === 'send' && request.message.parts).toEqual([{ kind: 'data', data }]);
    }
  });
});

describe('a request envelope', () => {
  test('is rejected unless it is one JSON-RPC 2.0 request', () => {
    for (const value of [
      [],
      [{}],
      null,
      1,
      'x',
      {},
      { jsonrpc: '1.0', method: 'a', id: 1 },
      { jsonrpc: '2.0', id: {}, method: 'a' },
      { jsonrpc: '2.0', id: 1 },
    ]) {
      expect(faultOf(() => readRpcRequest(value as never)).code).toBe('invalid_request');
    }
    expect(faultOf(() => readRpcRequest({ jsonrpc: '2.0', id: 1, method: 'a', params: [] })).code).toBe(
      'invalid_params',
    );
  });
});

describe('a Web42 caller', () => {
  const parts = [{ kind: 'text', text: 'hi' }];
  const web42 = { id: '1', method: 'message/send', params: { message: { messageId: 'm', role: 'user', parts } } };

  test('is recognized by a missing kind, a missing version and the accepted types', () => {
    expect(wantsBareEvents(web42, '', '*/*')).toBe(true);
    expect(wantsBareEvents(web42, '', '')).toBe(true);
    expect(wantsBareEvents(web42, '', 'application/json')).toBe(false);
    expect(wantsBareEvents(web42, '0.3', '*/*')).toBe(false);
    // themanojdesai/python-a2a: parts with `type` belong to a client that reads JSON.
    const typed = { messageId: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
    expect(wantsBareEvents({ ...web42, params: { message: typed } }, '', '*/*')).toBe(false);
    expect(wantsBareEvents({ ...web42, params: { message: message03 } }, '', '*/*')).toBe(false);
    for (const accept of ['text/event-stream', 'Text/Event-Stream', 'text/event-stream;q=1'])
      expect(wantsBareEvents({ ...web42, params: { message: message03 } }, '0.3', accept)).toBe(true);
    expect(
      wantsBareEvents({ ...web42, params: { message: message03 } }, '', 'application/json, text/event-stream'),
    ).toBe(false);
    expect(wantsBareEvents({ ...web42, method: 'message/stream' }, '', 'text/event-stream')).toBe(false);
  });
});

describe('a protocol error', () => {
  test('includes its reason in every dialect', () => {
    const error = {
      code: 'task_not_found',
      message: 'Task not found. Check the ID and the token.',
      data: { task_id: 't' },
    } as const;
    expect(fallbackDialect('').error(error)).toEqual({
      code: -32001,
      message: 'Task not found. Check the ID and the token.',
      data: { reason: 'task_not_found', task_id: 't' },
    });
    expect(fallbackDialect('1.0').error(error).data).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'TASK_NOT_FOUND',
        domain: 'a2a-protocol.org',
        metadata: { task_id: 't' },
      },
    ]);
  });
});

describe('the agent reader', () => {
  test('reads the same status from 0.3, 1.0 and the bare form', () => {
    const message = { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'a' }] };
    const old = {
      kind: 'status-update',
      taskId: 't',
      contextId: 'c',
      status: { state: 'working', message },
      final: false,
    };
    const now = {
      statusUpdate: {
        taskId: 't',
        contextId: 'c',
        status: {
          state: 'TASK_STATE_WORKING',
          message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'a' }] },
        },
      },
    };
    const { kind: _, ...bare } = old;
    expect(readAgentResult(old, newId)).toEqual(readAgentResult(now, newId));
    expect(readAgentResult(bare, newId)).toEqual(readAgentResult(now, newId));
  });

  test('reads every spelling of a state', () => {
    for (const [text, state] of [
      ['cancelled', 'canceled'],
      ['CANCELED', 'canceled'],
      ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
      ['unknown', 'working'],
    ]) {
      expect(readAgentResult({ kind: 'status-update', status: { state: text as string } }, newId)).toMatchObject({
        state,
      });
    }
  });

  test('reads invalid input without an exception', () => {
    for (const value of [
      null,
      1,
      'a',
      [],
      {},
      { kind: 'task' },
      { task: {} },
      { message: {} },
      { kind: 'status-update' },
      { artifactUpdate: { artifact: 1 } },
    ]) {
      expect(readAgentResult(value as never, newId)).toBeNull();
    }
  });
});

test('a plain send requests an immediate response from the agent, in the agent’s version', () => {
  const message = { messageId: 'm', role: 'user' as const, parts: [{ kind: 'text' as const, text: 'a' }] };
  expect(toAgentRequest('0.3', '1', { op: 'send', message })).toMatchObject({
    method: 'message/send',
    params: { configuration: { blocking: false }, message: { kind: 'message', parts: [{ kind: 'text', text: 'a' }] } },
  });
  expect(toAgentRequest('1.0', '1', { op: 'send', message })).toMatchObject({
    method: 'SendMessage',
    params: { configuration: { returnImmediately: true }, message: { role: 'ROLE_USER', parts: [{ text: 'a' }] } },
  });
});
