import type { Check } from '../check.js';
import { isObject, objectOf, parseJson } from '../json-value.js';
import { type Channel, call } from '../probe/conversation.js';
import { describeFault } from '../probe/read-response.js';
import { type EncodedOperation, encodeRaw, pathOf } from '../probe/requests.js';
import { type Finding, shorten } from '../report.js';
import type { Subject } from '../subject.js';

/** A request that is wrong in one way, and the errors that say so. */
interface WrongRequest {
  where: string;
  encode: (channel: Channel) => EncodedOperation;
  codes: number[];
  /** Statuses of the HTTP+JSON binding. */
  statuses: number[];
  expected: string;
}

/** Sends a wrong request as it is; returns what is wrong with the error. */
async function sendWrong(subject: Subject, wrong: WrongRequest): Promise<Finding[]> {
  const channel = await subject.working();
  const { target, transport, headers } = channel;
  const { rpcId: _none, ...request } = wrong.encode(channel);
  const { firstByteMs: wholeMs } = subject.options.limits;
  const response = await transport.request({ ...request, headers: { ...headers, ...request.headers }, wholeMs });
  const { status, text, fault } = response;
  const value = parseJson(text);
  const { code } = objectOf(objectOf(value).error);
  const isGood =
    target.binding === 'HTTP+JSON'
      ? wrong.statuses.includes(status)
      : isObject(value) && typeof code === 'number' && wrong.codes.includes(code);
  if (isGood) return [];
  const found = shorten(fault ? `no response: ${describeFault(fault)}` : `HTTP ${status}: ${text}`);
  const expected = target.binding === 'HTTP+JSON' ? `HTTP ${wrong.statuses.join(' or ')}` : wrong.expected;
  return [{ found, expected, remedy: `Answer with ${expected}.`, where: wrong.where }];
}

function rpcBody(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 'parley-test', method, params });
}

const unknownMethod: WrongRequest = {
  where: 'call of a method that does not exist',
  encode(channel) {
    const request = encodeRaw(channel.target, rpcBody('parley/none', {}));
    return channel.target.binding === 'HTTP+JSON'
      ? { ...request, url: pathOf(channel.target, '/parley-none') }
      : request;
  },
  codes: [-32601],
  statuses: [404, 405],
  expected: 'the JSON-RPC error -32601 (method not found)',
};

const invalidJson: WrongRequest = {
  where: 'request whose body is not JSON',
  encode: ({ target }) => encodeRaw(target, '{"jsonrpc": "2.0", '),
  codes: [-32700],
  statuses: [400, 422],
  expected: 'the JSON-RPC error -32700 (parse error)',
};

const invalidParams: WrongRequest = {
  where: 'message/send without a message',
  encode({ target }) {
    const method = target.version === '1.0' ? 'SendMessage' : 'message/send';
    return encodeRaw(target, target.binding === 'JSONRPC' ? rpcBody(method, {}) : '{}');
  },
  codes: [-32602, -32600],
  statuses: [400, 422],
  expected: 'the JSON-RPC error -32602 (invalid params)',
};

/** Reads or cancels a task that does not exist. */
async function useUnknownTask(subject: Subject, op: 'get' | 'cancel'): Promise<Finding[]> {
  const channel = await subject.working();
  const where = op === 'get' ? 'read of a task that does not exist' : 'cancellation of a task that does not exist';
  const reply = await call(channel, { op, taskId: crypto.randomUUID() }, { where });
  const { error, response } = reply;
  if (error?.code === -32001 || (channel.target.binding === 'HTTP+JSON' && error?.status === 404)) return [];
  const found = error
    ? `error ${error.code ?? `HTTP ${error.status}`}: ${error.message}`
    : `HTTP ${response.status}: ${response.text}`;
  const expected = channel.target.binding === 'HTTP+JSON' ? 'HTTP 404' : 'the error -32001 (task not found)';
  return [{ found: shorten(found), expected, remedy: `Answer with ${expected}.`, where }];
}

export const unknownCancel: Check = {
  id: 'cancel.unknown',
  title: 'Canceling an unknown task is an error',
  why: 'Callers believe that they stopped something.',
  run: (subject) => useUnknownTask(subject, 'cancel'),
};

export const errorChecks: Check[] = [
  {
    id: 'errors.unknown-task',
    title: 'Reading an unknown task is the error “task not found”',
    why: 'Callers keep asking for a task that is gone.',
    run: (subject) => useUnknownTask(subject, 'get'),
  },
  {
    id: 'errors.unknown-method',
    title: 'An unknown method is the error “method not found”',
    why: 'Callers find out by it which methods and versions an agent has.',
    run: (subject) => sendWrong(subject, unknownMethod),
  },
  {
    id: 'errors.invalid-json',
    title: 'A body that is not JSON is a parse error',
    why: 'Callers cannot tell their own mistakes from those of the agent.',
    run: (subject) => sendWrong(subject, invalidJson),
  },
  {
    id: 'errors.invalid-params',
    title: 'A request without a message is an error of its params',
    why: 'Callers cannot tell their own mistakes from those of the agent.',
    run: (subject) => sendWrong(subject, invalidParams),
  },
];
