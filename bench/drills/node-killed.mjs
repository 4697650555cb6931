// 50 streams of 1,000 numbered pieces: the node that runs them is killed (SIGKILL) midway, and the clients reconnect to
// the other node with `Last-Event-ID`.
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { followStream } from './lib/numbered-streams.mjs';
import { until, wait } from './lib/wait.mjs';

const streams = 50;
const pieces = 1_000;
const maxGapMs = 3_000;

const agent = await startPeer('numbered-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const parley = await startParley({ people: 10, agentUrl });
const path = `/agents/${parley.slug}/a2a/jsonrpc`;

const sends = async () => (await (await fetch(`${agentUrl}/sends`)).json()).sends;

/** Kills the active node during its streams. */
async function kill(active, other, tokens) {
  const before = await sends();
  let origin = active.origin;
  const pick = () => origin;
  const begun = new Set();
  const following = Array.from({ length: streams }, (_, at) =>
    followStream({ pick, path, token: tokens[at % tokens.length], pieces, onPiece: () => begun.add(at) }),
  );
  // If a node dies before the agent confirms a task, the task fails; see crash-points.
  await until(() => begun.size === streams, { withinMs: 120_000, what: 'a piece of every stream', everyMs: 10 });
  await wait(Math.random() * 2_500);
  process.kill(active.pid, 'SIGKILL');
  origin = other.origin;
  const clients = await Promise.all(following);
  return {
    gapMs: Math.max(...clients.map((client) => client.gapMs)),
    wrong: clients.filter(({ isExact }) => !isExact).length,
    resent: (await sends()) - before - streams,
  };
}

await drill('A node dies: each stream continues on another, every event once', async ({ figure, check }) => {
  const kills = rounds(20);
  const tokens = await parley.tokens();
  let active = { pid: parley.pid, origin: parley.origin };
  const total = { gapMs: 0, wrong: 0, resent: 0 };
  for (let round = 1; round <= kills; round++) {
    const other = await parley.another();
    const { gapMs, wrong, resent } = await kill(active, other, tokens);
    figure(`kill ${round}`, `longest gap ${(gapMs / 1_000).toFixed(2)} s, ${wrong} wrong, ${resent} sent again`);
    total.gapMs = Math.max(total.gapMs, gapMs);
    total.wrong += wrong;
    total.resent += resent;
    active = other;
  }
  figure('kills', kills);
  figure('streams', kills * streams);
  figure('longest gap, s', (total.gapMs / 1_000).toFixed(2));
  check('every client has each event once and in order', total.wrong === 0 || `${total.wrong} are wrong`);
  check('the agent received each message once', total.resent === 0 || `${total.resent} were sent again`);
  check('no gap exceeds 3 s', total.gapMs <= maxGapMs);
});
for (const { stop } of [parley, agent]) await stop();
