// What one message and its answer cost on the whole path, the task on disk: Parley against a bare proxy and against Portkey's
// gateway, which keeps nothing. Goals: at most 3.5 times the bare proxy's CPU, at least 3.5 times Portkey's requests a second.
// Over so many connections that both are busy: Portkey is so over any number, and Parley, whose messages wait for two commits each,
// over a hundred. Another number may be given behind the file's name; Parley is best over 96, Portkey over 32.
// Beside them the least that a program does which keeps as much and nothing else: what of the distance is the disk's.
import { compare } from './lib/compare.mjs';
import { load } from './lib/load.mjs';
import { messageTo, text } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

/** Each may send ten messages a second, and a hundred at once. */
const people = 200;
const count = 8_000;
const connections = Number(process.argv[2] ?? 96);
const wanted = 3.5;
/** Rounds until the compiler is done. */
const warmUps = 4;

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const proxy = await startPeer('bare-pipe', [String(agent.info.port)]);
const portkey = await startPeer('portkey');
const parley = await startParley({ people, agentUrl });
const keeper = await startPeer('bare-keeper', [String(agent.info.port), parley.databaseUrl]);

function asking(peer, { path, headersOf, bodyOf }) {
  const target = { pid: peer.pid, origin: peer.origin ?? `http://127.0.0.1:${peer.info.port}` };
  const request = (index) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headersOf?.(index) },
    body: bodyOf(index),
  });
  return () => load({ target, count, connections, request, isRight: (body) => body.includes(text) });
}

try {
  const tokens = await parley.tokens();
  const rates = { parley: [], portkey: [] };
  const askPortkey = asking(portkey, {
    path: '/v1/chat/completions',
    headersOf: () => ({
      authorization: 'Bearer k',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${agentUrl}/v1`,
    }),
    bodyOf: () => JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }),
  });
  const askParley = asking(parley, {
    path: `/agents/${parley.slug}/a2a/jsonrpc`,
    headersOf: (index) => ({ authorization: `Bearer ${tokens[index % tokens.length]}` }),
    bodyOf: messageTo,
  });
  const noting = (list, measure) => async () => {
    const sample = await measure();
    list.push(sample.rate);
    return sample;
  };
  const met = await compare({
    name: 'unary',
    rounds: 5,
    warmUps,
    targets: [
      { name: 'bare proxy', measure: asking(proxy, { path: '/', bodyOf: messageTo }) },
      { name: 'bare keeper', measure: asking(keeper, { path: '/', bodyOf: messageTo }) },
      { name: 'Parley', measure: noting(rates.parley, askParley), goal: wanted },
      { name: 'Portkey gateway 1.15.2', measure: noting(rates.portkey, askPortkey) },
    ],
  });
  const portkeys = rates.portkey.slice(warmUps);
  const times = rates.parley.slice(warmUps).map((rate, round) => rate / portkeys[round]);
  const middle = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  console.log(`Parley answers ${middle.toFixed(1)} times as many a second as Portkey; goal >= ${wanted}`);
  process.exitCode = met && middle >= wanted ? 0 : 1;
} finally {
  for (const { stop } of [keeper, parley, portkey, proxy, agent]) await stop();
}
