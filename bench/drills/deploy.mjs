// Rolling restart (SIGTERM) of two nodes under DRILL_RATE (200) calls a second and a quarter as many streams. A tenth of the
// calls takes the agent 8 s; streams are asked to reconnect. A load balancer follows /readyz.
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { startBalancer } from './lib/balancer.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { followStream } from './lib/numbered-streams.mjs';
import { startCalls } from './lib/steady-calls.mjs';
import { wait } from './lib/wait.mjs';

const perSecond = Number(process.env.DRILL_RATE ?? 200);
const streams = perSecond / 4;
const pieces = 1_000;
const settleMs = 3_000;
const drainSeconds = 20;

const agents = [await startPeer('slow-agent'), await startPeer('numbered-agent')];
const [slowUrl, numbersUrl] = agents.map(({ info }) => `http://127.0.0.1:${info.port}`);
const parley = await startParley({
  people: 80,
  agentUrl: slowUrl,
  env: { SHUTDOWN_DELAY_SECONDS: '2', DRAIN_SECONDS: String(drainSeconds) },
});
const numbers = await parley.list(numbersUrl);
const pathOf = (slug) => `/agents/${slug}/a2a/jsonrpc`;
const balancer = startBalancer([parley, await parley.another()]);

/** Keeps `streams` streams open until `signal` aborts; returns the inexact ones, and the longest gap. */
async function keepStreaming(tokens, signal) {
  const total = { done: 0, wrong: 0, gapMs: 0 };
  const path = pathOf(numbers);
  const follow = async (at) => {
    while (!signal.aborted) {
      const { isExact, gapMs } = await followStream({
        pick: balancer.pick,
        path,
        token: tokens[at % tokens.length],
        pieces,
      });
      total.done += 1;
      total.wrong += isExact ? 0 : 1;
      total.gapMs = Math.max(total.gapMs, gapMs);
    }
  };
  await Promise.all(Array.from({ length: streams }, (_, at) => follow(at)));
  return total;
}

await drill('A deploy loses no call and no event of a stream', async ({ figure, check }) => {
  const restarts = rounds(20);
  const tokens = await parley.tokens();
  const { host } = new URL(parley.origin);
  const path = pathOf(parley.slug);
  const calls = startCalls({ balancer, path, host, tokens, perSecond, slowEvery: 10 });
  const end = new AbortController();
  const streaming = keepStreaming(await parley.tokens(numbers), end.signal);
  let longestMs = 0;
  for (let round = 1; round <= restarts; round++) {
    await wait(settleMs);
    const ms = await balancer.replaceOldest(() => parley.another());
    figure(`restart ${round}`, `exited after ${(ms / 1_000).toFixed(1)} s`);
    longestMs = Math.max(longestMs, ms);
  }
  end.abort();
  const { done, wrong, gapMs } = await streaming;
  const { calls: sent, failed, reasons } = await calls.stop();
  figure('restarts', restarts);
  figure('calls', sent);
  figure('streams', done);
  figure('longest gap of a stream, s', (gapMs / 1_000).toFixed(2));
  check('no call failed', failed === 0 || `${failed} failed: ${reasons.join('; ')}`);
  check('every stream has each event once and in order', wrong === 0 || `${wrong} are wrong`);
  check('every node exited within 30 s', longestMs <= 30_000 || `${Math.round(longestMs)} ms`);
});
balancer.stop();
for (const { stop } of [parley, ...agents]) await stop();
