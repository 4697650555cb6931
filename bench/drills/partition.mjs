// Partitions: a proxy delivers nothing, not even the end of a connection, until they heal. One node (the far node)
// loses in turn a connected agent, NATS and the database, while another node keeps them. Streams that the far node runs
// are read on the other.
import { spawn } from 'node:child_process';
import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { queryOnce } from './lib/cluster.mjs';
import { connectWorker, listConnectedAgent, readAnswer } from './lib/connected-agent.mjs';
import { drill, skipUnless } from './lib/drill.mjs';
import { followStream } from './lib/numbered-streams.mjs';
import { isInstalled } from './lib/processes.mjs';
import { startProxy } from './lib/tcp-proxy.mjs';
import { until, wait } from './lib/wait.mjs';

const seconds = Number(process.env.DRILL_SECONDS ?? 60);
const streams = 10;
/** Interval at which the connected agent sends a piece, until after the partition. */
const pauseMs = 100;
const agentPieces = ((seconds + 15) * 1_000) / pauseMs;
/** The other agent sends one every 4 ms. */
const pieces = 2_000;
/** A connection without a frame for 45 s is dead. */
const offlineWithinMs = 50_000;
/** Time after which a server's TCP keepalive ends the session of a node that is gone. */
const keepaliveMs = 3_000;
const slug = 'counting';

skipUnless(isInstalled('nats-server'), 'NATS is not installed (Debian: apt-get install nats-server)');
const natsPort = String(await freePort());
const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', natsPort], { stdio: 'ignore' });
const agent = await startPeer('numbered-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const env = { NOTICES_URL: `nats://127.0.0.1:${natsPort}`, EMBEDDINGS: 'off' };
const near = await startParley({ people: streams, agentUrl, env });
const [toWorker, toNats, toDatabase] = await Promise.all([startProxy(), startProxy(), startProxy()]);
toNats.moveTo(Number(natsPort));
const far = await near.another({
  DATABASE_URL: toDatabase.urlOf(near.databaseUrl),
  NOTICES_URL: `nats://127.0.0.1:${toNats.port}`,
});
toWorker.moveTo(Number(new URL(far.origin).port));

const inSeconds = (ms) => (ms / 1_000).toFixed(1);
const sends = async () => (await (await fetch(`${agentUrl}/sends`)).json()).sends;
const textOf = (count) => Array.from({ length: count }, (_, at) => `${at};`).join('');

async function isReady({ origin }) {
  const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3_000) });
  return response.status === 200;
}

async function isOnline() {
  const response = await fetch(`${near.origin}/api/agents/${slug}`);
  return (await response.json()).presence.online;
}

async function carrierOf({ origin }) {
  return (await (await fetch(`${origin}/readyz`)).json()).notices?.over;
}

/** Starts streams on one node and reads them on the other. */
function readAcross(from, to, tokens) {
  const path = `/agents/${near.slug}/a2a/jsonrpc`;
  return tokens.map((token) => {
    let connections = 0;
    const pick = () => (connections++ === 0 ? from : to).origin;
    return followStream({ pick, path, token, pieces, leaves: true });
  });
}

/** Counts the times at which the node was not ready. */
function watch(node) {
  let failures = 0;
  const look = async () => {
    if (!(await isReady(node).catch(() => false))) failures += 1;
  };
  const timer = setInterval(look, 500);
  return () => {
    clearInterval(timer);
    return failures;
  };
}

async function loseAgent({ figure, check }) {
  let starts = 0;
  const worker = await connectWorker(near, {
    agent: slug,
    token: await listConnectedAgent(near, slug),
    capacity: streams,
    pick: () => `http://127.0.0.1:${toWorker.port}`,
    host: new URL(far.origin).host,
    async *handle() {
      starts += 1;
      for (let at = 0; at < agentPieces; at++) {
        yield `${at};`;
        await wait(pauseMs);
      }
    },
  });
  await until(() => worker.state === 'online', { withinMs: 30_000, what: 'the agent' });
  const tokens = await near.tokens(slug);
  const reading = tokens.map((token) => readAnswer(near.origin, { slug, token }));
  await until(() => starts === streams, { withinMs: 30_000, what: 'all turns to start' });
  toWorker.swallow();
  const startedAt = performance.now();
  const detected = await Promise.race([
    until(async () => !(await isOnline()), { withinMs: offlineWithinMs, what: 'the agent to be offline' }).catch(
      () => null,
    ),
    wait(seconds * 1_000).then(() => null),
  ]);
  await wait(Math.max(0, seconds * 1_000 - (performance.now() - startedAt)));
  toWorker.restore();
  const backMs = await until(async () => worker.state === 'online' && (await isOnline()), {
    withinMs: 60_000,
    what: 'the agent to be back',
  });
  const answers = await Promise.all(reading);
  const [{ count }] = await queryOnce(
    near.databaseUrl,
    'SELECT count(*)::int AS count FROM hub_worker WHERE left_at IS NULL',
  );
  await worker.drain({ timeoutMs: 0 });
  const whole = answers.filter(({ text, state }) => state === 'TASK_STATE_COMPLETED' && text === textOf(agentPieces));
  const failed = answers.filter(
    ({ text, state, reason }) => state === 'TASK_STATE_FAILED' && reason && textOf(agentPieces).startsWith(text),
  );
  figure(`agent cut off for ${seconds} s`, `${whole.length} turns continued, ${failed.length} failed with a reason`);
  if (failed[0]) figure('reason', failed[0].reason);
  figure('shown offline after, s', detected === null ? 'not within the partition' : inSeconds(detected));
  figure('back after, s', inSeconds(backMs));
  figure('longest gap of a reader, s', inSeconds(Math.max(...answers.map(({ gapMs }) => gapMs))));
  const wrong = streams - whole.length - failed.length;
  check('each turn continues, every event once, or fails with a reason', wrong === 0 || `${wrong} do neither`);
  check('each turn started once', starts === streams || `${starts} starts`);
  check('a silent agent is shown offline within 50 s', seconds * 1_000 < offlineWithinMs || detected !== null);
  check('one registration is left', count === 1 || `${count} are`);
}

async function loseNats({ figure, check }, tokens) {
  await until(async () => (await carrierOf(near)) === 'nats' && (await carrierOf(far)) === 'nats', {
    withinMs: 30_000,
    what: 'NATS',
  });
  const read = () => [...readAcross(far, near, tokens), ...readAcross(near, far, tokens)];
  const gapOf = (clients) => Math.max(...clients.map((client) => client.gapMs));
  const calmMs = gapOf(await Promise.all(read()));
  const reading = read();
  await wait(1_500);
  toNats.swallow();
  const switchedMs = await until(async () => (await carrierOf(near)) === 'postgresql', {
    withinMs: 10_000,
    what: 'PostgreSQL to carry the notifications',
  });
  const clients = await Promise.all(reading);
  toNats.restore();
  const backMs = await until(async () => (await carrierOf(near)) === 'nats', { withinMs: 30_000, what: 'NATS' });
  const wrong = clients.filter(({ isExact }) => !isExact).length;
  const gapMs = gapOf(clients);
  figure(
    'node cut off from NATS',
    `PostgreSQL carries after ${inSeconds(switchedMs)} s, NATS ${inSeconds(backMs)} s after it heals`,
  );
  figure('longest gap of a reader, s', `${inSeconds(gapMs)}, without a fault ${inSeconds(calmMs)}`);
  check('without NATS: every reader has each event once', wrong === 0 || `${wrong} do not`);
  const lateMs = gapMs - calmMs;
  check('without NATS: no event is more than 1.5 s late', lateMs <= 1_500 || `${inSeconds(lateMs)} s`);
}

async function loseDatabase({ figure, check }, tokens) {
  const before = await sends();
  const reading = readAcross(far, near, tokens);
  await wait(1_500);
  const stopWatching = watch(near);
  toDatabase.swallow(keepaliveMs);
  const noticedMs = await until(async () => !(await isReady(far)), { withinMs: 20_000, what: 'the node to notice' });
  const clients = await Promise.all(reading);
  await wait(5_000);
  toDatabase.restore();
  const backMs = await until(() => isReady(far), { withinMs: 30_000, what: 'the node to be ready' });
  const failures = stopWatching();
  // The node serves again, including the streams that the other node runs.
  const after = await Promise.all(readAcross(near, far, tokens));
  const wrong = [...clients, ...after].filter(({ isExact }) => !isExact).length;
  const resent = (await sends()) - before - 2 * tokens.length;
  figure(
    'node cut off from PostgreSQL',
    `not ready after ${inSeconds(noticedMs)} s, ready ${inSeconds(backMs)} s after it heals`,
  );
  figure('longest gap of a reader, s', inSeconds(Math.max(...clients.map((client) => client.gapMs))));
  check('without its database: every reader has each event once', wrong === 0 || `${wrong} do not`);
  check('without its database: the agent received each message once', resent === 0 || `${resent} were sent again`);
  check('the other node stays ready', failures === 0 || `${failures} times not`);
}

await drill('Partitions: turns continue, every event once, and nothing silent is shown as online', async (report) => {
  const tokens = await near.tokens();
  await loseNats(report, tokens);
  await loseDatabase(report, tokens);
  await loseAgent(report);
});
nats.kill('SIGKILL');
for (const { stop } of [near, agent, toWorker, toNats, toDatabase]) await stop();
