// What a stream that waits costs in memory, with the run behind it: 500 of them beside 500 others that were there before.
// Goal: at most 60 KB each. Both programs run with the smallest young generation: V8 takes up to 32 MB for it whenever it likes,
// and what it takes belongs to no stream.
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { memoryOf, startPeer } from './lib/peer.mjs';

const people = 50;
const streams = 500;
const wantedKb = 60;
const flags = ['--max-semi-space-size=1'];

const agent = await startPeer('streaming-agent');
const pipe = await startPeer('bare-pipe', [String(agent.info.port)], flags);
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}`, flags });

async function perStream(target) {
  const hold = (from) => Promise.all(Array.from({ length: streams }, (_, at) => open(target, 'idle', from + at)));
  const held = await hold(0);
  const before = await memoryOf(target.pid);
  held.push(...(await hold(streams)));
  const each = ((await memoryOf(target.pid)) - before) / streams / 1024;
  for (const { close } of held) close();
  return each;
}

try {
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const bare = { pid: pipe.pid, origin: `http://127.0.0.1:${pipe.info.port}`, path: '/' };
  const ours = { pid: parley.pid, origin: parley.origin, path, tokens: await parley.tokens() };
  const [pipeKb, parleyKb] = [await perStream(bare), await perStream(ours)];
  console.log(
    `idle stream: ${parleyKb.toFixed(0)} KB, bare pipe ${pipeKb.toFixed(0)} KB (${streams} held); goal <= ${wantedKb}`,
  );
  process.exitCode = parleyKb <= wantedKb ? 0 : 1;
} finally {
  for (const { stop } of [parley, pipe, agent]) await stop();
}
