// Failover of agents that connect: 20 streams of 1,000 numbered pieces through one worker, whose node is killed (SIGKILL)
// midway. The readers are at another node, to which the worker then connects.
import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { startParley } from '../lib/parley.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { until, wait } from './lib/wait.mjs';

const streams = 20;
const pieces = 1_000;
const pauseMs = 3;
const maxGapMs = 3_000;
const slug = 'counting';

const parley = await startParley({ people: streams });
// Built by startParley.
const { connect } = await import('@parley/agent/serve');
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

/** Kills the worker's node during its streams, which are read at the other node. */
async function kill(active, other, tokens) {
  const reading = tokens.map((caller) => read(other.origin, caller));
  await wait(1_000 + Math.random() * 1_500);
  const { pid } = active;
  Object.assign(active, other);
  process.kill(pid, 'SIGKILL');
  const answers = await Promise.all(reading);
  return {
    gapMs: Math.max(...answers.map((answer) => answer.gap)),
    wrong: answers.filter(({ text, state }) => text !== expectedText || state !== 'TASK_STATE_COMPLETED').length,
  };
}

await drill('The node of a connected agent dies: its runs continue, every event once', async ({ figure, check }) => {
  const kills = rounds(20);
  let starts = 0;
  const active = { pid: parley.pid, origin: parley.origin };
  const worker = await connect({
    url: parley.origin,
    agent: slug,
    token: await listAgent(),
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
  await until(() => worker.state === 'online', { withinMs: 30_000, what: 'the worker' });
  const tokens = await parley.tokens(slug);
  const total = { gapMs: 0, wrong: 0 };
  for (let round = 1; round <= kills; round++) {
    const { gapMs, wrong } = await kill(active, await parley.another(), tokens);
    figure(`kill ${round}`, `longest gap ${(gapMs / 1_000).toFixed(2)} s, ${wrong} wrong`);
    total.gapMs = Math.max(total.gapMs, gapMs);
    total.wrong += wrong;
  }
  await worker.drain({ timeoutMs: 0 });
  const again = starts - kills * streams;
  figure('kills', kills);
  figure('streams', kills * streams);
  figure('longest gap, s', (total.gapMs / 1_000).toFixed(2));
  check('every reader has each piece once and in order', total.wrong === 0 || `${total.wrong} are wrong`);
  check('each handler started once', again === 0 || `${again} started again`);
  check('no gap exceeds 3 s', total.gapMs <= maxGapMs);
});
await parley.stop();
