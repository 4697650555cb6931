// 50 streams of 1,000 numbered pieces: the node that runs them is killed (SIGKILL) midway, and the clients reconnect to
// the other node with `Last-Event-ID`.
import { randomUUID } from 'node:crypto';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { wait } from './lib/wait.mjs';

const streams = 50;
const pieces = 1_000;
const maxGapMs = 3_000;

const agent = await startPeer('numbered-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const parley = await startParley({ people: 10, agentUrl });
const path = `/agents/${parley.slug}/a2a/jsonrpc`;

/** Reads a stream into `client` until it ends or breaks. */
async function read(client, origin, call) {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.token}`,
      'content-type': 'application/json',
      ...(client.last && { 'last-event-id': client.last }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
  });
  if (response.status !== 200) throw new Error(`${origin} responded ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) handleFrame(client, frame);
  }
}

function handleFrame(client, frame) {
  const data = /^data: (.*)$/m.exec(frame)?.[1];
  if (!data) return;
  client.last = /^id: (.*)$/m.exec(frame)?.[1];
  const now = performance.now();
  if (client.receivedAt) client.gap = Math.max(client.gap, now - client.receivedAt);
  client.receivedAt = now;
  const { result } = JSON.parse(data);
  client.id ??= result.id;
  if (result.kind === 'artifact-update') {
    client.text = result.append ? client.text + textOf(result) : textOf(result);
  }
  if (result.final || result.status?.state === 'failed') client.state = result.status.state;
}

function textOf({ artifact }) {
  return artifact.parts.map((part) => part.text).join('');
}

async function follow(client, origins) {
  const message = {
    kind: 'message',
    messageId: randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text: `count ${pieces}` }],
  };
  await read(client, origins[0], { method: 'message/stream', params: { message } }).catch(() => undefined);
  for (let attempt = 0; !client.state && attempt < 200; attempt++) {
    await wait(50);
    await read(client, origins[1], { method: 'tasks/resubscribe', params: { id: client.id } }).catch(() => undefined);
  }
}

const expectedText = Array.from({ length: pieces }, (_, at) => `${at};`).join('');
const sends = async () => (await (await fetch(`${agentUrl}/sends`)).json()).sends;

/** Kills the active node during its streams. */
async function kill(active, other, tokens) {
  const before = await sends();
  const clients = Array.from({ length: streams }, (_, at) => ({ token: tokens[at % tokens.length], text: '', gap: 0 }));
  const following = clients.map((client) => follow(client, [active.origin, other.origin]));
  await wait(1_000 + Math.random() * 1_500);
  process.kill(active.pid, 'SIGKILL');
  await Promise.all(following);
  return {
    gapMs: Math.max(...clients.map((client) => client.gap)),
    wrong: clients.filter(({ text, state }) => text !== expectedText || state !== 'completed').length,
    resent: (await sends()) - before - streams,
  };
}

await drill('A node dies: each stream continues on another, every event once', async ({ figure, check }) => {
  const kills = rounds(20);
  const tokens = await parley.tokens();
  let active = { pid: parley.pid, origin: parley.origin };
  const total = { gapMs: 0, wrong: 0, resent: 0 };
  for (let round = 1; round <= kills; round++) {
    const other = await parley.another();
    const { gapMs, wrong, resent } = await kill(active, other, tokens);
    figure(`kill ${round}`, `longest gap ${(gapMs / 1_000).toFixed(2)} s, ${wrong} wrong, ${resent} sent again`);
    total.gapMs = Math.max(total.gapMs, gapMs);
    total.wrong += wrong;
    total.resent += resent;
    active = other;
  }
  figure('kills', kills);
  figure('streams', kills * streams);
  figure('longest gap, s', (total.gapMs / 1_000).toFixed(2));
  check('every client has each event once and in order', total.wrong === 0 || `${total.wrong} are wrong`);
  check('the agent received each message once', total.resent === 0 || `${total.resent} were sent again`);
  check('no gap exceeds 3 s', total.gapMs <= maxGapMs);
});
for (const { stop } of [parley, agent]) await stop();
