// Streams that run on one node are read on another over NATS, which is killed, stopped, and restarted without its
// state. The agent writes the time into each event.
import { spawn } from 'node:child_process';
import { freePort } from '../../scripts/processes.mjs';
import { open } from '../lib/open-stream.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { drill, rounds, skipUnless } from './lib/drill.mjs';
import { isInstalled } from './lib/processes.mjs';
import { wait } from './lib/wait.mjs';

const streams = 5;
const events = 250;
const maxLagMs = 1_500;

skipUnless(isInstalled('nats-server'), 'NATS is not installed (Debian: apt-get install nats-server)');
const port = String(await freePort());
const startNats = () => spawn('nats-server', ['-a', '127.0.0.1', '-p', port], { stdio: 'ignore' });
let nats = startNats();
const agent = await startPeer('streaming-agent');
const parley = await startParley({
  people: streams,
  agentUrl: `http://127.0.0.1:${agent.info.port}`,
  env: { NOTICES_URL: `nats://127.0.0.1:${port}`, EMBEDDINGS: 'off' },
});
const other = await parley.another();
const path = `/agents/${parley.slug}/a2a/jsonrpc`;

async function untilCarriedBy(carrier) {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const { notices } = await (await fetch(`${other.origin}/readyz`)).json();
    if (notices?.over === carrier) return;
    await wait(50);
  }
  throw new Error(`notifications did not return to ${carrier}`);
}

const textOf = ({ arrivals }) => arrivals.map(({ text }) => text).join('');

/** Reads a stream on the other node; returns the lag of each event, in milliseconds. */
async function readElsewhere(tokens, at) {
  const own = await open({ origin: parley.origin, path, tokens }, `pace ${events}`, at);
  let id;
  while (!id) {
    id = /"id":"([0-9a-f-]{36})"/.exec(textOf(own))?.[1];
    await wait(5);
  }
  const bodyOf = () => ({ jsonrpc: '2.0', id: at, method: 'tasks/resubscribe', params: { id } });
  const far = await open({ origin: other.origin, path, tokens, bodyOf }, '', at);
  const subscribedAt = far.arrivals[0].at;
  await Promise.all([own.done, far.done]);
  const seen = far.arrivals.flatMap(({ at, text }) =>
    [...text.matchAll(/<([\d.]+)>/g)].map(([, sentAt]) => ({ sentAt: Number(sentAt), at })),
  );
  const complete = seen.length === events && new Set(seen.map(({ sentAt }) => sentAt)).size === events;
  const lags = seen.filter(({ sentAt }) => sentAt > subscribedAt).map(({ sentAt, at }) => at - sentAt);
  return { complete, lagMs: Math.max(...lags) };
}

const faults = {
  'killed and wiped': async () => {
    nats.kill('SIGKILL');
    await untilCarriedBy('postgresql');
    await wait(1_000);
    nats = startNats();
  },
  stopped: async () => {
    nats.kill('SIGSTOP');
    await wait(2_000);
    nats.kill('SIGCONT');
  },
};

await drill('NATS fails: no event is lost, and readers are at most 1.5 s late', async ({ figure, check }) => {
  const tokens = await parley.tokens();
  let incomplete = 0;
  let lagMs = 0;
  const count = rounds(20);
  for (let round = 1; round <= count; round++) {
    for (const [name, inject] of Object.entries(faults)) {
      await untilCarriedBy('nats');
      const reading = Promise.all(tokens.map((_token, at) => readElsewhere(tokens, at)));
      await wait(1_500);
      await inject();
      const read = await reading;
      const longest = Math.max(...read.map((one) => one.lagMs));
      figure(`${name} ${round}`, `longest lag ${Math.round(longest)} ms`);
      lagMs = Math.max(lagMs, longest);
      incomplete += read.filter(({ complete }) => !complete).length;
    }
  }
  figure('faults', count * Object.keys(faults).length);
  check('every reader has each event once', incomplete === 0 || `${incomplete} do not`);
  check('no event is more than 1.5 s late', lagMs <= maxLagMs || `${Math.round(lagMs)} ms`);
});
nats.kill('SIGKILL');
for (const { stop } of [parley, agent]) await stop();
