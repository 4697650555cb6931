import { WebSocket } from 'ws';
import { burst } from './burst.mjs';
import { interleave, median, ratioOf } from './compare.mjs';
import { listHubAgents, startWorkers } from './hub-workers.mjs';
import { introspecting, introspectingPeer } from './introspecting.mjs';
import { measureLoneMessages } from './lone-message.mjs';
import { sendingMessages } from './message.mjs';
import { startParley } from './parley.mjs';
import { cpuMicros, startPeer } from './peer.mjs';

/** Sufficient on a fast machine too: each user may send ten messages per second, with a burst of a hundred. */
const people = 250;
const warmUps = 3;
const rounds = 7;
const starts = 4;
const introspections = 3_000;
const messages = { count: 2_000, connections: 96 };
const streams = { streams: 40, events: 200 };
/** Other load on the machine delays some messages; the fastest fifth shows the latency without it. */
const loneMessages = { warmUps: 1_500, count: 1_500, quantile: 0.2 };

const addressOf = ({ pid, info }) => ({ pid, origin: `http://127.0.0.1:${info.port}` });

/**
 * Measures Parley and its peers once, in processes that are started for it: CPU in interleaved rounds, except for the lone
 * message, which is a latency.
 *
 * @param {string[]} names the ratios to measure, of those in `bench/gate.json`
 * @returns {Promise<Record<string, number>>} the ratios to the peers by name
 */
export async function measureRatios(names) {
  const stops = [];
  const track = (started) => {
    stops.unshift(started.stop);
    return started;
  };
  try {
    const agent = track(await startPeer('unary-agent'));
    const streamingAgent = track(await startPeer('streaming-agent'));
    const parley = track(await startParley({ people, agentUrl: addressOf(agent).origin }));
    const proxy = track(await startPeer('bare-pipe', [String(agent.info.port)]));
    const relay = track(await startPeer('bare-pipe', [String(streamingAgent.info.port)]));
    const jose = track(await startPeer('bare-introspection'));
    const hub = track(await startPeer('bare-hub'));
    const pairs = {
      introspection: () => introspectionPair(parley, jose),
      message: () => messagePair(parley, proxy),
      'hub call': () => hubPair(parley, { hub, track }),
      'stream event': () => streamPair(parley, { relay, streamingAgent }),
    };
    const others = {
      'lone message': () => loneMessageRatio({ agent, proxy, parley }),
      // Last, because a second node makes messages more expensive.
      start: () => startRatio(parley),
    };
    const isWanted = ([name]) => names.includes(name);
    const ratios = await ratiosOfPairs(Object.entries(pairs).filter(isWanted));
    for (const [name, measure] of Object.entries(others).filter(isWanted)) ratios[name] = await measure();
    return ratios;
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Returns the CPU ratio of each pair: Parley to its peer. */
async function ratiosOfPairs(pairs) {
  const targets = [];
  for (const [, open] of pairs) {
    const { ours, bare } = await open();
    targets.push({ measure: ours }, { measure: bare });
  }
  const results = await interleave({ rounds, warmUps, targets });
  return Object.fromEntries(pairs.map(([name], at) => [name, ratioOf(results[2 * at], results[2 * at + 1])]));
}

async function introspectionPair(parley, jose) {
  const path = '/api/auth/introspect';
  const tokens = await parley.tokens();
  const introspectParley = introspecting({ target: parley, path, client: parley.app, tokens });
  const introspectBare = introspectingPeer(jose, path);
  return { ours: () => introspectParley(introspections), bare: () => introspectBare(introspections) };
}

async function sendingTo(parley, slug) {
  const path = `/agents/${slug}/a2a/jsonrpc`;
  return sendingMessages(parley, { path, tokens: await parley.tokens(slug), ...messages });
}

async function messagePair(parley, proxy) {
  return { ours: await sendingTo(parley, parley.slug), bare: sendingMessages(addressOf(proxy), messages) };
}

async function hubPair(parley, { hub, track }) {
  const [slug] = await listHubAgents(parley, 1);
  track(await startWorkers(parley, { slugs: [slug], workers: 2, capacity: 100 }));
  const echo = new WebSocket(`ws://127.0.0.1:${hub.info.port}`, { perMessageDeflate: false });
  echo.on('message', (frame) => echo.send(frame, { binary: false }));
  await new Promise((resolve, reject) => echo.once('open', resolve).once('error', reject));
  return { ours: await sendingTo(parley, slug), bare: sendingMessages(addressOf(hub), messages) };
}

async function streamPair(parley, { relay, streamingAgent }) {
  const slug = await parley.list(addressOf(streamingAgent).origin);
  const path = `/agents/${slug}/a2a/jsonrpc`;
  const ours = { pid: parley.pid, origin: parley.origin, path, tokens: await parley.tokens(slug) };
  const bare = { ...addressOf(relay), path: '/' };
  return { ours: () => burst(ours, streams), bare: () => burst(bare, streams) };
}

/** Returns the latency that Parley adds, relative to three times the latency added by the proxy plus two commits. */
async function loneMessageRatio(programs) {
  const tokens = await programs.parley.tokens();
  const { added, commit } = await measureLoneMessages({ ...programs, tokens, ...loneMessages });
  return added.parley / (3 * added.proxy + 2 * commit);
}

/** Returns the CPU time until a node is ready, relative to a server that only prepares Next. */
async function startRatio(parley) {
  const ratios = [];
  for (let round = 0; round < starts; round++) {
    const bare = await startPeer('bare-start');
    const bareCpu = cpuMicros(bare.pid);
    await bare.stop();
    const node = await parley.another();
    ratios.push(cpuMicros(node.pid) / bareCpu);
    await node.stop();
  }
  return median(ratios);
}
