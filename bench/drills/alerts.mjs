// Each alert of deploy/monitoring/alerts.yml fires when its condition is caused, and resolves when the condition ends.
// A real Prometheus evaluates the rules on the metrics of two nodes; only their times are shortened.

import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { conditions } from './lib/alert-conditions.mjs';
import { call, introspect, message, repeat } from './lib/calls.mjs';
import { drill, skipUnless } from './lib/drill.mjs';
import { startEmbeddingsService } from './lib/embeddings-service.mjs';
import { isInstalled } from './lib/processes.mjs';
import { startPrometheus } from './lib/prometheus.mjs';
import { respondAtOnce, startScriptedAgent } from './lib/scripted-agent.mjs';
import { startProxy } from './lib/tcp-proxy.mjs';
import { until } from './lib/wait.mjs';

skipUnless(
  isInstalled('prometheus'),
  'Prometheus is not installed (Debian: apt-get install --no-install-recommends prometheus)',
);
const fireMs = 90_000;
const resolveMs = 120_000;
const faultsModule = new URL('lib/process-faults.mjs', import.meta.url).href;

const wanted = process.env.DRILL_ALERTS?.split(',');
const stops = [];

async function prepare() {
  const proxy = await startProxy();
  const embeddings = await startEmbeddingsService();
  const agent = await startScriptedAgent({ name: 'Alerting', handle: respondAtOnce });
  const [metrics, secondMetrics, port] = [await freePort(), await freePort(), await freePort()];
  const [faultsPort, secondFaultsPort] = [await freePort(), await freePort()];
  const parley = await startParley({
    agentUrl: agent.url,
    through: proxy.urlOf,
    flags: ['--import', faultsModule],
    env: {
      METRICS_PORT: String(metrics),
      FAULTS_PORT: String(faultsPort),
      DATABASE_POOL_SIZE: '5',
      EMBEDDINGS_URL: embeddings.url,
      EMBEDDINGS_MODEL: 'drill',
      LOG_LEVEL: 'silent',
    },
  });
  let second;
  const startSecond = async () => {
    const env = { PORT: String(port), METRICS_PORT: String(secondMetrics), FAULTS_PORT: String(secondFaultsPort) };
    second = await parley.another(env);
  };
  await startSecond();
  const prometheus = await startPrometheus({ ports: [metrics, secondMetrics] });
  stops.push(prometheus.stop, parley.stop, agent.stop, proxy.stop, embeddings.stop);
  const target = { origin: parley.origin, slug: parley.slug, token: await parley.handshake() };
  const faultsOrigin = `http://127.0.0.1:${faultsPort}`;
  return { proxy, embeddings, agent, parley, second: () => second, startSecond, prometheus, target, faultsOrigin };
}

/** Sends requests of every kind, so that the rates have non-zero denominators. */
function startTraffic({ parley, target }) {
  return [
    repeat(100, () => fetch(`${parley.origin}/api/agents?limit=1`)),
    repeat(100, () => introspect(parley.origin, parley.app, target.token)),
    repeat(100, () => call(target, 'message/send', { message: message('hello') })),
    repeat(500, () => fetch(`${parley.origin}/api/agents?limit=1&q=translate`)),
  ];
}

/** Causes a condition; returns the milliseconds until its alerts fired and, after its end, resolved. */
async function fire({ alerts, cause }, scene) {
  const { firing } = scene.prometheus;
  const states = async () => await Promise.all(alerts.map(async (name) => (await firing()).has(name)));
  const end = await cause(scene);
  let fired;
  try {
    const all = async () => (await states()).every(Boolean);
    fired = await until(all, { withinMs: fireMs, what: `${alerts.join(', ')} to fire` });
  } finally {
    await end();
  }
  const none = async () => !(await states()).some(Boolean);
  const resolved = await until(none, { withinMs: resolveMs, what: `${alerts.join(', ')} to resolve` });
  return { fired, resolved };
}

await drill('Each alert fires when its condition is caused, and resolves when that ends', async ({ figure, check }) => {
  const scene = await prepare();
  const { prometheus } = scene;
  for (const change of prometheus.changes) figure('shortened', change);
  const traffic = startTraffic(scene);
  const quiet = async () => (await prometheus.firing()).size === 0;
  await until(quiet, { withinMs: 60_000, what: 'no alert to fire' });
  const chosen = wanted ? conditions.filter(({ alerts }) => alerts.some((name) => wanted.includes(name))) : conditions;
  for (const condition of chosen) {
    const { alerts, what } = condition;
    const found = await fire(condition, scene).catch((error) => error);
    const text = found instanceof Error ? found.message : true;
    check(`${alerts.join(', ')}: ${what}`, text);
    if (text === true)
      figure(
        '  fired, resolved after, s',
        `${(found.fired / 1_000).toFixed(1)}, ${(found.resolved / 1_000).toFixed(1)}`,
      );
    await until(quiet, { withinMs: 120_000, what: 'all alerts to resolve' });
  }
  const tested = new Set(conditions.flatMap(({ alerts }) => alerts));
  const untested = prometheus.names.filter((name) => !tested.has(name));
  check('no rule is without a condition', untested.length === 0 || untested.join(', '));
  for (const stop of traffic) await stop();
});
for (const stop of stops) await stop();
