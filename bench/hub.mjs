// Agents that connect to Parley: CPU of a message and its response, compared with an agent at a URL, and memory of idle
// workers. Goals: at most 1.3 times the CPU; at most 20 KB per idle worker.
import { compare } from './lib/compare.mjs';
import { listHubAgents, startWorkers } from './lib/hub-workers.mjs';
import { sendingMessages } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { memoryOf, startPeer } from './lib/peer.mjs';

/** The limit per user is ten messages per second, with a burst of a hundred. */
const people = 600;
const count = 4_000;
const connections = 96;
const goalRatio = 1.3;
const agents = 500;
const workersPerAgent = 20;
const goalKb = 20;

const agent = await startPeer('unary-agent');
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const stops = [parley.stop, agent.stop];

async function sendingTo(slug) {
  const tokens = await parley.tokens(slug);
  return sendingMessages(parley, { path: `/agents/${slug}/a2a/jsonrpc`, tokens, count, connections });
}

try {
  const [served, ...idle] = await listHubAgents(parley, agents);
  const serving = await startWorkers(parley, { slugs: [served], workers: 2, capacity: 100 });
  stops.unshift(serving.stop);
  const ratioMet = await compare({
    name: 'hub',
    rounds: 5,
    warmUps: 3,
    targets: [
      { name: 'agent behind an address', measure: await sendingTo(parley.slug) },
      { name: 'agent that connects', measure: await sendingTo(served), goal: goalRatio },
    ],
  });
  const before = await memoryOf(parley.pid);
  const { info, stop } = await startWorkers(parley, { slugs: idle, workers: workersPerAgent, capacity: 1 });
  stops.unshift(stop);
  const eachKb = ((await memoryOf(parley.pid)) - before) / info.connections / 1024;
  console.log(`${info.connections} idle workers: ${eachKb.toFixed(1)} KB each; goal <= ${goalKb}`);
  process.exitCode = ratioMet && eachKb <= goalKb ? 0 : 1;
} finally {
  for (const stop of stops) await stop();
}
