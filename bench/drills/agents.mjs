// Twelve hostile agents, called by streams: crashes, half-closed connections, garbage, silence, tasks that never end.
import { startParley } from '../lib/parley.mjs';
import { call, message } from './lib/calls.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { behaviors } from './lib/hostile-behaviors.mjs';
import { readStream } from './lib/read-stream.mjs';
import { respondAtOnce, sendJson, startScriptedAgent } from './lib/scripted-agent.mjs';
import { until, wait } from './lib/wait.mjs';

const silenceSeconds = 5;
/** Five attempts to resume, 10 s, after the silence. */
const endMs = 40_000;
const cancelAfterMs = 2_000;

const parley = await startParley({
  env: { LOG_LEVEL: 'silent', PROBE_INTERVAL_SECONDS: '0', PROBE_RUN_INTERVAL_SECONDS: '0' },
});
const json = { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' };

async function request(method, path, body) {
  const response = await fetch(`${parley.origin}${path}`, { method, headers: json, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Lists an agent with that behavior. */
async function start(behavior, number) {
  const agent = await startScriptedAgent({
    name: `Hostile ${number}`,
    handle: (incoming) => {
      if (incoming.rpc.params?.message) return behavior.respond(incoming) ?? true;
      if (!behavior.isAlive) return undefined;
      const status = { state: incoming.rpc.method === 'tasks/cancel' ? 'canceled' : 'working' };
      const result = { kind: 'task', id: incoming.rpc.params.id, contextId: 'c', status, artifacts: [] };
      sendJson(incoming.response, { jsonrpc: '2.0', id: incoming.rpc.id, result });
      return true;
    },
  });
  const { slug } = await request('POST', '/api/agents', { url: agent.url, appId: parley.app.id });
  const callLimits = { silenceTimeoutSeconds: silenceSeconds, unaryTimeoutSeconds: silenceSeconds };
  await request('PATCH', `/api/agents/${slug}`, { callLimits });
  const [token] = await parley.tokens(slug);
  return { ...behavior, agent, target: { origin: parley.origin, slug, token } };
}

/** Calls the agent once; null when the caller got what it should, else what is wrong. */
async function attack({ target, agent, partial, isAlive, codes }) {
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
    agent.received.filter((id) => id === sent.messageId).length !== 1 && 'the message did not arrive once',
  ].filter(Boolean);
  return problems.length === 0 ? null : problems.join(', ');
}

async function isStored(target, id, state) {
  const { body } = await call(target, 'tasks/get', { id });
  const text = body.result?.artifacts?.flatMap(({ parts }) => parts.map((part) => part.text)).join('');
  return body.result?.status.state === state && text === 'partial';
}

/** Fails until the breaker opens, then checks that it lets one call through after its pause. */
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

await drill('Hostile agents: tasks end with a reason, pieces are kept, streams end', async (report) => {
  const agents = [];
  for (const [at, behavior] of behaviors.entries()) agents.push(await start(behavior, at + 1));
  const total = rounds(4);
  for (const hostile of agents) {
    const found = new Map();
    let longest = 0;
    for (let round = 0; round < total; round++) {
      const startedAt = performance.now();
      const problem = await attack(hostile);
      longest = Math.max(longest, performance.now() - startedAt);
      if (problem) found.set(problem, (found.get(problem) ?? 0) + 1);
    }
    const text = [...found].map(([problem, count]) => `${count} × ${problem}`).join('; ');
    report.check(`an agent that ${hostile.name} (${total}, at most ${(longest / 1_000).toFixed(1)} s)`, text || null);
  }
  await checkBreaker(
    agents.find(({ name }) => name === 'resets the connection'),
    report,
  );
  for (const { agent } of agents) agent.stop();
});
await parley.stop();
