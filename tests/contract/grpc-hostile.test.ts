import { constants } from 'node:http2';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message10, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, encodeMessage, failureOf, type GrpcConnection, grpcClient, streamGrpc } from '../support/grpc';
import { type Parley, startParley } from '../support/parley';
import { CODE, frameOf, RawGrpc, type RawResponse } from '../support/raw-grpc';
import { waitFor } from '../support/wait-for';

let parley: Parley;
let agent: ScriptedAgent;
let address: string;
let port: number;
let token: string;
let connection: GrpcConnection;
let raw: RawGrpc;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'gRPC probe' });
  port = await freePort();
  address = `127.0.0.1:${port}`;
  parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: new URL(agent.url).origin } });
  const ada = await createPerson(parley.url, 'Ada');
  const slug = await listAgent(parley.url, ada, { url: agent.url });
  token = await tokenFor(parley.url, ada, slug);
  connection = { client: grpcClient(address), token };
  raw = new RawGrpc(address);
  agent.answer(({ result, end }) => {
    result(agent03.agentMessage('ok'));
    end();
  });
});

afterAll(async () => {
  raw?.close();
  connection?.client.close();
  await parley?.stop();
  await agent?.stop();
});

const auth = (): { authorization: string } => ({ authorization: `Bearer ${token}` });
const getTask = (id = newUuid()): Buffer => encodeMessage('GetTaskRequest', { id });
const send = (body: Buffer, headers = {}): Promise<RawResponse> =>
  raw.call('SendMessage', body, { ...auth(), ...headers });
const codeOf = ({ metadata }: RawResponse): unknown => metadata['grpc-status'];

/** A length-delimited field. */
function field(number: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes]);
}

describe('a request that is not gRPC', () => {
  test.each(['application/json', 'application/grpc-web', 'application/grpc+json', ''])(
    'is rejected with 415: content type "%s"',
    async (type) => {
      const response = await raw.call('GetTask', frameOf(getTask()), { ...auth(), 'content-type': type });
      expect(response.status).toBe(415);
    },
  );

  test('of another method or path has no effect', async () => {
    expect((await raw.call('GetTask', null, { ':method': 'GET', ...auth() })).status).toBe(415);
    expect(codeOf(await raw.call('/lf.a2a.v1.A2AService/Nope', frameOf(getTask()), auth()))).toBe(CODE.UNIMPLEMENTED);
    expect(codeOf(await raw.call('/a2a.v1.A2AService/GetTask', frameOf(getTask()), auth()))).toBe(CODE.UNIMPLEMENTED);
  });

  test('in HTTP/1.1 ends the connection', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('error', () => undefined);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
  });
});

describe('RS-1 RS-2 the token', () => {
  test('is required, and the challenge says how', async () => {
    const response = await raw.call('GetTask', frameOf(getTask()));
    expect(codeOf(response)).toBe(CODE.UNAUTHENTICATED);
    expect(response.metadata['www-authenticate']).toMatch(/^Bearer realm="parley".*resource_metadata=/);
  });

  test.each(['Bearer nope', 'Basic YTpi', 'Bearer'])('must be valid: %s', async (authorization) => {
    expect(codeOf(await raw.call('GetTask', frameOf(getTask()), { authorization }))).toBe(CODE.UNAUTHENTICATED);
  });

  test('is for one agent: another tenant is not found', async () => {
    const failure = await failureOf(callGrpc(connection, 'GetTask', { id: newUuid(), tenant: 'someone-else' }));
    expect(failure.details[0]).toMatchObject({ reason: 'AGENT_NOT_FOUND' });
  });
});

describe('LIM-1 LIM-4 a body', () => {
  test.each([
    ['without a message', Buffer.alloc(0)],
    ['with a part of the prefix', Buffer.from([0, 0, 0])],
    ['that ends in the middle of its message', frameOf(Buffer.from('abc'), { declared: 100 })],
    ['with two messages', Buffer.concat([frameOf(getTask()), frameOf(getTask())])],
    ['with a compressed message', frameOf(getTask(), { compressed: 1 })],
    ['with bytes after its message', Buffer.concat([frameOf(getTask()), Buffer.from([0])])],
  ])('%s is invalid', async (_, body) => {
    expect(codeOf(await raw.call('GetTask', body, auth()))).toBe(CODE.INVALID_ARGUMENT);
  });

  test('of an encoding is not supported', async () => {
    const response = await raw.call('GetTask', frameOf(getTask()), { ...auth(), 'grpc-encoding': 'gzip' });
    expect(codeOf(response)).toBe(CODE.UNIMPLEMENTED);
    expect(response.metadata['grpc-accept-encoding']).toBe('identity');
  });

  test('of 64 MB is rejected by its prefix, and one above 1 MB while it arrives', async () => {
    const declared = frameOf(Buffer.from('abc'), { declared: 64 * 1_048_576 });
    expect(codeOf(await send(declared))).toBe(CODE.RESOURCE_EXHAUSTED);
    const parts = [{ text: 'x'.repeat(1_100_000) }];
    const large = encodeMessage('SendMessageRequest', { message: { messageId: 'm', role: 'ROLE_USER', parts } });
    expect(codeOf(await send(frameOf(large)))).toBe(CODE.RESOURCE_EXHAUSTED);
    const failure = await failureOf(callGrpc(connection, 'SendMessage', message10('x'.repeat(1_100_000))));
    expect(failure.status).toBe('RESOURCE_EXHAUSTED');
  });
});

describe('LIM-5 LIM-6 a message', () => {
  const part = field(1, Buffer.from('hi'));
  const messageWith = (...fields: Buffer[]): Buffer =>
    frameOf(field(2, field(1, Buffer.from('m1')), Buffer.from([0x20, 1]), field(5, part), ...fields));

  test.each([
    ['a length beyond its end', Buffer.from([0x12, 0x7f, 1])],
    ['a varint without an end', Buffer.from([0x18, ...Array<number>(11).fill(0xff)])],
    ['a wire type that does not exist', Buffer.from([0x17, 1])],
    ['a group', Buffer.from([0x13, 0x14])],
    ['text that is not UTF-8', field(2, field(1, Buffer.from([0xff, 0xfe])))],
  ])('with %s is invalid', async (_, bytes) => {
    expect(codeOf(await send(frameOf(bytes)))).toBe(CODE.INVALID_ARGUMENT);
  });

  test('with an unknown enum value names its field', async () => {
    const bytes = field(2, field(1, Buffer.from('m1')), Buffer.from([0x20, 77]), field(5, part));
    const response = await send(frameOf(bytes));
    expect(codeOf(response)).toBe(CODE.INVALID_ARGUMENT);
    expect(response.metadata['grpc-message']).toContain('message.role');
    const list = await raw.call('ListTasks', frameOf(Buffer.from([0x18, 99])), auth());
    expect(codeOf(list)).toBe(CODE.INVALID_ARGUMENT);
  });

  test('without a required member lists it', async () => {
    const failure = await failureOf(callGrpc(connection, 'SendMessage', { message: { role: 'ROLE_USER' } }));
    expect(failure.status).toBe('INVALID_ARGUMENT');
    const violations = failure.details[1] as { field_violations: { field: string }[] };
    expect(violations.field_violations.map((each) => each.field)).toEqual(['message.messageId', 'message.parts']);
  });

  test.each([60, 10_000])('with a Struct of %i levels is read up to the limit', async (levels) => {
    let value = field(3, Buffer.from('x'));
    for (let level = 0; level < levels; level++) {
      value = field(5, field(1, field(1, Buffer.from('a')), field(2, value)));
    }
    const response = await send(messageWith(field(6, field(1, field(1, Buffer.from('a')), field(2, value)))));
    expect(codeOf(response)).toBe(levels < 64 ? '0' : CODE.INVALID_ARGUMENT);
  });

  test('with too many members, a forbidden name or an infinite number is invalid', async () => {
    const entry = (name: string, value: Buffer): Buffer => field(1, field(1, Buffer.from(name)), field(2, value));
    const text = field(3, Buffer.from('x'));
    const many = Buffer.concat(Array.from({ length: 10_001 }, (_, index) => entry(`m${index}`, text)));
    const infinite = Buffer.from([0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f]);
    for (const metadata of [many, entry('__proto__', text), entry('n', infinite)])
      expect(codeOf(await send(messageWith(field(6, metadata))))).toBe(CODE.INVALID_ARGUMENT);
  });

  test('with unknown fields is accepted', async () => {
    const unknown = Buffer.concat([field(100, Buffer.from('later')), Buffer.from([0xf8, 0x06, 1])]);
    expect(codeOf(await send(messageWith(unknown)))).toBe('0');
  });
});

describe('metadata', () => {
  test('above 16 KiB or 100 entries are refused, and the connection continues', async () => {
    const long = await raw
      .call('GetTask', frameOf(getTask()), { ...auth(), 'x-long': 'x'.repeat(20_000) })
      .catch(() => null);
    expect(long?.metadata['grpc-status']).toBeUndefined();
    const other = new RawGrpc(address);
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`x-${index}`, '1']));
    const refused = await other.call('GetTask', frameOf(getTask()), { ...auth(), ...many });
    expect(refused.reset).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect(codeOf(await other.call('GetTask', frameOf(getTask()), auth()))).toBe(CODE.NOT_FOUND);
    other.close();
  });

  test('a2a-version must be supported', async () => {
    const failure = await failureOf(
      callGrpc({ ...connection, metadata: { 'a2a-version': '9.9' } }, 'GetTask', { id: newUuid() }),
    );
    expect(failure.status).toBe('UNIMPLEMENTED');
    expect(failure.details[0]).toMatchObject({ reason: 'VERSION_NOT_SUPPORTED' });
  });

  test('grpc-timeout must be well-formed', async () => {
    const response = await raw.call('GetTask', frameOf(getTask()), { ...auth(), 'grpc-timeout': 'soon' });
    expect(codeOf(response)).toBe(CODE.INVALID_ARGUMENT);
  });
});

describe('a call that does not end by itself', () => {
  /** Answers with a task that continues until the test finishes it. */
  function waits(): { finish: () => void } {
    let finish: () => void = () => undefined;
    agent.answer(({ result, end }) => {
      result(agent03.status('up-1', 'working'));
      finish = () => {
        result(agent03.status('up-1', 'completed', 'done'));
        end();
      };
    });
    return { finish: () => finish() };
  }

  test('ends at its deadline, and its task continues', async () => {
    const { finish } = waits();
    const startedAt = performance.now();
    const failure = await failureOf(callGrpc({ ...connection, deadlineMs: 300 }, 'SendMessage', message10('hi')));
    expect(failure.status).toBe('DEADLINE_EXCEEDED');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    const { response } = await callGrpc(connection, 'ListTasks', { status: 'TASK_STATE_WORKING' });
    const [task] = response.tasks as { id: string }[];
    finish();
    await waitFor(
      async () => {
        const read = await callGrpc(connection, 'GetTask', { id: task?.id });
        return (read.response.status as { state: string }).state === 'TASK_STATE_COMPLETED';
      },
      { what: 'the task to be completed' },
    );
  });

  test('releases its slot when it is canceled', async () => {
    const { finish } = waits();
    const first = streamGrpc(connection, 'SendStreamingMessage', message10('hi'));
    let id = '';
    for await (const { task } of first) {
      id = String(task?.id);
      break;
    }
    for (let round = 0; round < 3; round++) {
      const streams = Array.from({ length: 19 }, () => streamGrpc(connection, 'SubscribeToTask', { id }));
      await Promise.all(streams.map((events) => events[Symbol.asyncIterator]().next()));
      for (const { call } of streams) call.cancel();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    finish();
  });
});

describe('a flood', () => {
  test.each(['before', 'after'])('of resets %s the token is known closes its connection only', async (when) => {
    const known = parley.output().length;
    const flood = new RawGrpc(address);
    const closed = new Promise((resolve) => flood.session.once('close', resolve));
    const reset = async (): Promise<void> => {
      for (let index = 0; index < 2_000 && !flood.session.destroyed; index++) {
        const stream = flood.session.request({
          ':method': 'POST',
          ':path': '/lf.a2a.v1.A2AService/GetTask',
          'content-type': 'application/grpc',
          ...(when === 'after' && auth()),
        });
        stream.on('error', () => undefined);
        stream.close(constants.NGHTTP2_CANCEL);
        if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([reset(), closed]);
    expect(codeOf(await raw.call('GetTask', frameOf(getTask()), auth()))).toBe(CODE.NOT_FOUND);
    expect(parley.output().slice(known).includes('grpc.connection_closed')).toBe(true);
  });

  test.each([
    [
      'CONTINUATION',
      (streamId: number) => [
        frame(1, streamId, Buffer.from([0x82])),
        ...Array.from({ length: 5_000 }, () => frame(9, streamId, Buffer.alloc(0))),
      ],
    ],
    ['PING', () => Array.from({ length: 20_000 }, () => frame(6, 0, Buffer.alloc(8)))],
    ['SETTINGS', () => Array.from({ length: 20_000 }, () => frame(4, 0, Buffer.alloc(0)))],
  ])('of %s frames closes its connection only', async (_, framesOf) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, Buffer.alloc(0))]));
    socket.write(Buffer.concat(framesOf(1)));
    // A client that reads nothing, so that the answers to its frames accumulate.
    setTimeout(() => socket.resume(), 2_000);
    await closed;
    expect(codeOf(await raw.call('GetTask', frameOf(getTask()), auth()))).toBe(CODE.NOT_FOUND);
  });
});

/** One HTTP/2 frame without flags (RFC 9113 §4.1). */
function frame(type: number, streamId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

test('a connection without a token can open only a few calls of health and reflection', async () => {
  const flooding = new RawGrpc(address);
  const watch = (): Promise<RawResponse> =>
    flooding.call('/grpc.health.v1.Health/Watch', frameOf(Buffer.alloc(0)), { 'grpc-timeout': '20S' });
  const open = Array.from({ length: 6 }, watch);
  const refused = await Promise.race(open);
  expect(codeOf(refused)).toBe('8');
  // Calls of the same connection are not affected.
  expect(codeOf(await flooding.call('GetTask', frameOf(getTask()), auth()))).toBe('5');
  flooding.close();
  await Promise.allSettled(open);
});
