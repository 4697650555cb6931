// Sixteen hostile agents, called by streams: crashes, half-closed connections, garbage, silence, tasks that never end,
// and TLS failures. DRILL_SILENCE_SECONDS sets the length of silence after which Parley ends a task.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startParley } from '../lib/parley.mjs';
import { call, message } from './lib/calls.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { behaviors } from './lib/hostile-behaviors.mjs';
import { importTypescript } from './lib/import-typescript.mjs';
import { readStream } from './lib/read-stream.mjs';
import { respondAtOnce, sendJson, startScriptedAgent } from './lib/scripted-agent.mjs';
import { until, wait } from './lib/wait.mjs';

const silenceSeconds = Number(process.env.DRILL_SILENCE_SECONDS ?? 5);
/** Five attempts to resume, 10 s, after the silence. */
const endMs = silenceSeconds * 1_000 + 35_000;
const cancelAfterMs = 2_000;
/** Between rounds: each user may send only a few messages per second. */
const pauseMs = 1_000;

const { createLoopbackCertificate } = await importTypescript('support/loopback-certificate');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-certificates-'));
const authority = path.join(folder, 'known.pem');
const known = createLoopbackCertificate(authority);
const unknown = createLoopbackCertificate(path.join(folder, 'unknown.pem'));
const parley = await startParley({
  // One per agent, because the messages of each user are limited.
  people: behaviors.length,
  env: {
    LOG_LEVEL: 'silent',
    PROBE_INTERVAL_SECONDS: '0',
    PROBE_RUN_INTERVAL_SECONDS: '0',
    AGENT_URL_ALLOW: 'http://127.0.0.1:*,https://localhost:*',
    NODE_EXTRA_CA_CERTS: authority,
  },
});
const json = { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' };

async function request(method, path, body) {
  const response = await fetch(`${parley.origin}${path}`, { method, headers: json, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
}

function misbehave({ agent, respond, isAlive, connect }) {
  agent.set((incoming) => {
    if (incoming.rpc.params?.message) return respond(incoming) ?? true;
    if (!isAlive) return undefined;
    const status = { state: incoming.rpc.method === 'tasks/cancel' ? 'canceled' : 'working' };
    const result = { kind: 'task', id: incoming.rpc.params.id, contextId: 'c', status, artifacts: [] };
    sendJson(incoming.response, { jsonrpc: '2.0', id: incoming.rpc.id, result });
    return true;
  });
  if (connect) agent.intercept((socket) => connect(socket, { unknown }));
}

/** Lets the agent respond correctly once, which also keeps its breaker closed. */
async function recover({ agent, target }) {
  agent.set(respondAtOnce);
  agent.intercept();
  const { body } = await call(target, 'message/send', { message: message('go') });
  return body.result?.status.state === 'completed' ? null : `not served afterwards: ${JSON.stringify(body.error)}`;
}

/** Lists an agent with that behavior. */
async function start(behavior, number) {
  const agent = await startScriptedAgent({
    name: `Hostile ${number}`,
    handle: respondAtOnce,
    ...(behavior.tls && { tls: known }),
  });
  const { slug } = await request('POST', '/api/agents', { url: agent.url, appId: parley.app.id });
  const callLimits = { silenceTimeoutSeconds: silenceSeconds, unaryTimeoutSeconds: silenceSeconds };
  await request('PATCH', `/api/agents/${slug}`, { callLimits });
  const token = (await parley.tokens(slug))[number - 1];
  return { ...behavior, agent, target: { origin: parley.origin, slug, token } };
}

/** Calls the agent once. Returns null if the caller received the expected result, otherwise the deviation. */
async function attack({ target, agent, partial, isAlive, codes, connect }) {
  const sent = message('go');
  const cancel = ({ id }) => isAlive && setTimeout(() => void call(target, 'tasks/cancel', { id }), cancelAfterMs);
  const found = await Promise.race([readStream(target, sent, cancel), wait(endMs).then(() => null)]);
  if (!found) return 'the stream did not end';
  const expected = isAlive ? 'canceled' : 'failed';
  const code = found.code ?? found.state;
  const problems = [
    !found.ended && `broke off: ${found.reason}`,
    !found.final && 'no final event',
    partial && found.state !== expected && `state ${found.state}`,
    !found.reason && !isAlive && 'no reason',
    !codes.some((known) => String(code).includes(known)) && `code ${code}: ${found.reason}`,
    partial && found.text !== 'partial' && `text "${found.text}"`,
    partial && !(await isStored(target, found.taskId, expected)) && 'the stored task differs',
    agent.received.filter((id) => id === sent.messageId).length !== (connect ? 0 : 1) &&
      'the message did not arrive once',
  ].filter(Boolean);
  return problems.length === 0 ? null : problems.join(', ');
}

async function isStored(target, id, state) {
  const { body } = await call(target, 'tasks/get', { id });
  const text = body.result?.artifacts?.flatMap(({ parts }) => parts.map((part) => part.text)).join('');
  return body.result?.status.state === state && text === 'partial';
}

/** Fails until the breaker opens, then checks that it lets one call through after its delay. */
async function checkBreaker({ agent, target }, { figure, check }) {
  const send = () => call(target, 'message/send', { message: message('go') });
  let calls = 0;
  const isPaused = async () => {
    calls += 1;
    return /calls to it are paused/.test((await send()).body.error?.message ?? '');
  };
  await until(isPaused, { withinMs: 30_000, what: 'the breaker to open', everyMs: 10 });
  figure('failed calls until the breaker opened', calls - 1);
  const before = agent.received.length;
  await Promise.all(Array.from({ length: 20 }, send));
  check(
    'an open breaker lets no call through',
    agent.received.length === before || `${agent.received.length - before}`,
  );
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  agent.set(async (incoming) => {
    await held;
    return respondAtOnce(incoming);
  });
  const probing = [];
  const probe = () => {
    probing.push(send());
    return agent.received.length > before;
  };
  const waited = await until(probe, { withinMs: 15_000, what: 'a call after the pause', everyMs: 200 });
  for (let at = 0; at < 20; at++) probing.push(send());
  await wait(500);
  const passed = agent.received.length - before;
  figure('pause of the breaker, s', (waited / 1_000).toFixed(1));
  check('a half-open breaker lets one call through', passed === 1 || `${passed} calls`);
  release();
  await Promise.all(probing);
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  check(
    'it closes when the agent responds',
    answers.every(({ body }) => body.result?.status.state === 'completed'),
  );
}

/** Attacks with one agent; returns the deviations and the longest time. */
async function attackRepeatedly(hostile, count) {
  const problems = [];
  let longestMs = 0;
  for (let round = 0; round < count; round++) {
    misbehave(hostile);
    const startedAt = performance.now();
    problems.push(await attack(hostile));
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    problems.push(await recover(hostile));
    await wait(pauseMs);
  }
  return { ...hostile, problems: problems.filter(Boolean), longestMs };
}

await drill('Hostile agents: tasks end with a reason, pieces are kept, streams end', async (report) => {
  const agents = [];
  for (const [at, behavior] of behaviors.entries()) agents.push(await start(behavior, at + 1));
  const total = rounds(4);
  const results = await Promise.all(agents.map((hostile) => attackRepeatedly(hostile, total)));
  for (const { name, problems, longestMs } of results) {
    const statement = `an agent that ${name} (${total}, at most ${(longestMs / 1_000).toFixed(1)} s)`;
    report.check(statement, problems.length === 0 || `${problems.length}: ${problems[0]}`);
  }
  const resetting = agents.find(({ name }) => name === 'resets the connection');
  misbehave(resetting);
  await checkBreaker(resetting, report);
  for (const { agent } of agents) agent.stop();
});
await parley.stop();
rmSync(folder, { recursive: true });
