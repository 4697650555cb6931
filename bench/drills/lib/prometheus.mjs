import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../../scripts/processes.mjs';
import { ROOT } from '../../../scripts/program.mjs';
import { stopProcess } from '../../lib/peer.mjs';
import { until } from './wait.mjs';

const rulesFile = path.join(ROOT, 'deploy/monitoring/alerts.yml');

/** Replacements that shorten the rules, so that each can fire within a minute. Other thresholds are unchanged. */
const shortened = [
  [/\[\d+m\]/g, '[10s]'],
  [/for: \d+[ms]/g, 'for: 2s'],
  ['push_backlog_age) > 60', 'push_backlog_age) > 10'],
  ['payments_outbox_age) > 60', 'payments_outbox_age) > 10'],
  ['clamp_min(3 * job_interval, 600)', 'clamp_min(3 * job_interval, 15)'],
  ['embeddings_backlog_age) > 1800', 'embeddings_backlog_age) > 10'],
];

/**
 * Runs Prometheus on the metrics of nodes, with the rules of deploy/monitoring/alerts.yml and shorter times.
 *
 * @param {{ ports: number[] }} nodes their metrics
 * @returns {Promise<{ names: string[], changes: string[], firing: () => Promise<Set<string>>, query: (expr: string) => Promise<unknown[]>, stop: () => Promise<void> }>}
 */
export async function startPrometheus({ ports }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-prometheus-'));
  const port = await freePort();
  const { rules, changes } = shortenedRules();
  writeFileSync(path.join(folder, 'rules.yml'), rules);
  writeFileSync(path.join(folder, 'prometheus.yml'), configOf(ports));
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const api = async (request) => (await (await fetch(`http://127.0.0.1:${port}/api/v1/${request}`)).json()).data;
  await until(async () => (await api('rules')).groups.length > 0, { withinMs: 30_000, what: 'Prometheus' });
  return {
    names: [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
    changes,
    firing: async () => {
      const { alerts } = await api('alerts');
      return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
    },
    query: async (expr) => (await api(`query?query=${encodeURIComponent(expr)}`)).result,
    async stop() {
      await stopProcess(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(ports) {
  return JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'parley', static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }] }],
  });
}

function shortenedRules() {
  let rules = readFileSync(rulesFile, 'utf8');
  const changes = [];
  for (const [from, to] of shortened) {
    if (typeof from === 'string' && !rules.includes(from)) throw new Error(`alerts.yml does not contain "${from}"`);
    changes.push(`${from instanceof RegExp ? from.source : from} → ${to}`);
    rules = rules.replaceAll(from, to);
  }
  return { rules, changes };
}
