import { mkdtempSync, writeFileSync } from 'node:fs';
import type { ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusTrailers } from '@/lib/platform/grpc/status';
import { type RawGrpcAgent, respondWith, startRawGrpcAgent } from '../fakes/raw-grpc-agent';
import { connectTo, createPerson, listAgent, message10, type Person, rpc, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, encodeMessage, failureOf, grpcClient } from '../support/grpc';
import { createLoopbackCertificate } from '../support/loopback-certificate';
import { type Parley, startParley } from '../support/parley';
import { frameOf } from '../support/raw-grpc';

let parley: Parley;
let ada: Person;
let port: number;
let tls: { key: string; cert: string };

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-grpc-'));
  const ca = path.join(folder, 'ca.pem');
  tls = createLoopbackCertificate(ca);
  const key = path.join(folder, 'key.pem');
  writeFileSync(key, tls.key);
  port = await freePort();
  parley = await startParley({
    env: {
      GRPC_PORT: String(port),
      GRPC_CERT_FILE: ca,
      GRPC_KEY_FILE: key,
      NODE_EXTRA_CA_CERTS: ca,
      AGENT_URL_ALLOW: 'http://127.0.0.1:*,https://localhost:*',
    },
  });
  ada = await createPerson(parley.url, 'Ada');
});

afterAll(() => parley?.stop());

const task = {
  id: 'up-1',
  contextId: 'c',
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'hello' }] }],
};
const ok = { 'grpc-status': '0' };
const head = { ':status': 200, 'content-type': 'application/grpc' };

async function listed(agent: RawGrpcAgent): Promise<string> {
  const slug = await listAgent(parley.url, ada, { url: agent.url, confirmOrigin: true });
  agent.calls.length = 0;
  return slug;
}

/** Sends a message to an agent that answers like this; returns the reason and the text of the error. */
async function errorOf(
  answer: (stream: ServerHttp2Stream) => void,
): Promise<{ reason: string; text: string; calls: string[] }> {
  const agent = await startRawGrpcAgent({ answer });
  try {
    const connection = await connectTo(parley.url, ada, await listed(agent));
    const { body } = await rpc(connection, 'SendMessage', message10('hi'));
    const { message, data } = body.error ?? { message: '', data: [{}] };
    return { reason: String((data as { reason?: string }[])[0]?.reason), text: message, calls: agent.calls };
  } finally {
    await agent.stop();
  }
}

/** A Struct of 1,000 levels as the metadata of a task. */
function deepTask(): Buffer {
  const field = (number: number, content: Buffer): Buffer => {
    const size: number[] = [];
    let rest = content.length;
    for (; rest > 0x7f; rest >>>= 7) size.push((rest & 0x7f) | 0x80);
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...size, rest]), content]);
  };
  let value = field(3, Buffer.from('x'));
  for (let level = 0; level < 1_000; level++)
    value = field(5, field(1, Buffer.concat([field(1, Buffer.from('a')), field(2, value)])));
  return field(1, field(6, field(1, Buffer.concat([field(1, Buffer.from('a')), field(2, value)]))));
}

test.each<[string, (stream: ServerHttp2Stream) => void, string, RegExp]>([
  [
    'random bytes',
    (stream) => respondWith(stream, frameOf(Buffer.from([0xff, 0xff, 0xff])), ok),
    'INVALID_AGENT_RESPONSE',
    /not a message of A2A/,
  ],
  [
    '64 MB',
    (stream) => respondWith(stream, frameOf(Buffer.from('x'), { declared: 64 * 1_048_576 }), ok),
    'INVALID_AGENT_RESPONSE',
    /exceeds a limit/,
  ],
  [
    'a depth bomb',
    (stream) => respondWith(stream, frameOf(deepTask()), ok),
    'INVALID_AGENT_RESPONSE',
    /not a message of A2A/,
  ],
  ['no message', (stream) => respondWith(stream, Buffer.alloc(0), ok), 'INVALID_AGENT_RESPONSE', /no message/],
  [
    'a compressed message',
    (stream) => respondWith(stream, frameOf(Buffer.from('x'), { compressed: 1 }), ok),
    'INVALID_AGENT_RESPONSE',
    /not a message of A2A/,
  ],
  [
    'a page',
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/html' });
      stream.end('<p>Hello');
    },
    'INVALID_AGENT_RESPONSE',
    /not gRPC/,
  ],
  [
    'HTTP 502',
    (stream) => stream.respond({ ':status': 502 }, { endStream: true }),
    'INVALID_AGENT_RESPONSE',
    /HTTP 502/,
  ],
  [
    'a redirect',
    (stream) => stream.respond({ ':status': 307, location: 'https://example.com' }, { endStream: true }),
    'INVALID_AGENT_RESPONSE',
    /not followed/,
  ],
  [
    'UNAUTHENTICATED',
    (stream) => respondWith(stream, Buffer.alloc(0), { 'grpc-status': '16' }),
    'INVALID_AGENT_RESPONSE',
    /rejected the call/,
  ],
])('RS-7 LIM-1 LIM-5: %s from an agent is an error of the agent', async (...[, answer, reason, text]) => {
  const error = await errorOf(answer);
  expect(error).toMatchObject({ reason, text: expect.stringMatching(text) });
  // What may have arrived is never sent twice.
  expect(error.calls.filter((method) => method === 'SendMessage')).toHaveLength(1);
});

test('a response that is cut off, or has no status, is not sent again', async () => {
  for (const answer of [
    (stream: ServerHttp2Stream) => stream.close(2),
    (stream: ServerHttp2Stream) => respondWith(stream, frameOf(encodeMessage('SendMessageResponse', { task }))),
  ]) {
    const error = await errorOf(answer);
    expect(error.reason).toBe('AGENT_UNREACHABLE');
    expect(error.calls.filter((method) => method === 'SendMessage')).toHaveLength(1);
  }
});

test('an error of A2A keeps its meaning, with and without details', async () => {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    domain: 'a2a-protocol.org',
  };
  const status = { name: 'FAILED_PRECONDITION', message: 'secret? no', details: [info] } as const;
  const trailers = statusTrailers({ ...status, details: [...status.details] });
  const error = await errorOf((stream) => respondWith(stream, Buffer.alloc(0), trailers));
  expect(error).toMatchObject({ reason: 'EXTENSION_SUPPORT_REQUIRED', text: expect.stringContaining('secret? no') });
  const plain = await errorOf((stream) =>
    respondWith(stream, Buffer.alloc(0), { 'grpc-status': '3', 'grpc-message': 'bad%20part' }),
  );
  expect(plain).toMatchObject({ reason: 'INVALID_PARAMS', text: expect.stringContaining('bad part') });
});

test('an agent that is UNAVAILABLE is paused by the circuit breaker', async () => {
  const agent = await startRawGrpcAgent({
    answer: (stream) => stream.respond({ ...head, 'grpc-status': '14' }, { endStream: true }),
  });
  const connection = await connectTo(parley.url, ada, await listed(agent));
  const texts: string[] = [];
  for (let count = 0; count < 10; count++)
    texts.push((await rpc(connection, 'SendMessage', message10('hi'))).body.error?.message ?? '');
  expect(texts[0]).toContain('UNAVAILABLE');
  expect(texts.at(-1)).toContain('calls to it are paused');
  expect(agent.calls.length).toBeLessThan(10);
  await agent.stop();
});

test('agents and callers are reached over TLS', async () => {
  const answer = (stream: ServerHttp2Stream, method: string): void => {
    const isSend = method === 'SendMessage';
    const bytes = isSend ? encodeMessage('SendMessageResponse', { task }) : encodeMessage('Task', task);
    respondWith(stream, frameOf(bytes), ok);
  };
  const agent = await startRawGrpcAgent({ answer, tls });
  const slug = await listed(agent);
  const client = grpcClient(`localhost:${port}`, credentials.createSsl(Buffer.from(tls.cert)));
  const token = await tokenFor(parley.url, ada, slug);
  const { response } = await callGrpc({ client, token }, 'SendMessage', message10('hi'));
  expect(response).toMatchObject({ task: { artifacts: [{ parts: [{ text: 'hello' }] }] } });
  expect(agent.calls).toEqual(['SendMessage']);
  const plain = grpcClient(`localhost:${port}`);
  expect((await failureOf(callGrpc({ client: plain, token }, 'GetTask', { id: 'x' }))).status).toBe('UNAVAILABLE');
  client.close();
  plain.close();
  await agent.stop();
});
