// Clocks that differ by up to 25 s between nodes, and one that jumps by ±90 s and ±1 h and back (libfaketime).

import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { call, introspect, message, repeat } from './lib/calls.mjs';
import { drill, rounds, skipUnless } from './lib/drill.mjs';
import { fakeClock, hasFaketime } from './lib/faketime.mjs';
import { respondAtOnce, startScriptedAgent } from './lib/scripted-agent.mjs';
import { startStripe } from './lib/stripe.mjs';
import { until, wait } from './lib/wait.mjs';

/** Differences at which nodes serve together; beyond 30 s a node is not ready. */
const skews = [0, 25, -25];
const jumps = [90, -90, 3_600, -3_600];
const readinessMs = 15_000;
/** Longest delay of a breaker, plus the time to detect its end. */
const breakerMs = 75_000;

skipUnless(hasFaketime, 'libfaketime is not installed (Debian: apt-get install faketime)');
const agent = await startScriptedAgent({ name: 'Clocks', streaming: false, handle: respondAtOnce });
const stripe = await startStripe();
const metricsPorts = await Promise.all(Array.from({ length: 4 }, freePort));
const common = { ...stripe.env, LOG_LEVEL: 'silent', PROBE_INTERVAL_SECONDS: '0', PROBE_RUN_INTERVAL_SECONDS: '0' };
const parley = await startParley({ agentUrl: agent.url, env: { ...common, METRICS_PORT: String(metricsPorts[0]) } });
const nodes = [parley];
for (const [at, skew] of skews.slice(1).entries())
  nodes.push(await parley.another({ ...fakeClock(skew).env, METRICS_PORT: String(metricsPorts[at + 1]) }));
const clock = fakeClock();
const jumping = await parley.another({ ...clock.env, METRICS_PORT: String(metricsPorts[3]) });

async function issue(origin) {
  const response = await fetch(`${origin}/api/auth/handshake`, {
    method: 'POST',
    headers: { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agentSlug: parley.slug }),
  });
  if (!response.ok) throw new Error(`${origin} issued no token: ${response.status} ${await response.text()}`);
  return (await response.json()).token;
}

const send = (origin, token) => call({ origin, slug: parley.slug, token }, 'message/send', { message: message('x') });
const isReady = async (origin) => (await fetch(`${origin}/readyz`)).status === 200;

/** Presents every node's tokens at every node; returns the deviations. */
async function checkTokens(list) {
  const wrong = [];
  for (const issuer of list) {
    const token = await issue(issuer.origin);
    for (const node of list) {
      const { status, active } = await introspect(node.origin, parley.app, token);
      if (!active) wrong.push(`introspection ${status} ${active}`);
      const { status: sent, body } = await send(node.origin, token);
      if (body.result?.status.state !== 'completed')
        wrong.push(`send ${sent} ${JSON.stringify(body.error ?? body.result?.status)}`);
    }
  }
  return wrong;
}

const negatives = new Set();

/** Returns the negative durations and ages in the metrics of every node. */
async function readMetrics() {
  for (const port of metricsPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const line of text.match(
      /^\w*(?:_age|_since_success|_lag|_duration_sum|_last_duration)\b.* -[\d.]+(?:e[+-]\d+)?$/gm,
    ) ?? [])
      negatives.add(line.replace(/\{.*\}/, ''));
  }
}

/** Makes the agent fail until the breaker is open, and recover while the clock is an hour back. */
async function checkBreaker(token) {
  agent.set(({ response }) => {
    response.socket.resetAndDestroy();
    return true;
  });
  const isOpen = async () =>
    /calls to it are paused/.test((await send(jumping.origin, token)).body.error?.message ?? '');
  await until(isOpen, { withinMs: 30_000, what: 'the breaker to open', everyMs: 20 });
  clock.set(-3_600);
  agent.set(respondAtOnce);
  // By this clock, tokens issued earlier are dated in the future.
  const isServed = async () => {
    const { body } = await send(jumping.origin, await issue(jumping.origin));
    return body.result?.status.state === 'completed';
  };
  const waited = await until(isServed, {
    withinMs: breakerMs,
    what: 'the agent to be called again',
    everyMs: 500,
  }).catch(() => null);
  clock.set(0);
  return waited;
}

async function jump(seconds) {
  clock.set(seconds);
  const left = await until(async () => !(await isReady(jumping.origin)), {
    withinMs: readinessMs,
    what: 'the node to leave',
  }).catch(() => null);
  const others = await checkTokens(nodes);
  const [{ id }] = [{ id: `evt_drill_${Math.random()}` }];
  const refused = await stripe.deliver(jumping.origin, {
    id,
    object: 'event',
    type: 'charge.updated',
    livemode: false,
    data: { object: {} },
  });
  clock.set(0);
  const back = await until(() => isReady(jumping.origin), { withinMs: readinessMs, what: 'the node to return' }).catch(
    () => null,
  );
  await wait(1_100);
  return { left, back, others, refused, after: await checkTokens([...nodes, jumping]) };
}

await drill('Clocks differ and jump: tokens hold, waits end, no age is negative', async ({ figure, check }) => {
  const total = rounds(3);
  const stop = repeat(1_000, readMetrics);
  const wrong = [];
  const found = [];
  for (let round = 0; round < total; round++) {
    wrong.push(...(await checkTokens(nodes)));
    for (const seconds of jumps) {
      const result = { seconds, ...(await jump(seconds)) };
      figure(
        `jump of ${seconds} s`,
        `not ready after ${toSeconds(result.left)}, ready again after ${toSeconds(result.back)}`,
      );
      found.push(result);
    }
  }
  const waited = await checkBreaker(await issue(parley.origin));
  await stop();
  figure('rounds, pairs of nodes, jumps', `${total}, ${skews.length ** 2}, ${found.length}`);
  figure('breaker closed after a jump of -1 h', toSeconds(waited));
  const others = found.flatMap((result) => result.others);
  const after = found.flatMap((result) => result.after);
  check('tokens of each node hold at each node, 50 s apart', wrong.length === 0 || `${wrong.length}: ${wrong[0]}`);
  check(
    'a node whose clock is wrong is not ready',
    found.every(({ left }) => left !== null),
  );
  check('the other nodes serve meanwhile', others.length === 0 || `${others.length}: ${others[0]}`);
  check(
    'it is ready again when its clock is right',
    found.every(({ back }) => back !== null),
  );
  check('all nodes serve each other’s tokens then', after.length === 0 || `${after.length}: ${after[0]}`);
  const refusals = found.filter(({ seconds }) => Math.abs(seconds) > 300).map(({ refused }) => refused);
  check(
    'webhooks more than 300 s from the clock are refused',
    refusals.every((status) => status === 400) || refusals.join(),
  );
  check('an open breaker closes although the clock was set back', waited !== null);
  check('no age or duration is negative', negatives.size === 0 || [...negatives].slice(0, 3).join('; '));
});
for (const { stop } of [parley, agent, stripe]) await stop();

function toSeconds(ms) {
  return ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`;
}
