// A mixed load at about half of the capacity for DRILL_MINUTES (60): flapping agents, signing keys rotated every 5 min, one of
// two nodes restarted every 15 min. The other node's memory is measured; with DRILL_SNAPSHOTS=1, it writes a heap snapshot
// after the warm-up and one after the load.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../scripts/processes.mjs';
import { ROOT } from '../../scripts/program.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { startBalancer } from './lib/balancer.mjs';
import { call, message, repeat } from './lib/calls.mjs';
import { drill } from './lib/drill.mjs';
import { findUnstored, startIntrospections, startWrites } from './lib/ledger.mjs';
import { byMinute, reportMemory, sampled, sampleMemory } from './lib/memory.mjs';
import { readStream } from './lib/read-stream.mjs';
import { respondAtOnce, startScriptedAgent } from './lib/scripted-agent.mjs';
import { auditLedger, startStripe, startTopUp } from './lib/stripe.mjs';
import { until, wait } from './lib/wait.mjs';

const minutes = Number(process.env.DRILL_MINUTES ?? 60);
const people = 40;
const writers = 10;
const calibrationMs = 10_000;
const tokenMs = 5 * 60_000;
const rotationMs = Math.min(5, minutes / 3) * 60_000;
const restartMs = Math.min(15, minutes / 3) * 60_000;
const flapMs = 10_000;
const sampleMs = 20_000;
/**
 * Caches fill for the 16 min in which a token can be accepted; the compiler optimizes frequently run code for about
 * half an hour.
 */
const warmUpMs = Math.min(30, minutes * 0.5) * 60_000;
/** A slope over a shorter time is mostly noise. */
const minSlopeMinutes = 60;
const maxSlope = 1;
/** After half an hour the heap still gains about 1 MB/h of machine code and related data. */
const maxHeapSlope = 3;
const maxErrorRate = 0.0001;

const stripe = await startStripe();
const counting = await startPeer('numbered-agent');
const agent = await startScriptedAgent({ name: 'Soak', streaming: false, handle: respondAtOnce });
const flapping = await startScriptedAgent({ name: 'Flapping', streaming: false, handle: respondAtOnce });
const faultsPort = await freePort();
const parley = await startParley({
  people,
  agentUrl: agent.url,
  flags: sampled,
  env: {
    ...stripe.env,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    SHUTDOWN_DELAY_SECONDS: '2',
    FAULTS_PORT: String(faultsPort),
  },
});
const port = await freePort();
const restarted = { PORT: String(port), FAULTS_PORT: String(await freePort()) };
let other = await parley.another(restarted);
const balancer = startBalancer([parley, other]);
const client = new pg.Pool({ connectionString: parley.databaseUrl });
const stops = [];

async function list(url) {
  const response = await fetch(`${parley.origin}/api/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, appId: parley.app.id }),
  });
  return (await response.json()).slug;
}

/** Measures the messages per second of a closed loop by one generator on this machine. */
async function measureCapacity(tokens) {
  let count = 0;
  const send = async (token) => {
    const target = { origin: balancer.pick(), slug: parley.slug, token };
    const { body } = await call(target, 'message/send', { message: message('x') });
    if (body.result) count += 1;
  };
  const loops = tokens.map((token) => repeat(0, () => send(token)));
  await wait(calibrationMs);
  for (const stop of loops) await stop();
  return count / (calibrationMs / 1_000);
}

const basic = `Basic ${Buffer.from(`${parley.app.clientId}:${parley.app.clientSecret}`).toString('base64')}`;
const form = (path, fields) =>
  fetch(`${balancer.pick()}${path}`, {
    method: 'POST',
    headers: { authorization: basic },
    body: new URLSearchParams(fields),
  });

async function issue() {
  const fields = { grant_type: 'client_credentials', resource: `${parley.origin}/agents/${parley.slug}` };
  const response = await form('/api/auth/token', fields);
  return response.ok ? (await response.json()).access_token : null;
}

const revoke = async (token) => (await form('/api/auth/revoke', { token })).status === 200;

const streams = { whole: 0, refused: 0, wrong: [] };
const expectedText = Array.from({ length: 100 }, (_, at) => `${at};`).join('');

/** A stream interrupted by a restart is completed with `tasks/get`, as a client would do. */
async function stream(slug, token) {
  const target = { origin: balancer.pick(), slug, token };
  const found = await readStream(target, message('count 100'));
  // Refused because of a user's limit or a busy node: nothing has started.
  if (/Too many requests/.test(found.reason)) return;
  if (!found.taskId) {
    streams.refused += 1;
    return;
  }
  for (let attempt = 0; found.state !== 'completed' && found.taskId && attempt < 50; attempt++) {
    await wait(200);
    const { body } = await call({ ...target, origin: balancer.pick() }, 'tasks/get', { id: found.taskId });
    found.state = body.result?.status.state;
    found.text = body.result?.artifacts?.flatMap(({ parts }) => parts.map(({ text }) => text)).join('') ?? '';
  }
  if (found.state === 'completed' && found.text === expectedText) streams.whole += 1;
  else streams.wrong.push(`${found.state}: ${found.reason ?? found.text.length}`);
}

const paid = new Map();

async function topUp() {
  const user = (paid.size % people) + 1;
  const { id, redirectUrl } = await startTopUp({ origin: parley.origin, client, user, amount: 1_000 + paid.size });
  await stripe.pay(redirectUrl);
  paid.set(id, 1_000);
  for (const event of stripe.events().slice(-4)) await stripe.deliver(balancer.pick(), event);
}

function reset({ response }) {
  response.socket?.resetAndDestroy();
  return true;
}

function flap() {
  let isDown = false;
  const timer = setInterval(() => {
    isDown = !isDown;
    flapping.set(isDown ? reset : respondAtOnce);
  }, flapMs);
  return () => clearInterval(timer);
}

/** Runs a program of `scripts/` with the environment variables of the nodes. */
const run = (...args) => promisify(execFile)(process.execPath, args, { cwd: ROOT, env: parley.variables });

let restarts = 0;

/** As in a deployment: the node leaves the load balancer, finishes its work, and is replaced by a new one. */
async function restart() {
  await other.stop();
  other = await parley.another(restarted);
  restarts += 1;
}

function every(ms, work, failures) {
  const timer = setInterval(
    () =>
      Promise.resolve()
        .then(work)
        .catch((error) => failures.push(String(error))),
    ms,
  );
  stops.push(() => clearInterval(timer));
}

const verifyAudit = () =>
  run('scripts/cli/main.mjs', 'audit').then(
    () => null,
    (error) => String(error).slice(0, 300),
  );

async function writeSnapshot() {
  if (process.env.DRILL_SNAPSHOTS) await fetch(`http://127.0.0.1:${faultsPort}/snapshot`);
}

/** Starts the load and the events; returns their counters. */
async function startLoad(capacity) {
  const slugs = { flapping: await list(flapping.url), counting: await list(`http://127.0.0.1:${counting.info.port}`) };
  const tokens = await parley.tokens();
  const others = { flapping: await parley.tokens(slugs.flapping), counting: await parley.tokens(slugs.counting) };
  const pauseMs = Math.max(20, (writers / (capacity / 2)) * 1_000);
  const writes = startWrites({ ...parley, origins: balancer.origins, tokens, writers, pauseMs });
  const { app } = parley;
  const introspections = startIntrospections({
    origins: balancer.origins,
    app,
    good: tokens,
    issue,
    revoke,
    inactiveMs: 3_000,
  });
  const failures = [];
  const anyone = () => Math.floor(Math.random() * people);
  const disturb = () => {
    const target = { origin: balancer.pick(), slug: slugs.flapping, token: others.flapping[anyone()] };
    return call(target, 'message/send', { message: message('x') });
  };
  const search = async () => (await fetch(`${balancer.pick()}/api/agents?limit=5&q=count${anyone()}`)).text();
  stops.push(writes.stop, introspections.stop, flap());
  stops.push(repeat(200, () => stream(slugs.counting, others.counting[anyone()])));
  stops.push(repeat(100, disturb), repeat(200, search));
  every(5_000, topUp, failures);
  every(rotationMs, () => run('scripts/keys.mjs', 'rotate', 'token'), failures);
  every(restartMs, restart, failures);
  const renewAll = async () => {
    tokens.splice(0, people, ...(await parley.tokens()));
    for (const name of ['flapping', 'counting']) others[name] = await parley.tokens(slugs[name]);
    return true;
  };
  // A busy node may refuse some of these simultaneous requests.
  const renew = () => until(renewAll, { withinMs: tokenMs, what: 'new tokens', everyMs: 1_000 });
  every(tokenMs, renew, failures);
  return { ledger: writes.ledger, answers: introspections.answers, failures };
}

function countFailed({ ledger, answers }) {
  const unexpected = [...ledger.unexpected.values()].reduce((sum, count) => sum + count, 0);
  return {
    failed: ledger.unserved + answers.unserved + streams.refused + unexpected,
    requests: ledger.attempts + answers.right + answers.unserved + answers.wrong.length,
  };
}

const guarantee = `${minutes} minutes of mixed load with flapping agents, new keys and deployments`;
await drill(guarantee, async ({ figure, check }) => {
  const capacity = await measureCapacity(await parley.tokens());
  figure('capacity of one generator, messages/s', capacity.toFixed(0));
  const { ledger, answers, failures } = await startLoad(capacity);
  const warmUp = await sampleFor(warmUpMs);
  await writeSnapshot();
  const samples = await sampleFor(minutes * 60_000 - warmUpMs);
  for (const stop of stops) await stop();
  await wait(5_000);
  await writeSnapshot();
  const { failed, requests } = countFailed({ ledger, answers });
  const lost = await findUnstored(ledger, client);
  const counts = [ledger.sent.size, ledger.created.length, answers.right, streams.whole, paid.size];
  figure('messages, apps, introspections, streams, payments', counts.join(', '));
  figure('deployments', restarts);
  figure('requests that failed', `${failed} of ${requests}; ${ledger.limited + answers.limited} were limited`);
  for (const [text, count] of ledger.unexpected) figure('unexpected', `${count} × ${text}`);
  figure('heap at each minute of the warm-up, MB', byMinute(warmUp));
  const slopes = reportMemory(samples, figure);
  check('no acknowledged write is lost', lost.length === 0 || `${lost.length}: ${lost[0]}`);
  check('every stream is whole', streams.wrong.length === 0 || `${streams.wrong.length}: ${streams.wrong[0]}`);
  check('no introspection was wrong', answers.wrong.length === 0 || `${answers.wrong.length}: ${answers.wrong[0]}`);
  check('each payment is posted once, and the ledger adds up to zero', await auditLedger(client, paid));
  check('the chain of the audit log is whole', await verifyAudit());
  check('at most 0.01 % of the requests failed', failed / requests <= maxErrorRate || `${failed} of ${requests}`);
  check('payments, rotations and deployments succeeded', failures.length === 0 || `${failures.length}: ${failures[0]}`);
  if (minutes < minSlopeMinutes) return;
  check('resident memory grows by less than 1 MB/h', slopes.rss < maxSlope || slopes.rss.toFixed(2));
  check('the heap grows by less than 3 MB/h', slopes.heap < maxHeapSlope || slopes.heap.toFixed(2));
});
balancer.stop();
await client.end();
for (const { stop } of [parley, agent, flapping, counting, stripe]) await stop();

async function sampleFor(ms) {
  const startedAt = performance.now();
  const samples = [];
  while (performance.now() - startedAt < ms) {
    await wait(sampleMs);
    samples.push({ ms: performance.now() - startedAt, ...(await sampleMemory(faultsPort)) });
  }
  return samples;
}
