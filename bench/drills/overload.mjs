// A node receives five times the messages that it can serve, from another process that does not wait for responses.
// Introspections, health checks and webhooks continue in the meantime.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { introspect } from './lib/calls.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { percentile, timed } from './lib/timed.mjs';
import { wait } from './lib/wait.mjs';

/** Enough that none reaches the limit of a user: ten messages per second. */
const people = 1_000;
/**
 * Number of data parts in a response. It makes a message so much more expensive for the node than for the sender that
 * this load is five times the peak.
 */
const parts = 600;
/**
 * Minimum share of the planned messages that must be sent; with fewer, the node did not receive five times its peak.
 */
const minSent = 0.95;
const seconds = 12;
const minGoodput = 0.8;

const agent = await startPeer('unary-agent', [String(parts)]);
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const tokens = await parley.tokens();
const path = `/agents/${parley.slug}/a2a/jsonrpc`;

async function send(plan) {
  const file = fileURLToPath(new URL('../lib/open-loop.mjs', import.meta.url));
  const running = promisify(execFile)(process.execPath, [file]);
  running.child.stdin.end(JSON.stringify({ origin: parley.origin, path, tokens, ...plan }));
  return JSON.parse((await running).stdout);
}

/**
 * Sends introspections, health checks and webhooks with a wrong signature, which are refused with 400, during `work`.
 */
async function withCritical(work) {
  const critical = timed(50, async () => {
    const [introspected, health, webhook] = await Promise.all([
      introspect(parley.origin, parley.app, tokens[0]),
      fetch(`${parley.origin}/healthz`),
      fetch(`${parley.origin}/api/webhooks/stripe`, { method: 'POST', body: '{}' }),
    ]);
    await Promise.all([health.text(), webhook.text()]);
    return introspected.active === true && health.status === 200 && webhook.status !== 503;
  });
  const result = await work();
  return { result, ...(await critical.stop()) };
}

await drill(
  'Five times the load: a node stays busy, rejects the rest early and serves introspection',
  async (report) => {
    const { figure, check } = report;
    await send({ closed: 64, seconds: 6 });
    for (let round = 1; round <= rounds(3); round++) {
      const { result: peak, times: idle } = await withCritical(() => send({ closed: 64, seconds: 6 }));
      const rate = Math.round(peak.perSecond * 5);
      const { result, times, wrong } = await withCritical(() => send({ rate, seconds }));
      const startedAt = performance.now();
      let after = await send({ closed: 4, seconds: 1 });
      while (after.rejected > 0 && performance.now() - startedAt < 30_000)
        after = await send({ closed: 4, seconds: 1 });
      const recovery = (performance.now() - startedAt) / 1_000;
      figure(`round ${round}: peak, messages per second`, Math.round(peak.perSecond));
      figure(
        '  offered per second',
        `${rate}, of which sent ${Math.round(result.sent / seconds)}, without a free connection ${Math.round(result.unsent / seconds)}`,
      );
      figure('  served per second', `${Math.round(result.perSecond)} (p99 ${Math.round(result.p99)} ms)`);
      figure('  rejected per second', Math.round(result.rejected / seconds));
      figure('  critical requests, p99 ms', `${percentile(times, 0.99)} (at peak load ${percentile(idle, 0.99)})`);
      figure('  until nothing is rejected, s', recovery.toFixed(1));
      check('the peak is more than nothing', (peak.perSecond > 0 && peak.failed === 0) || `${peak.failed} failed`);
      check('five times the peak is sent', result.sent >= minSent * rate * seconds || `${result.sent} messages`);
      check('at least 80 % of the peak is served', result.perSecond >= minGoodput * peak.perSecond);
      check(
        'every rejection has Retry-After',
        result.withoutRetryAfter === 0 || `${result.withoutRetryAfter} have not`,
      );
      check('no request fails otherwise', result.failed === 0 || `${result.failed} failed`);
      check('introspection, health and webhooks are served', wrong === 0 || `${wrong} were not`);
      check('nothing is rejected within 5 s of the end', recovery <= 5);
      await wait(5_000);
    }
  },
);
for (const { stop } of [parley, agent]) await stop();
