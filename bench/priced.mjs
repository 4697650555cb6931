// CPU of a message to an agent with a price per message, compared with the same agent without one, at the same node: the
// charge is authorized before the send and captured after it. Goal: at most 1.25 times. The CPU of the settlements
// that follow the responses counts too.
import { compare } from './lib/compare.mjs';
import { sendingMessages } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';
import { setPrice } from './lib/prices.mjs';

/** The limit per user is ten messages per second, with a burst of a hundred. */
const people = 250;
const count = 6_000;
const connections = 24;
const goal = 1.25;
const amount = 2;

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const priced = await startPeer('unary-agent');
const parley = await startParley({ people, agentUrl });

try {
  const slug = await parley.list(`http://127.0.0.1:${priced.info.port}`);
  await setPrice(parley, slug, amount);
  const sendingTo = async (to) => {
    // The owner of an agent pays nothing.
    const [, ...tokens] = await parley.tokens(to);
    return sendingMessages(parley, { path: `/agents/${to}/a2a/jsonrpc`, tokens, count, connections });
  };
  const isMet = await compare({
    name: 'priced',
    rounds: 7,
    warmUps: 4,
    targets: [
      { name: 'without a price', measure: await sendingTo(parley.slug) },
      { name: 'with a price', measure: await sendingTo(slug), goal },
    ],
  });
  process.exitCode = isMet ? 0 : 1;
} finally {
  for (const { stop } of [parley, priced, agent]) await stop();
}
