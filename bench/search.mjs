// Search among 100,000 listings, over HTTP, one request at a time: rare, frequent and misspelled words, filters, sort
// orders, pages.
// Goal: 95th percentile of each kind within 30 ms, including the database.
import { saveResults } from './lib/compare.mjs';
import { fillCatalog, wordOf } from './lib/fill-catalog.mjs';
import { startParley } from './lib/parley.mjs';

const listings = 100_000;
const times = 60;
const goal = 30;

/** Kinds of queries. Each turn uses another word of the vocabulary, so that queries differ. */
const kinds = {
  'rare words': (turn) => `q=${wordOf(3_000 + turn)}+${wordOf(40 + turn)}`,
  'a frequent word': (turn) => `q=${wordOf(1 + (turn % 5))}`,
  'frequent words': (turn) => `q=${wordOf(1 + (turn % 5))}+${wordOf(6 + turn)}`,
  'a word being typed': (turn) => `q=${wordOf(100 + turn).slice(0, 3)}`,
  'a misspelled word': (turn) => `q=${wordOf(1_000 + turn).slice(0, 6)}zz`,
  'words and filters': (turn) => `q=${wordOf(1 + turn)}&tag=t${turn % 7}&health=healthy`,
  'a tag': (turn) => `tag=t${turn % 50}`,
  'a tag by score': (turn) => `tag=t${turn % 50}&sort=best`,
  'the newest': () => 'sort=newest',
  'the best': () => 'sort=best',
  'words by use': (turn) => `q=${wordOf(1 + turn)}&sort=used`,
};

// Probes of 100,000 listings are off, so that only the search is measured.
const parley = await startParley({ env: { PROBE_INTERVAL_SECONDS: '0' } });
try {
  await fillCatalog(parley.databaseUrl, listings);
  const rows = [];
  for (const [kind, queryOf] of Object.entries(kinds)) rows.push({ kind, ...(await measure(queryOf)) });
  rows.push({ kind: 'a second page', ...(await measure(await secondPage())) });
  console.log(`\nsearch in ${listings} listings, ${times} of each kind; milliseconds`);
  console.table(rows);
  saveResults('search', rows);
  const missed = rows.filter(({ p95 }) => p95 > goal);
  for (const { kind, p95 } of missed) console.log(`MISSED: ${kind}: ${p95} ms, goal ${goal} ms`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await parley.stop();
}

async function measure(queryOf) {
  const durations = [];
  let total = 0;
  for (let turn = 0; turn < times; turn++) {
    const startedAt = performance.now();
    const page = await search(queryOf(turn));
    durations.push(performance.now() - startedAt);
    total += page.items.length;
  }
  durations.sort((a, b) => a - b);
  const at = (share) => Number(durations[Math.floor(durations.length * share)].toFixed(1));
  return { found: Math.round(total / times), p50: at(0.5), p95: at(0.95), max: at(0.999) };
}

async function secondPage() {
  const words = `${wordOf(1)}+${wordOf(2)}`;
  const { nextCursor } = await search(`q=${words}`);
  return () => `q=${words}&cursor=${encodeURIComponent(nextCursor)}`;
}

async function search(query) {
  const response = await fetch(`${parley.origin}/api/agents?${query}`, {
    headers: { authorization: `Bearer ${parley.accessToken}` },
  });
  if (!response.ok) throw new Error(`${query} responded ${response.status}: ${await response.text()}`);
  return response.json();
}
