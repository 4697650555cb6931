// Search among 10,000 and 100,000 listings, over HTTP, one request at a time: by words (rare, frequent and misspelled
// ones, filters, sort orders, pages) and by meaning. `node bench/search.mjs 1000000 [vectors per listing]` measures
// another number. Vectors are made up around those of 400 sentences. Goals: 95th percentile of each kind, including the
// database (see `goalsOf`); searching by meaning costs at most 220 MB and half a second at the start; an agent is found
// by meaning within 5 s of its listing. The times are multiplied by the machine's factor.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cardOf } from './lib/card.mjs';
import { median, saveResults } from './lib/compare.mjs';
import { fillCatalog, wordOf } from './lib/fill-catalog.mjs';
import { fillVectors } from './lib/fill-vectors.mjs';
import { machineFactor } from './lib/machine.mjs';
import { startParley } from './lib/parley.mjs';
import { memoryOf } from './lib/peer.mjs';
import { embedTasks, sentenceCount, sentenceOf, timeSentences } from './lib/sentences.mjs';

const [listings, parts = 2] = process.argv.slice(2).map(Number);
const sizes = listings ? [listings] : [10_000, 100_000];
const times = 60;

const factor = machineFactor();
const goalsOf = (size) => ({
  words: 30 * factor,
  meaning: (size <= 10_000 ? 40 : size <= 100_000 ? 80 : 150) * factor,
});

/**
 * Kinds of queries. Each turn uses another word of the vocabulary, so that queries differ. Up to two words that are being
 * typed are compared as words only.
 */
const wordKinds = {
  'rare words': (turn) => `typing=1&q=${wordOf(3_000 + turn)}+${wordOf(40 + turn)}`,
  'a frequent word': (turn) => `typing=1&q=${wordOf(1 + (turn % 5))}`,
  'frequent words': (turn) => `typing=1&q=${wordOf(1 + (turn % 5))}+${wordOf(6 + turn)}`,
  'a word being typed': (turn) => `typing=1&q=${wordOf(100 + turn).slice(0, 3)}`,
  'a misspelled word': (turn) => `typing=1&q=${wordOf(1_000 + turn).slice(0, 6)}zz`,
  'words and filters': (turn) => `typing=1&q=${wordOf(1 + turn)}&tag=t${turn % 7}&health=healthy`,
  'a tag': (turn) => `tag=t${turn % 50}`,
  'a tag by score': (turn) => `tag=t${turn % 50}&sort=best`,
  'the newest': () => 'sort=newest',
  'the best': () => 'sort=best',
  'words by use': (turn) => `q=${wordOf(1 + turn)}&sort=used`,
};

/** Each sentence is used once, because the vectors of queries are cached. */
const sentence = (opening, turn) => `q=${encodeURIComponent(sentenceOf(opening * sentenceCount + turn))}`;
const meaningKinds = {
  'a sentence': (turn) => sentence(0, turn),
  'a sentence and a frequent word': (turn) => `${sentence(1, turn)}+${wordOf(1 + (turn % 5))}`,
  'a sentence and filters': (turn) => `${sentence(2, turn)}&tag=t${turn % 7}&health=healthy`,
  'a sentence with a typo': (turn) => sentence(3, turn).replace('agent', 'agnet'),
};

await measureProcess();
for (const size of sizes) await measureSize(size);

async function measureSize(size) {
  // Probes of this many listings are disabled, so that only the search is measured.
  const parley = await startParley({ env: { PROBE_INTERVAL_SECONDS: '0' } });
  const search = searchOf(parley);
  try {
    // The model becomes active a few seconds after the start.
    while ((await search(sentence(5, 0))).semantic !== 'on') await delay(200);
    await fillCatalog(parley.databaseUrl, size);
    await fillVectors(parley.databaseUrl, { agents: size, parts, sentences: await embedTasks() });
    const goals = goalsOf(size);
    const rows = [];
    for (const [kind, queryOf] of Object.entries(wordKinds))
      rows.push(await measure(search, { kind, queryOf, goal: goals.words }));
    const words = `${wordOf(1)}+${wordOf(2)}`;
    rows.push(
      await measure(search, {
        kind: 'a second page',
        queryOf: await secondPage(search, `typing=1&q=${words}`),
        goal: goals.words,
      }),
    );
    for (const [kind, queryOf] of Object.entries(meaningKinds))
      rows.push(await measure(search, { kind, queryOf, goal: goals.meaning }));
    rows.push(
      await measure(search, {
        kind: 'its second page',
        queryOf: await secondPage(search, sentence(4, 0)),
        goal: goals.meaning,
      }),
    );
    const alone = await timeSentences(times);
    rows.push({ kind: 'the vector of a sentence, alone', found: 0, ...percentilesOf(alone), goal: goals.meaning });
    const vectors = size * parts;
    report(`search in ${size} listings with ${vectors} vectors, ${times} of each kind; milliseconds`, {
      name: `search-${size}`,
      rows,
    });
  } finally {
    await parley.stop();
  }
}

function report(title, { name, rows }) {
  console.log(`\n${title}`);
  console.table(rows);
  saveResults(name, rows);
  for (const { kind, p95, goal } of rows) {
    if (p95 <= goal) continue;
    console.log(`MISSED: ${kind}: ${p95}, goal ${goal}`);
    process.exitCode = 1;
  }
}

async function measure(search, { kind, queryOf, goal }) {
  const durations = [];
  let total = 0;
  const modes = new Set();
  for (let turn = 0; turn < times; turn++) {
    const startedAt = performance.now();
    const page = await search(queryOf(turn));
    durations.push(performance.now() - startedAt);
    total += page.items.length;
    modes.add(page.semantic);
  }
  return { kind, meaning: [...modes].join(), found: Math.round(total / times), ...percentilesOf(durations), goal };
}

function percentilesOf(durations) {
  durations.sort((a, b) => a - b);
  const at = (share) => Number(durations[Math.floor(durations.length * share)].toFixed(1));
  return { p50: at(0.5), p95: at(0.95), max: at(0.999) };
}

async function secondPage(search, query) {
  const { nextCursor } = await search(query);
  return () => `${query}&cursor=${encodeURIComponent(nextCursor)}`;
}

/** Measures the cost that searching by meaning adds to a node, and the time until a new agent is found. */
async function measureProcess() {
  const parley = await startParley({ env: { PROBE_INTERVAL_SECONDS: '0' } });
  try {
    while ((await searchOf(parley)(sentence(5, 0))).semantic !== 'on') await new Promise((go) => setTimeout(go, 200));
    const listed = await measureListing(parley);
    const nodes = { off: [], on: [] };
    for (let round = 0; round < 3; round++) {
      for (const mode of ['off', 'on']) nodes[mode].push(await measureNode(parley, mode));
    }
    const added = (key) => median(nodes.on.map((node) => node[key])) - median(nodes.off.map((node) => node[key]));
    const rows = [
      { kind: 'memory added, MB', p95: Math.round(added('memory') / 1e6), goal: 220 },
      { kind: 'start added, ms', p95: Math.round(added('startMs')), goal: 500 * factor },
      { kind: 'listed until found by meaning, ms', p95: Math.round(listed), goal: 5_000 * factor },
    ];
    report('the process', { name: 'search-process', rows });
  } finally {
    await parley.stop();
  }
}

/** Another node on the same database, after some searches. */
async function measureNode(parley, mode) {
  const startedAt = performance.now();
  const { pid, origin } = await parley.another({ EMBEDDINGS: mode });
  const startMs = performance.now() - startedAt;
  const search = searchOf({ ...parley, origin });
  for (let turn = 0; turn < times; turn++) await search(sentence(0, turn));
  const memory = await memoryOf(pid);
  process.kill(pid);
  return { startMs, memory };
}

async function measureListing(parley) {
  const agent = createServer((_request, response) => {
    const card = cardOf({ name: 'Ledger', port: agent.address().port, streaming: true });
    const skill = { id: 'tax', name: 'Income tax', description: 'Fills in tax returns of freelancers.', tags: ['tax'] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...card, skills: [skill] }));
  });
  await new Promise((resolve) => agent.listen(0, '127.0.0.1', resolve));
  try {
    const { id } = await parley.addApp();
    const url = `http://127.0.0.1:${agent.address().port}`;
    const { slug } = await call(parley, '/api/agents', { url, appId: id });
    const startedAt = performance.now();
    while (!(await isFoundByMeaning(parley, slug))) {
      if (performance.now() - startedAt > 60_000) throw new Error('the agent was not found by meaning within a minute');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return performance.now() - startedAt;
  } finally {
    agent.close();
  }
}

async function isFoundByMeaning(parley, slug) {
  const { items } = await searchOf(parley)('q=declare+what+I+earned+last+year');
  return (items.find((item) => item.slug === slug)?.match?.semantic ?? 0) > 0;
}

function searchOf(parley) {
  return (query) => call(parley, `/api/agents?${query}`);
}

async function call({ origin, accessToken }, path, body) {
  const response = await fetch(origin + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
}
