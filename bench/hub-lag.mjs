// Latency from worker to reader of an agent that connects to Parley, whose events are persisted before they are sent,
// compared with an agent at a URL. Goal: at most 1.5 ms (median), times the machine's factor, with fifty streams of an
// event every 20 ms.

import { median } from './lib/compare.mjs';
import { listHubAgents, startWorkers } from './lib/hub-workers.mjs';
import { lagOf } from './lib/lag.mjs';
import { goalHere } from './lib/machine.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const people = 50;
const rounds = 3;
const goalMs = goalHere(1.5);
const concurrentStreams = [1, 10, 50];

const agent = await startPeer('streaming-agent');
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const stops = [parley.stop, agent.stop];

async function targetOf(slug) {
  return { origin: parley.origin, path: `/agents/${slug}/a2a/jsonrpc`, tokens: await parley.tokens(slug) };
}

try {
  const [served] = await listHubAgents(parley, 1);
  stops.unshift((await startWorkers(parley, { slugs: [served], workers: 2, capacity: 100 })).stop);
  const targets = { address: await targetOf(parley.slug), hub: await targetOf(served) };
  for (const target of Object.values(targets)) await lagOf(target, 50);
  let lag = 0;
  for (const streams of concurrentStreams) {
    const lags = { address: [], hub: [] };
    for (let round = 0; round < rounds; round++)
      for (const [name, target] of Object.entries(targets)) lags[name].push(await lagOf(target, streams));
    lag = median(lags.hub);
    const goal = streams === concurrentStreams.at(-1) ? `; goal <= ${goalMs}` : '';
    console.log(
      `lag of ${streams}: ${lag.toFixed(2)} ms from worker to reader, ${median(lags.address).toFixed(2)} ms from an ` +
        `agent behind an address (medians of ${rounds} rounds)${goal}`,
    );
  }
  process.exitCode = lag <= goalMs ? 0 : 1;
} finally {
  for (const stop of stops) await stop();
}
