// More than 100 clients open streams of an agent that sends a large volume, and stop reading. Other clients read slowly
// or immediately.
import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { sampled, sampleMemory } from './lib/memory.mjs';
import { openReader, readSlowly, streamOf, watchGaps } from './lib/stream-readers.mjs';
import { percentile } from './lib/timed.mjs';
import { until, wait } from './lib/wait.mjs';

/** Each user has the maximum number of streams: one reads, the others stall. */
const stallingPeople = 6;
const streamsEach = 20;
const goodPeople = 10;
/** 6 MB: more than the system buffers between two sockets. */
const pieces = 96;
const watchMs = 10_000;
const maxFloodMs = 120_000;
const maxStalledMs = 80_000;

const agent = await startPeer('flood-agent');
const faultsPort = await freePort();
const metricsPort = await freePort();
const parley = await startParley({
  people: stallingPeople + goodPeople + 1,
  agentUrl: `http://127.0.0.1:${agent.info.port}`,
  flags: sampled,
  env: { FAULTS_PORT: String(faultsPort), METRICS_PORT: String(metricsPort) },
});
const tokens = await parley.tokens();
const stalling = tokens.slice(0, stallingPeople);
const good = tokens.slice(stallingPeople, -1);
const target = { origin: parley.origin, path: `/agents/${parley.slug}/a2a/jsonrpc` };

/**
 * Opens streams of one large task: the first sends the message and reads everything, the others subscribe to its task.
 */
async function openStreams(token, onOpen) {
  let text = '';
  let id;
  const first = { isWhole: false };
  const onData = (chunk) => {
    text = id ? chunk : text + chunk;
    id ??= /"kind":"task","id":"([^"]+)"/.exec(text)?.[1] ?? /"taskId":"([^"]+)"/.exec(text)?.[1];
    first.isWhole ||= chunk.includes('"final":true');
  };
  openReader({ ...target, token }, streamOf(`flood ${pieces}`), { onData });
  await until(() => id, { withinMs: 60_000, what: 'the id of the task', everyMs: 5 });
  const call = { method: 'tasks/resubscribe', params: { id } };
  const readers = Array.from({ length: streamsEach - 1 }, () => openReader({ ...target, token }, call));
  readers.forEach(onOpen);
  const statuses = await Promise.all(readers.map(({ status }) => status));
  if (statuses.some((status) => status !== 200)) throw new Error(`the streams got ${statuses}`);
  return { first, readers };
}

/** Opens all streams, makes the agent send, and waits until the reading ones have received everything. */
async function openAll(onOpen) {
  const opened = await Promise.all(stalling.map((token) => openStreams(token, onOpen)));
  openReader({ ...target, token: good[0] }, streamOf('start'));
  const isSent = () => opened.every(({ first }) => first.isWhole);
  await until(isSent, { withinMs: maxFloodMs, what: 'the whole streams' });
  return opened.flatMap(({ readers }) => readers);
}

/** Returns the number of further streams of this user, out of `count`, that are accepted. */
async function acceptedOf(token, count) {
  const readers = Array.from({ length: count }, () => openReader({ ...target, token }, streamOf('pace 1000')));
  const statuses = await Promise.all(readers.map(({ status }) => status));
  for (const { close } of readers) close();
  return statuses.filter((status) => status === 200).length;
}

/** Returns the number of clients that the node has disconnected because they did not read. */
async function countCut() {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^http_server_stalled_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? 0);
}

/** Measures the gaps of the reading streams until the others have been sent everything, and afterwards. */
async function watch(open) {
  const gaps = watchGaps({ ...target, tokens: good }, 500);
  const readers = await open();
  await wait(watchMs);
  return { readers, ...gaps.stop() };
}

async function inject(report) {
  const control = await watch(() => openAll(() => undefined));
  await Promise.all(control.readers.map(({ closed, close }) => Promise.race([closed, wait(watchMs).then(close)])));
  await wait(5_000);
  const before = await sampleMemory(faultsPort);
  const slow = openReader({ ...target, token: tokens.at(-1) }, streamOf(`flood ${pieces}`));
  readSlowly(slow);
  const stalled = await watch(() => openAll(({ socket, status }) => status.then(() => socket.pause())));
  const during = await sampleMemory(faultsPort);
  const cut = { early: await countCut(), openBefore: await acceptedOf(stalling[0], 2) };
  const isCut = async () => (await countCut()) >= stalled.readers.length;
  const startedAt = performance.now() - watchMs;
  const limits = { withinMs: maxStalledMs, what: 'the cut of all stalled streams', everyMs: 500 };
  await until(isCut, limits).catch((error) => report.figure('not cut in time', error.message));
  cut.late = stalled.readers.length - (await countCut());
  cut.seconds = (performance.now() - startedAt) / 1_000;
  cut.openAfter = await acceptedOf(stalling[0], streamsEach);
  const slowOne = { isOpen: !slow.isClosed(), bytes: slow.received() };
  slow.close();
  await wait(2_000);
  const after = await sampleMemory(faultsPort);
  describe({ control, stalled, cut, slowOne, before, during, after }, report);
}

function describe({ control, stalled, cut, slowOne, before, during, after }, { figure, check }) {
  const count = stalled.readers.length;
  const of = (name) => [before, during, after].map((sample) => sample[name].toFixed(1));
  const line = ([first, second, third]) => `${first} before, ${second} during, ${third} after`;
  figure('resident memory, MB', line(of('rss')));
  figure('heap, MB', line(of('heap')));
  figure('resident memory per stalled stream, MB', ((during.rss - before.rss) / count).toFixed(2));
  figure('until all are cut, s', `${cut.seconds.toFixed(1)} after the last event`);
  figure('stalled streams', count);
  const p99 = { stalled: percentile(stalled.gaps, 0.99), read: percentile(control.gaps, 0.99) };
  figure('gaps of good streams, p99 ms', `${p99.stalled} beside stalled readers, ${p99.read} beside as many that read`);
  figure('the slow reader received, MB', (slowOne.bytes / 1_048_576).toFixed(2));
  check('a stalled stream holds at most 1 MB', during.rss - before.rss <= count);
  check('none is cut before, and each keeps its slot', cut.early === 0 && cut.openBefore === 1);
  check('each is cut', cut.late === 0 || `${cut.late} are not`);
  check('the slots of those that are cut are free', cut.openAfter === streamsEach || `${cut.openAfter} are`);
  check('a slow reader is not cut', slowOne.isOpen);
  check('good streams are not delayed', p99.stalled <= p99.read * 1.5 + 10);
  const broken = control.broken + stalled.broken;
  check('and none of them breaks', broken === 0 || `${broken} broke`);
}

await drill('Readers that stall are cut, hold little memory and delay no other stream', async (report) => {
  for (let round = 1; round <= rounds(1); round++) await inject(report);
});
for (const { stop } of [parley, agent]) await stop();
