// Failover of agents that connect: 20 streams of 1,000 numbered pieces through one worker, whose node is killed (SIGKILL)
// midway. The readers are at another node, to which the worker then connects. Twenty rounds.
// Goal: every reader gets each piece once and in order, each handler starts once, and no gap exceeds 3 s.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/agent/serve';
import WebSocket from 'ws';
import { startParley } from './lib/parley.mjs';

const rounds = 20;
const streams = 20;
const pieces = 1_000;
const pauseMs = 3;
const maxGapMs = 3_000;
const slug = 'counting';

const parley = await startParley({ people: streams });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const expectedText = Array.from({ length: pieces }, (_, at) => `${at};`).join('');

async function post(path, body, headers) {
  const response = await fetch(`${parley.origin}${path}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Lists an agent without an address; returns a token to serve it. */
async function listAgent() {
  const { clientId, clientSecret, id: appId } = parley.app;
  const json = { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' };
  await post('/api/agents', JSON.stringify({ hub: true, slug, appId }), json);
  const form = {
    grant_type: 'client_credentials',
    scope: 'agent:serve',
    resource: `${parley.origin}/agents/${slug}/hub`,
  };
  const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
  return (await post('/api/auth/token', new URLSearchParams(form), basic)).access_token;
}

/** Reads one answer at `origin` to its end: its text, its last state, and the longest time between two pieces. */
async function read(origin, token) {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'count' }] };
  const response = await fetch(`${origin}/agents/${slug}/a2a/jsonrpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
  });
  if (response.status !== 200) throw new Error(`${origin} responded ${response.status}`);
  const decoder = new TextDecoder();
  const answer = { text: '', state: '', gap: 0 };
  let rest = '';
  let last = 0;
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (!data) continue;
      const { artifactUpdate, statusUpdate } = JSON.parse(data).result;
      if (statusUpdate) answer.state = statusUpdate.status.state;
      if (!artifactUpdate) continue;
      answer.text += artifactUpdate.artifact.parts.map(({ text }) => text).join('');
      const now = performance.now();
      if (last > 0) answer.gap = Math.max(answer.gap, now - last);
      last = now;
    }
  }
  return answer;
}

try {
  let starts = 0;
  let active = { pid: parley.pid, origin: parley.origin };
  const token = await listAgent();
  const worker = await connect({
    url: parley.origin,
    agent: slug,
    token,
    capacity: streams,
    async *handle() {
      starts += 1;
      for (let at = 0; at < pieces; at++) {
        yield `${at};`;
        await wait(pauseMs);
      }
    },
    // As behind a load balancer.
    WebSocket: class extends WebSocket {
      constructor(_url, protocols) {
        super(`${active.origin.replace('http', 'ws')}/ws/agents`, protocols);
      }
    },
  });
  while (worker.state !== 'online') await wait(50);
  const tokens = await parley.tokens(slug);
  let worst = 0;
  let wrong = 0;
  for (let round = 0; round < rounds; round++) {
    const other = await parley.another();
    const reading = tokens.map((caller) => read(other.origin, caller));
    await wait(1_000 + Math.random() * 1_500);
    const { pid } = active;
    active = other;
    process.kill(pid, 'SIGKILL');
    const answers = await Promise.all(reading);
    const gap = Math.max(...answers.map((answer) => answer.gap));
    const failed = answers.filter(
      ({ text, state }) => text !== expectedText || state !== 'TASK_STATE_COMPLETED',
    ).length;
    console.log(`round ${round + 1}: longest gap ${(gap / 1000).toFixed(2)} s, ${failed} of ${streams} wrong`);
    worst = Math.max(worst, gap);
    wrong += failed;
  }
  const again = starts - rounds * streams;
  console.log(
    `hub kills: ${rounds} kills, ${rounds * streams} streams, ${wrong} wrong, ${again} started again, longest gap ${(worst / 1000).toFixed(2)} s; goal <= 3`,
  );
  process.exitCode = wrong === 0 && again === 0 && worst <= maxGapMs ? 0 : 1;
  await worker.drain({ timeoutMs: 0 });
} finally {
  await parley.stop();
}
