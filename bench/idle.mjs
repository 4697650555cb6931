// What 1,000 streams that wait cost in memory, with the runs behind them, and whether it comes back when they are over.
// Goals: at most 60 KB each; within 20 MB of before. Each program held as many before, so that its code and its pools are there,
// and runs with the smallest young generation: V8 takes up to 32 MB for it whenever it likes, and what it takes is no stream's.
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { memoryOf, startPeer } from './lib/peer.mjs';

const people = 50;
const streams = 1_000;
const wantedKb = 60;
const wantedLeftMb = 20;
const flags = ['--max-semi-space-size=1'];

const agent = await startPeer('streaming-agent');
const pipe = await startPeer('bare-pipe', [String(agent.info.port)], flags);
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}`, flags });

const hold = (target) => Promise.all(Array.from({ length: streams }, (_, at) => open(target, 'idle', at)));

/** Has the agent say its last word to all of them. */
async function end(held) {
  const { whole } = await open({ origin: `http://127.0.0.1:${agent.info.port}`, path: '/' }, 'release', 0);
  await Promise.all([whole, ...held.map((stream) => stream.whole)]);
}

async function costOf(target) {
  await end(await hold(target));
  const before = await memoryOf(target.pid);
  const held = await hold(target);
  const each = ((await memoryOf(target.pid)) - before) / streams / 1024;
  await end(held);
  const left = ((await memoryOf(target.pid)) - before) / 1_048_576;
  return { each, left };
}

try {
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const bare = { pid: pipe.pid, origin: `http://127.0.0.1:${pipe.info.port}`, path: '/' };
  const ours = { pid: parley.pid, origin: parley.origin, path, tokens: await parley.tokens() };
  const [bareCost, cost] = [await costOf(bare), await costOf(ours)];
  const say = ({ each, left }) => `${each.toFixed(0)} KB each, ${left.toFixed(1)} MB left after their end`;
  console.log(
    `${streams} idle streams: ${say(cost)}; bare pipe ${say(bareCost)}; goal <= ${wantedKb} KB, ${wantedLeftMb} MB`,
  );
  process.exitCode = cost.each <= wantedKb && cost.left <= wantedLeftMb ? 0 : 1;
} finally {
  for (const { stop } of [parley, pipe, agent]) await stop();
}
