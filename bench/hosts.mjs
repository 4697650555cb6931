// CPU of calls by apps of other protocols, compared with the same call of our own protocol: a chat completion and the
// MCP tool send_message with an A2A message, and the MCP tool search_agents with a search. Goals: at most 1.3 and 1.5
// times. Also the time to the first token of a streamed completion, compared with an A2A stream. Goal: at most 2 ms
// more.
import { compare, median } from './lib/compare.mjs';
import { load } from './lib/load.mjs';
import { goalHere } from './lib/machine.mjs';
import { messageTo, text } from './lib/message.mjs';
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

/** The limit per user is ten messages per second, with a burst of a hundred. */
const people = 200;
const messages = { count: 4_000, connections: 64 };
/** A small number: the model reads one text at a time, and a search that waits too long compares words only. */
const searches = { count: 800, connections: 4 };
const query = 'an agent that echoes messages';
/** Streams of each kind, after as many that are not counted. */
const streamCount = 300;
const firstTokenGoalMs = goalHere(2);

const agent = await startPeer('unary-agent');
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });

function calling({ amount, path, tokens, bodyOf, method = 'POST', isRight }) {
  const request = (index) => ({
    method,
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${tokens[index % tokens.length]}`,
    },
    body: bodyOf?.(index) ?? '',
  });
  return () => load({ target: parley, ...amount, request, isRight });
}

const toolCall = (name, args) => (index) =>
  JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/call', params: { name, arguments: args } });

try {
  const agentTokens = await parley.tokens();
  const tokens = parley.accessTokens;
  const completion = JSON.stringify({ model: parley.slug, messages: [{ role: 'user', content: text }] });
  const isRight = (body) => body.includes(text);
  const messagesMet = await compare({
    name: 'hosts-messages',
    rounds: 5,
    warmUps: 3,
    targets: [
      {
        name: 'A2A message/send',
        measure: calling({
          amount: messages,
          path: `/agents/${parley.slug}/a2a/jsonrpc`,
          tokens: agentTokens,
          bodyOf: messageTo,
          isRight,
        }),
      },
      {
        name: 'chat completion',
        measure: calling({ amount: messages, path: '/v1/chat/completions', tokens, bodyOf: () => completion, isRight }),
        goal: 1.3,
      },
      {
        name: 'MCP send_message',
        measure: calling({
          amount: messages,
          path: '/mcp',
          tokens,
          bodyOf: toolCall('send_message', { agent: parley.slug, message: text }),
          isRight,
        }),
        goal: 1.3,
      },
    ],
  });
  const searchesMet = await compare({
    name: 'hosts-searches',
    rounds: 5,
    targets: [
      {
        name: 'GET /api/agents',
        measure: calling({
          amount: searches,
          method: 'GET',
          path: `/api/agents?limit=5&q=${encodeURIComponent(query)}`,
          tokens,
          isRight: (body) => body.includes('"items":['),
        }),
      },
      {
        name: 'MCP search_agents',
        measure: calling({
          amount: searches,
          path: '/mcp',
          tokens,
          bodyOf: toolCall('search_agents', { query, limit: 5 }),
          isRight: (body) => body.includes('"results":['),
        }),
        goal: 1.5,
      },
    ],
  });
  process.exitCode = messagesMet && searchesMet ? 0 : 1;
} finally {
  for (const { stop } of [parley, agent]) await stop();
}
if (!(await compareFirstTokens())) process.exitCode = 1;

/** Opens streams of both kinds in turn; returns true if the goal is met. */
async function compareFirstTokens() {
  const streamingAgent = await startPeer('streaming-agent');
  const server = await startParley({ people, agentUrl: `http://127.0.0.1:${streamingAgent.info.port}` });
  try {
    const { origin, slug } = server;
    const completionOf = (content) => ({ model: slug, stream: true, messages: [{ role: 'user', content }] });
    const targets = {
      a2a: { origin, path: `/agents/${slug}/a2a/jsonrpc`, tokens: await server.tokens() },
      completion: { origin, path: '/v1/chat/completions', tokens: server.accessTokens, bodyOf: completionOf },
    };
    const times = { a2a: [], completion: [] };
    for (let at = 0; at < 2 * streamCount; at++) {
      for (const [name, target] of Object.entries(targets)) {
        const ms = await timeToFirstToken(target, at);
        if (at >= streamCount) times[name].push(ms);
      }
    }
    const [a2a, completion] = [median(times.a2a), median(times.completion)];
    console.log(
      `first token: ${completion.toFixed(2)} ms in a completion, ${a2a.toFixed(2)} ms in an A2A stream (medians of ` +
        `${streamCount}); goal <= ${firstTokenGoalMs} ms more`,
    );
    return completion - a2a <= firstTokenGoalMs;
  } finally {
    for (const { stop } of [server, streamingAgent]) await stop();
  }
}

/** Milliseconds from the request to the first text of the agent. */
async function timeToFirstToken(target, at) {
  const startedAt = performance.timeOrigin + performance.now();
  const { done, arrivals } = await open(target, 'burst 2', at);
  await done;
  const first = arrivals.find((arrival) => arrival.text.includes('xxx'));
  if (!first) throw new Error(`${target.path} sent no text`);
  return first.at - startedAt;
}
