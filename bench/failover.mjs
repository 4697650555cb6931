// What clients see when the node that carries their streams is killed (SIGKILL): 50 streams of 1,000 numbered pieces, one of
// two nodes killed in the middle, clients that come back to the other with `Last-Event-ID`. Twenty rounds.
// Goal: every client has each piece once and in order, the agent got each message once, and nobody waits longer than 3 s.
import { randomUUID } from 'node:crypto';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const rounds = 20;
const streams = 50;
const pieces = 1_000;
const longestGapMs = 3_000;

const agent = await startPeer('numbered-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const parley = await startParley({ people: 10, agentUrl });
const path = `/agents/${parley.slug}/a2a/jsonrpc`;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
  if (response.status !== 200) throw new Error(`${origin} answered ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) take(client, frame);
  }
}

function take(client, frame) {
  const data = /^data: (.*)$/m.exec(frame)?.[1];
  if (!data) return;
  client.last = /^id: (.*)$/m.exec(frame)?.[1];
  const now = performance.now();
  if (client.heardAt) client.gap = Math.max(client.gap, now - client.heardAt);
  client.heardAt = now;
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

const whole = Array.from({ length: pieces }, (_, at) => `${at};`).join('');
const sends = async () => (await (await fetch(`${agentUrl}/sends`)).json()).sends;

try {
  const tokens = await parley.tokens();
  let carrier = { pid: parley.pid, origin: parley.origin };
  let worst = 0;
  let wrong = 0;
  let sent = 0;
  for (let round = 0; round < rounds; round++) {
    const other = await parley.another();
    const before = await sends();
    const clients = Array.from({ length: streams }, (_, at) => ({
      token: tokens[at % tokens.length],
      text: '',
      gap: 0,
    }));
    const following = clients.map((client) => follow(client, [carrier.origin, other.origin]));
    await wait(1_000 + Math.random() * 1_500);
    process.kill(carrier.pid, 'SIGKILL');
    await Promise.all(following);
    const gap = Math.max(...clients.map((client) => client.gap));
    const bad = clients.filter(({ text, state }) => text !== whole || state !== 'completed').length;
    const more = (await sends()) - before - streams;
    console.log(
      `round ${round + 1}: longest gap ${(gap / 1000).toFixed(2)} s, ${bad} of ${streams} wrong, ${more} sent again`,
    );
    worst = Math.max(worst, gap);
    wrong += bad;
    sent += more;
    carrier = other;
  }
  console.log(
    `failover: ${rounds} kills, ${rounds * streams} streams, ${wrong} wrong, ${sent} sent again, longest gap ${(worst / 1000).toFixed(2)} s; goal <= 3`,
  );
  process.exitCode = wrong === 0 && sent === 0 && worst <= longestGapMs ? 0 : 1;
} finally {
  for (const { stop } of [parley, agent]) await stop();
}
