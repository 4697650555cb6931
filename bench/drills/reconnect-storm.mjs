// Several hundred agents lose their node (SIGTERM, then SIGKILL) and reconnect when it is back at the same address.
import { listHubAgents, serveTokenFor } from '../lib/hub-workers.mjs';
import { startParley } from '../lib/parley.mjs';
import { queryOnce } from './lib/cluster.mjs';
import { connectWorker } from './lib/connected-agent.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { isAlive } from './lib/processes.mjs';
import { until } from './lib/wait.mjs';

const agents = 20;
const workersPerAgent = 20;
const total = agents * workersPerAgent;
const backWithinMs = 30_000;
/** Maximum share of the workers that may return in any tenth of a second: they must not all return simultaneously. */
const largestShare = 0.5;
const bucketMs = 100;

const parley = await startParley({ env: { EMBEDDINGS: 'off', DRAIN_SECONDS: '1' } });
const { port } = new URL(parley.origin);
const node = { pid: parley.pid, origin: parley.origin };
const opened = [];
let lostAt = 0;

const rows = (statement) => queryOnce(parley.databaseUrl, statement);

/** Counts the workers registered as connected, and those of nodes that are gone. */
async function registrations() {
  const [found] = await rows(
    `SELECT count(*)::int AS all, count(DISTINCT id)::int AS workers,
       (count(*) FILTER (WHERE node NOT IN (SELECT id FROM node)))::int AS ghosts FROM hub_worker
     WHERE left_at IS NULL`,
  );
  return found;
}

async function restart(signal) {
  opened.length = 0;
  lostAt = 0;
  const stoppedAt = performance.now();
  process.kill(node.pid, signal);
  await until(() => !isAlive(node.pid), { withinMs: 60_000, what: 'the node to end', everyMs: 20 });
  const left = (await registrations()).all;
  Object.assign(node, await parley.another({ PORT: port }));
  const upAt = performance.now();
  await until(() => opened.length >= total, { withinMs: backWithinMs, what: `${total} workers` }).catch(
    () => undefined,
  );
  const times = opened.map((at) => at - lostAt).sort((a, b) => a - b);
  const buckets = new Map();
  for (const at of times) buckets.set(Math.floor(at / bucketMs), (buckets.get(Math.floor(at / bucketMs)) ?? 0) + 1);
  return {
    // A killed node cannot record it.
    remaining: signal === 'SIGTERM' ? left : 0,
    downMs: upAt - stoppedAt,
    returned: times.length,
    spread: [0, 0.5, 0.95, 1].map((share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]),
    share: Math.max(...buckets.values()) / total,
  };
}

await drill(
  'A node restarts: all its agents return, spread over time, and none counts twice',
  async ({ figure, check }) => {
    const slugs = await listHubAgents(parley, agents);
    const workers = [];
    for (const slug of slugs) {
      const token = await serveTokenFor(parley, slug);
      for (let count = 0; count < workersPerAgent; count++) {
        const plan = { agent: slug, token, capacity: 1, handle: async () => 'here', pick: () => parley.origin };
        const onOpen = () => opened.push(performance.now());
        const onClose = () => {
          lostAt ||= performance.now();
        };
        workers.push(await connectWorker(parley, { ...plan, onOpen, onClose }));
      }
    }
    const allOnline = () => workers.every(({ state }) => state === 'online');
    await until(allOnline, { withinMs: 60_000, what: 'all to be online' });
    let missing = 0;
    let ghosts = 0;
    let share = 0;
    for (let round = 1; round <= rounds(3); round++) {
      for (const signal of ['SIGTERM', 'SIGKILL']) {
        const found = await restart(signal);
        await until(allOnline, { withinMs: backWithinMs, what: 'all to be online' }).catch(() => undefined);
        const counted = await until(async () => (await registrations()).all === total, {
          withinMs: 15_000,
          what: 'all',
        })
          .catch(() => undefined)
          .then(registrations);
        const [first, median, most, last] = found.spread.map((ms) => (ms / 1_000).toFixed(1));
        figure(
          `${signal} ${round}`,
          `down for ${(found.downMs / 1_000).toFixed(1)} s; connected after ${first} to ${last} s, half by ${median}, 95 % by ${most}; ` +
            `largest share in 0.1 s ${Math.round(found.share * 100)} %; ${counted.all} registrations`,
        );
        missing += workers.filter(({ state }) => state !== 'online').length;
        ghosts += found.remaining + counted.ghosts + Math.abs(counted.all - total) + (counted.all - counted.workers);
        share = Math.max(share, found.share);
      }
    }
    figure('workers', total);
    check('all are back within 30 s', missing === 0 || `${missing} are not`);
    check('each counts once, and none of a node that is gone', ghosts === 0 || `${ghosts} wrong`);
    check('no tenth of a second has more than half of them', share <= largestShare || `${Math.round(share * 100)} %`);
    await Promise.all(workers.map((worker) => worker.drain({ timeoutMs: 0 })));
    await until(async () => (await registrations()).all === 0, { withinMs: 15_000, what: 'none to be registered' });
    const online = await Promise.all(
      slugs.map(async (slug) => (await (await fetch(`${parley.origin}/api/agents/${slug}`)).json()).presence.online),
    );
    check('after they leave, none is shown as online', !online.includes(true));
  },
);
await parley.stop();
