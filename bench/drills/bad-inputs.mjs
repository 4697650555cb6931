// 10,000 bad requests to all endpoints, in two equal waves, during 50 good messages per second.
import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { badRequests, sendBad } from './lib/bad-requests.mjs';
import { call, message } from './lib/calls.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { sampled, sampleMemory } from './lib/memory.mjs';
import { percentile } from './lib/timed.mjs';
import { wait } from './lib/wait.mjs';

const count = 10_000;
const warmUp = 5_000;
const perSecond = 100;
const goodPerSecond = 50;
const idleMs = 20_000;
const maxGrowthMb = 30;
const seed = 20_261_121;

const agent = await startPeer('unary-agent');
const goodAgent = await startPeer('unary-agent');
const faultsPort = await freePort();
const parley = await startParley({
  people: 11,
  agentUrl: `http://127.0.0.1:${agent.info.port}`,
  flags: sampled,
  env: { FAULTS_PORT: String(faultsPort), LOG_LEVEL: 'error' },
});
const [ownToken] = await parley.tokens();
/** Owned by another user: some of the bad requests withdraw the caller's own agent. */
const goodSlug = await parley.list(`http://127.0.0.1:${goodAgent.info.port}`, 1);
const tokens = (await parley.tokens(goodSlug)).slice(1);

/** Sends good messages at a steady rate while `work` runs. */
async function withGood(work) {
  const sent = [];
  const times = [];
  let failed = 0;
  const startedAt = performance.now();
  const sendOne = async () => {
    const at = performance.now();
    const target = { origin: parley.origin, slug: goodSlug, token: tokens[sent.length % tokens.length] };
    const { body } = await call(target, 'message/send', { message: message('good') });
    if (body.result?.status?.state !== 'completed') failed += 1;
    times.push(performance.now() - at);
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * goodPerSecond;
    while (sent.length < due) sent.push(sendOne());
  }, 5);
  const result = await work();
  clearInterval(timer);
  await Promise.all(sent);
  return { result, times, failed };
}

async function settledMemory() {
  await wait(10_000);
  return sampleMemory(faultsPort);
}

async function inject(bad, { figure, check }) {
  const { origin } = parley;
  await sendBad({ origin, bad, count: warmUp, perSecond });
  const idle = await withGood(() => wait(idleMs));
  const before = await settledMemory();
  const flood = await withGood(() => sendBad({ origin, bad, count, perSecond }));
  const after = await settledMemory();
  const { statuses, faults } = flood.result;
  const p99 = { idle: percentile(idle.times, 0.99), flood: percentile(flood.times, 0.99) };
  const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  figure('bad requests by status (0: connection closed)', byStatus.join(', '));
  figure('good messages', `${flood.times.length}, p99 ${p99.flood} ms; without bad requests p99 ${p99.idle} ms`);
  figure('resident memory, MB', `${before.rss.toFixed(0)} before, ${after.rss.toFixed(0)} after`);
  figure('heap, MB', `${before.heap.toFixed(1)} before, ${after.heap.toFixed(1)} after`);
  check(
    'every response is a clear error',
    faults.length === 0 || `${faults.length} are not:\n${faults.slice(0, 10).join('\n')}`,
  );
  check('every good message is served', flood.failed === 0 || `${flood.failed} failed`);
  check('the node has not restarted', process.kill(parley.pid, 0));
  check(`resident memory is back within ${maxGrowthMb} MB`, after.rss - before.rss <= maxGrowthMb);
  check('p99 of good messages is at most 3 × that without', p99.flood <= 3 * p99.idle);
}

await drill('Bad requests get a clear error, and neither delay good ones nor leave anything behind', async (report) => {
  const target = { origin: parley.origin, slug: parley.slug, token: ownToken };
  const { body } = await call(target, 'message/send', { message: message('hi') });
  const { clientId, clientSecret } = parley.app;
  const caller = {
    slug: parley.slug,
    taskId: body.result.id,
    agentToken: ownToken,
    accessToken: parley.accessToken,
    app: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    cookie: '',
    origin: parley.origin,
  };
  const bad = await badRequests(caller, seed);
  for (let round = 1; round <= rounds(1); round++) await inject(bad, report);
});
for (const { stop } of [parley, agent, goodAgent]) await stop();
