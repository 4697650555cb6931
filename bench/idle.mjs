// Memory of 1,000 idle streams and their runs, and how much of it is released afterwards. Goals: at most 60 KB each;
// within 20 MB of the level before. Each program first holds the same number of streams once, to warm up code and
// pools, and runs with the smallest young generation, because V8 may otherwise take up to 32 MB for it at any time.
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { memoryOf, startPeer } from './lib/peer.mjs';

const people = 50;
const streams = 1_000;
const goalKb = 60;
const goalLeftMb = 20;
const flags = ['--max-semi-space-size=1'];

const agent = await startPeer('streaming-agent');
const pipe = await startPeer('bare-pipe', [String(agent.info.port)], flags);
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}`, flags });

const hold = (target) => Promise.all(Array.from({ length: streams }, (_, at) => open(target, 'idle', at)));

/** Has the agent complete all streams. */
async function release(held) {
  const { done } = await open({ origin: `http://127.0.0.1:${agent.info.port}`, path: '/' }, 'release', 0);
  await Promise.all([done, ...held.map((stream) => stream.done)]);
}

async function costOf(target) {
  await release(await hold(target));
  const before = await memoryOf(target.pid);
  const held = await hold(target);
  const eachKb = ((await memoryOf(target.pid)) - before) / streams / 1024;
  await release(held);
  const leftMb = ((await memoryOf(target.pid)) - before) / 1_048_576;
  return { eachKb, leftMb };
}

try {
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const bare = { pid: pipe.pid, origin: `http://127.0.0.1:${pipe.info.port}`, path: '/' };
  const ours = { pid: parley.pid, origin: parley.origin, path, tokens: await parley.tokens() };
  const [bareCost, cost] = [await costOf(bare), await costOf(ours)];
  const format = ({ eachKb, leftMb }) => `${eachKb.toFixed(0)} KB each, ${leftMb.toFixed(1)} MB not released`;
  console.log(
    `${streams} idle streams: ${format(cost)}; bare pipe ${format(bareCost)}; goal <= ${goalKb} KB, ${goalLeftMb} MB`,
  );
  process.exitCode = cost.eachKb <= goalKb && cost.leftMb <= goalLeftMb ? 0 : 1;
} finally {
  for (const { stop } of [parley, pipe, agent]) await stop();
}
