// CPU and rate of a message and its response end to end, with the task persisted: Parley compared with a bare proxy and
// with Portkey's gateway, which persists nothing. Goals: at most 3 times the bare proxy's CPU, at least 3.5 times
// Portkey's rate. The connection count saturates both; Parley needs about a hundred, because each message waits for two
// commits. Pass another count as an argument: Parley is fastest with 96, Portkey with 32. The bare store only persists,
// and as much as Parley.
import { compare } from './lib/compare.mjs';
import { load } from './lib/load.mjs';
import { sendingMessages, text } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

/** The limit per user is ten messages per second, with a burst of a hundred. */
const people = 200;
const count = 8_000;
const connections = Number(process.argv[2] ?? 96);
const goalRatio = 3;
const goalRate = 3.5;
/** Rounds until the code is optimized. */
const warmUps = 4;

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const proxy = await startPeer('bare-pipe', [String(agent.info.port)]);
const portkey = await startPeer('portkey');
const parley = await startParley({ people, agentUrl });
const store = await startPeer('bare-store', [String(agent.info.port), parley.databaseUrl]);

const addressOf = ({ pid, info }) => ({ pid, origin: `http://127.0.0.1:${info.port}` });

function sendingToPortkey() {
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer k',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${agentUrl}/v1`,
  };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] });
  const request = () => ({ method: 'POST', path: '/v1/chat/completions', headers, body });
  const target = addressOf(portkey);
  return () => load({ target, count, connections, request, isRight: (answer) => answer.includes(text) });
}

try {
  const tokens = await parley.tokens();
  const rates = { parley: [], portkey: [] };
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const sendToParley = sendingMessages(parley, { path, tokens, count, connections });
  const recording = (list, measure) => async () => {
    const sample = await measure();
    list.push(sample.rate);
    return sample;
  };
  const met = await compare({
    name: 'unary',
    rounds: 5,
    warmUps,
    targets: [
      { name: 'bare proxy', measure: sendingMessages(addressOf(proxy), { count, connections }) },
      { name: 'bare store', measure: sendingMessages(addressOf(store), { count, connections }) },
      { name: 'Parley', measure: recording(rates.parley, sendToParley), goal: goalRatio },
      { name: 'Portkey gateway 1.15.2', measure: recording(rates.portkey, sendingToPortkey()) },
    ],
  });
  const portkeyRates = rates.portkey.slice(warmUps);
  const ratios = rates.parley.slice(warmUps).map((rate, round) => rate / portkeyRates[round]);
  const medianRatio = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  console.log(`Parley's rate is ${medianRatio.toFixed(1)} times Portkey's; goal >= ${goalRate}`);
  process.exitCode = met && medianRatio >= goalRate ? 0 : 1;
} finally {
  for (const { stop } of [store, parley, portkey, proxy, agent]) await stop();
}
