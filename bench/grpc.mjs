// CPU of a message and of a stream event over gRPC, compared with JSON-RPC in A2A 1.0 at the same node: the same path,
// with another encoding and HTTP/2 instead of HTTP/1.1. Goals: at most 1.1 times JSON-RPC. Also the CPU of JSON-RPC at a
// node with gRPC, compared with a node without. Goals: at most 1.1 times. The number of gRPC connections is an
// argument (8): a client multiplexes its calls over one connection, a proxy has a few.
import { randomUUID } from 'node:crypto';
import { freePort } from '../scripts/processes.mjs';
import { burst } from './lib/burst.mjs';
import { compare } from './lib/compare.mjs';
import { burstOverGrpc, sendingOverGrpc } from './lib/grpc-client.mjs';
import { load } from './lib/load.mjs';
import { text } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

/** The limit per user is ten messages per second, with a burst of a hundred. */
const people = 200;
const count = 6_000;
const inFlight = 48;
const connections = Number(process.argv[2] ?? 8);
const streams = 60;
const events = 200;
const goal = 1.1;
/** A listener without calls costs nothing; the rest is noise. */
const unchanged = 1.1;

const unary = await startPeer('unary-agent');
const streaming = await startPeer('streaming-agent');
const addressOf = ({ info }) => `http://127.0.0.1:${info.port}`;
const grpcPort = await freePort();
const parley = await startParley({ people, agentUrl: addressOf(unary) });
const plan = { rounds: 7, warmUps: 4 };

function requestOf(method, words) {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: words }] };
  return { jsonrpc: '2.0', id: 1, method, params: { message } };
}

function sendingOverJsonRpc(target, tokens) {
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const request = (index) => ({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'a2a-version': '1.0',
      authorization: `Bearer ${tokens[index % tokens.length]}`,
    },
    body: JSON.stringify(requestOf('SendMessage', text)),
  });
  return () => load({ target, count, connections: inFlight, request, isRight: (body) => body.includes(text) });
}

try {
  const without = { pid: parley.pid, origin: parley.origin };
  const node = await parley.another({ GRPC_PORT: String(grpcPort) });
  const target = { ...node, grpcOrigin: `http://127.0.0.1:${grpcPort}` };
  const tokens = await parley.tokens();
  const isUnaryUnchanged = await compare({
    ...{ name: 'JSON-RPC with gRPC on', ...plan },
    targets: [
      { name: 'without gRPC', measure: sendingOverJsonRpc(without, tokens) },
      { name: 'with gRPC', measure: sendingOverJsonRpc(target, tokens), goal: unchanged },
    ],
  });
  const isUnaryMet = await compare({
    ...{ name: 'grpc unary', ...plan },
    targets: [
      { name: 'JSON-RPC', measure: sendingOverJsonRpc(target, tokens) },
      { name: 'gRPC', measure: sendingOverGrpc(target, { tokens, count, connections, inFlight, text }), goal },
    ],
  });
  const slug = await parley.list(addressOf(streaming));
  const streamTokens = await parley.tokens(slug);
  const bodyOf = (words) => requestOf('SendStreamingMessage', words);
  const streamsOf = (at) => ({
    ...at,
    path: `/agents/${slug}/a2a/jsonrpc`,
    tokens: streamTokens,
    bodyOf,
    event: /artifactUpdate/g,
  });
  // A node that compiles its code for streams rejects calls above its limit of delay.
  for (const at of [without, target]) await burst(streamsOf(at), { streams: 20, events });
  const isStreamUnchanged = await compare({
    ...{ name: 'stream events with gRPC on', ...plan },
    targets: [
      { name: 'without gRPC', measure: () => burst(streamsOf(without), { streams, events }) },
      { name: 'with gRPC', measure: () => burst(streamsOf(target), { streams, events }), goal: unchanged },
    ],
  });
  const isStreamMet = await compare({
    ...{ name: 'grpc stream events', ...plan },
    targets: [
      { name: 'JSON-RPC', measure: () => burst(streamsOf(target), { streams, events }) },
      {
        name: 'gRPC',
        measure: () => burstOverGrpc({ ...target, tokens: streamTokens }, { streams, events, connections }),
        goal,
      },
    ],
  });
  process.exitCode = [isUnaryUnchanged, isUnaryMet, isStreamUnchanged, isStreamMet].every(Boolean) ? 0 : 1;
} finally {
  for (const { stop } of [parley, streaming, unary]) await stop();
}
