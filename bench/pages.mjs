// Public pages on a phone: Lighthouse's mobile preset against a production build, cold cache, median of five runs per
// page. Goals: LCP <= 1.8 s, CLS <= 0.02, TBT <= 200 ms; performance >= 95, other scores 100. The preset slows a fast
// desktop down by a factor of four to simulate a phone. The factor is reduced for slower machines according to the
// benchmark index that Lighthouse measures in each run (Lighthouse's docs/throttling.md and its calculator).
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { browserFlags, browserPath } from '../scripts/browser.mjs';
import { median, saveResults } from './lib/compare.mjs';
import { startParley } from './lib/parley.mjs';

const runs = 5;
const maxMetrics = { LCP: 1_800, CLS: 0.02, TBT: 200 };
const minScores = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };

const parley = await startParley();
const chrome = await launch({
  chromePath: await browserPath(),
  chromeFlags: ['--headless=new', ...browserFlags],
});
const rows = [];
try {
  const index = await benchmarkIndex();
  const cpuSlowdownMultiplier = Math.min(4, multiplierFor(index));
  console.log(`benchmark index ${Math.round(index)}: CPU slowed down ${cpuSlowdownMultiplier.toFixed(1)} times`);
  const settings = { throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier } };
  for (const path of ['/', '/agents', `/agents/${parley.slug}`]) rows.push(await measure(path, settings));
} finally {
  chrome.kill();
  await parley.stop();
}
console.log(`\npages on a phone: median of ${runs} runs; milliseconds, KB as transferred`);
console.table(rows);
saveResults('pages', rows);
const missed = rows.flatMap(missesOf);
for (const miss of missed) console.log(`MISSED: ${miss}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** Lighthouse's CPU benchmark index, the median of all runs. */
async function benchmarkIndex() {
  const indexes = [];
  for (let run = 0; run < runs; run++) {
    const { lhr } = await lighthouse(parley.origin, { port: chrome.port, logLevel: 'error', onlyAudits: ['viewport'] });
    indexes.push(lhr.environment.benchmarkIndex);
  }
  return median(indexes);
}

/**
 * Returns the factor by which a mid-range phone is slower than a machine with this index, by Lighthouse's calculator.
 */
function multiplierFor(index) {
  if (index >= 1_300) return 3 + (index - 1_300) / 233;
  if (index >= 800) return 2 + (index - 800) / 500;
  return Math.max(1, 1 + (index - 150) / 650);
}

async function measure(path, settings) {
  const reports = [];
  for (let run = 0; run < runs; run++) {
    const { lhr } = await lighthouse(`${parley.origin}${path}`, { port: chrome.port, logLevel: 'error', ...settings });
    reports.push(lhr);
  }
  const of = (read) => median(reports.map(read));
  const audit = (id) => of(({ audits }) => audits[id].numericValue);
  const score = (id) => Math.round(of(({ categories }) => categories[id].score) * 100);
  return {
    path,
    ...Object.fromEntries(Object.keys(minScores).map((id) => [id, score(id)])),
    LCP: Math.round(audit('largest-contentful-paint')),
    CLS: Number(audit('cumulative-layout-shift').toFixed(3)),
    TBT: Math.round(audit('total-blocking-time')),
    scriptKB: Math.round(of(scriptBytes) / 1_000),
    totalKB: Math.round(audit('total-byte-weight') / 1_000),
    failed: failedAuditsOf(reports[0]),
  };
}

/** Returns Lighthouse's failed audits, other than performance. */
function failedAuditsOf({ audits, categories }) {
  const ids = Object.keys(minScores).filter((id) => id !== 'performance');
  const refs = ids.flatMap((id) => categories[id].auditRefs).filter(({ weight }) => weight > 0);
  return refs
    .map(({ id }) => id)
    .filter((id) => audits[id].score !== null && audits[id].score < 1)
    .join(', ');
}

function scriptBytes({ audits }) {
  const items = audits['network-requests'].details.items;
  return items
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, item) => sum + item.transferSize, 0);
}

function missesOf(row) {
  const overMax = Object.entries(maxMetrics).filter(([name, goal]) => row[name] > goal);
  const underMin = Object.entries(minScores).filter(([name, goal]) => row[name] < goal);
  return [...overMax, ...underMin].map(([name, goal]) => `${row.path}: ${name} ${row[name]}, goal ${goal}`);
}
