// How the public pages feel on a phone: Lighthouse's mobile preset against a production build, cache empty, median of five
// runs of each page. Goals: LCP <= 1.8 s, CLS <= 0.02, TBT <= 200 ms; performance >= 95, the other scores 100.
// The preset makes a fast desktop four times slower to be a phone. How fast this machine is, Lighthouse measures at each run;
// it is slowed down by as much less as it is slower (Lighthouse's docs/throttling.md and its calculator).
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { browserPath, quietBrowser } from '../scripts/browser.mjs';
import { keepResults, median } from './lib/compare.mjs';
import { startParley } from './lib/parley.mjs';

const runs = 5;
const most = { LCP: 1_800, CLS: 0.02, TBT: 200 };
const least = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };

const parley = await startParley();
const chrome = await launch({
  chromePath: await browserPath(),
  chromeFlags: ['--headless=new', ...quietBrowser],
});
const rows = [];
try {
  const index = await benchmarkIndex();
  const cpuSlowdownMultiplier = Math.min(4, multiplierFor(index));
  console.log(`this machine's index is ${Math.round(index)}: slowed down ${cpuSlowdownMultiplier.toFixed(1)} times`);
  const settings = { throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier } };
  for (const path of ['/', '/agents', `/agents/${parley.slug}`]) rows.push(await measure(path, settings));
} finally {
  chrome.kill();
  await parley.stop();
}
console.log(`\npages on a phone: median of ${runs} runs; milliseconds, KB as transferred`);
console.table(rows);
keepResults('pages', rows);
const missed = rows.flatMap(missesOf);
for (const miss of missed) console.log(`MISSED: ${miss}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** Lighthouse's measure of the processor, the median of as many runs. */
async function benchmarkIndex() {
  const found = [];
  for (let run = 0; run < runs; run++) {
    const { lhr } = await lighthouse(parley.origin, { port: chrome.port, logLevel: 'error', onlyAudits: ['viewport'] });
    found.push(lhr.environment.benchmarkIndex);
  }
  return median(found);
}

/** How many times slower a phone of the middle class is than a machine of this index, by Lighthouse's calculator. */
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
    ...Object.fromEntries(Object.keys(least).map((id) => [id, score(id)])),
    LCP: Math.round(audit('largest-contentful-paint')),
    CLS: Number(audit('cumulative-layout-shift').toFixed(3)),
    TBT: Math.round(audit('total-blocking-time')),
    scriptKB: Math.round(of(scriptBytes) / 1_000),
    totalKB: Math.round(audit('total-byte-weight') / 1_000),
    faults: faultsOf(reports[0]),
  };
}

/** What Lighthouse finds fault with beside the speed. */
function faultsOf({ audits, categories }) {
  const ids = Object.keys(least).filter((id) => id !== 'performance');
  const refs = ids.flatMap((id) => categories[id].auditRefs).filter(({ weight }) => weight > 0);
  return refs
    .map(({ id }) => id)
    .filter((id) => audits[id].score !== null && audits[id].score < 1)
    .join(', ');
}

function scriptBytes({ audits }) {
  const items = audits['network-requests'].details.items;
  return items.filter(({ resourceType }) => resourceType === 'Script').reduce((sum, one) => sum + one.transferSize, 0);
}

function missesOf(row) {
  const tooMuch = Object.entries(most).filter(([name, goal]) => row[name] > goal);
  const tooLittle = Object.entries(least).filter(([name, goal]) => row[name] < goal);
  return [...tooMuch, ...tooLittle].map(([name, goal]) => `${row.path}: ${name} ${row[name]}, goal ${goal}`);
}
