import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import path from 'node:path';
import protobuf from 'protobufjs';
import { ROOT } from '../../scripts/program.mjs';
import { cpuMicros } from './peer.mjs';

// Calls of the A2A service without a gRPC library, so that the client needs little of the machine.

const root = new protobuf.Root();
for (const known of ['struct', 'timestamp', 'empty'])
  root.addJSON(protobuf.common.get(`google/protobuf/${known}.proto`).nested);
protobuf.parse(readFileSync(path.join(ROOT, 'lib/protocol/a2a/proto/a2a.proto'), 'utf8'), root, { keepCase: true });
root.resolveAll();
const requestType = root.lookupType('lf.a2a.v1.SendMessageRequest');
const PREFIX_BYTES = 5;
const UNAVAILABLE = '14';

/** Returns the frame of a message with a new id. */
function frameOf(text) {
  const message = { message_id: randomUUID(), role: 1, parts: [{ text }] };
  const bytes = requestType.encode({ message }).finish();
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** Calls one method; resolves to its frames when the status is OK. */
function call(session, { method, token, frame }) {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/lf.a2a.v1.A2AService/${method}`,
      'content-type': 'application/grpc',
      'a2a-version': '1.0',
      te: 'trailers',
      authorization: `Bearer ${token}`,
    });
    const chunks = [];
    let status;
    stream.on('response', (head) => {
      status = head['grpc-status'];
    });
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status'];
    });
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('close', () => {
      if (status === '0') resolve(Buffer.concat(chunks));
      else reject(Object.assign(new Error(`${method} ended with the status ${status}`), { status }));
    });
    stream.end(frame);
  });
}

/** Opens connections, lets `work` use them, and returns the server's CPU per unit of work. */
async function measure({ pid, grpcOrigin, connections, units }, work) {
  const sessions = Array.from({ length: connections }, () => connect(grpcOrigin));
  await Promise.all(sessions.map((session) => new Promise((resolve) => session.once('connect', resolve))));
  const before = cpuMicros(pid);
  const startedAt = performance.now();
  await work(sessions);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = (cpuMicros(pid) - before) / units;
  for (const session of sessions) session.destroy();
  return { cpu, rate: units / seconds };
}

/**
 * Returns a function that sends messages over gRPC and waits for each response.
 *
 * @param {{ pid: number, grpcOrigin: string }} target
 * @param {{ tokens: string[], count: number, connections: number, inFlight: number, text: string }} plan `inFlight`:
 *   calls at the same time, over all connections
 * @returns {() => Promise<{ cpu: number, rate: number }>} CPU µs of the target per message; messages per second
 */
export function sendingOverGrpc(target, { tokens, count, connections, inFlight, text }) {
  return () => {
    const frames = Array.from({ length: count }, () => frameOf(text));
    return measure({ ...target, connections, units: count }, async (sessions) => {
      let next = 0;
      const run = async (at) => {
        while (next < count) {
          const index = next++;
          const token = tokens[index % tokens.length];
          const session = sessions[at % sessions.length];
          const answer = await call(session, { method: 'SendMessage', token, frame: frames[index] });
          if (!answer.includes(text)) throw new Error('the response lacks the text');
        }
      };
      await Promise.all(Array.from({ length: inFlight }, (_, at) => run(at)));
    });
  };
}

/**
 * Measures concurrent streams over gRPC whose events the agent sends as fast as possible.
 *
 * @param {{ pid: number, grpcOrigin: string, tokens: string[] }} target
 * @param {{ streams: number, events: number, connections: number }} plan
 * @returns {Promise<{ cpu: number, rate: number }>} CPU µs of the target per event; events per second
 */
export function burstOverGrpc(target, { streams, events, connections }) {
  const { tokens } = target;
  return measure({ ...target, connections, units: streams * events }, async (sessions) => {
    const all = Array.from({ length: streams }, async (_, at) => {
      const token = tokens[at % tokens.length];
      const frame = frameOf(`burst ${events}`);
      const session = sessions[at % sessions.length];
      // The task, a status and a final status come in addition.
      const seen = countFrames(await callUntilAccepted(session, { method: 'SendStreamingMessage', token, frame }));
      if (seen < events) throw new Error(`${seen} of ${events} events`);
    });
    await Promise.all(all);
  });
}

/** A busy node rejects some of many calls that arrive at the same time. */
async function callUntilAccepted(session, request) {
  for (;;) {
    try {
      return await call(session, request);
    } catch (error) {
      if (error.status !== UNAVAILABLE) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function countFrames(bytes) {
  let frames = 0;
  for (let at = 0; at < bytes.length; at += PREFIX_BYTES + bytes.readUInt32BE(at + 1)) frames++;
  return frames;
}
