import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { quantileOf } from './compare.mjs';
import { textOf } from './load.mjs';
import { messageTo, text } from './message.mjs';
import { messagesIn } from './raw-http.mjs';

/**
 * Measures one message at a time over one connection: to the agent itself, through a bare proxy, through Parley, and a
 * commit of one row. The targets alternate message by message, so that each runs under the same conditions.
 *
 * @param {object} plan
 * @param {{ info: { port: number } }} plan.agent
 * @param {{ info: { port: number } }} plan.proxy
 * @param {{ origin: string, slug: string, databaseUrl: string }} plan.parley
 * @param {string[]} plan.tokens
 * @param {number} plan.warmUps messages per target that are not counted
 * @param {number} plan.count messages per target
 * @param {number} [plan.quantile] of the times; default: the median
 * @returns {Promise<{ added: { proxy: number, parley: number }, commit: number, direct: number }>} milliseconds;
 *   `added`: beyond `direct`, the agent's own time
 */
export async function measureLoneMessages({ agent, proxy, parley, tokens, warmUps, count, quantile = 0.5 }) {
  const database = new pg.Client({ connectionString: parley.databaseUrl });
  await database.connect();
  try {
    await database.query('CREATE TABLE bare_row (id uuid PRIMARY KEY)');
    const path = `/agents/${parley.slug}/a2a/jsonrpc`;
    const targets = {
      direct: await openSender({ origin: `http://127.0.0.1:${agent.info.port}` }),
      proxy: await openSender({ origin: `http://127.0.0.1:${proxy.info.port}` }),
      parley: await openSender({ origin: parley.origin, path, tokens }),
      commit: () => timeCommit(database),
    };
    const times = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
    for (let index = -warmUps; index < count; index++) {
      for (const [name, measure] of Object.entries(targets)) {
        const ms = await measure(index + warmUps);
        if (index >= 0) times[name].push(ms);
      }
    }
    const { direct, proxy: proxied, parley: ours, commit } = mapValues(times, (each) => quantileOf(each, quantile));
    return { added: { proxy: proxied - direct, parley: ours - direct }, commit, direct };
  } finally {
    await database.end();
  }
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

/**
 * Returns a function that sends one message over a persistent connection and resolves with the milliseconds to its
 * response.
 */
async function openSender({ origin, path = '/', tokens }) {
  const { hostname, port, host } = new URL(origin);
  let onResponse;
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const read = messagesIn((head, body) =>
    onResponse(head.startsWith('http/1.1 200 ') && body.includes(text) ? null : head + body),
  );
  socket.on('data', read);
  return (index) => {
    const headers = { 'content-type': 'application/json' };
    if (tokens) headers.authorization = `Bearer ${tokens[index % tokens.length]}`;
    const requestText = textOf({ method: 'POST', path, headers, body: messageTo(index) }, host);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      onResponse = (failure) =>
        failure ? reject(new Error(`${origin}: ${failure}`)) : resolve(performance.now() - startedAt);
      socket.write(requestText);
    });
  };
}

async function timeCommit(database) {
  const startedAt = performance.now();
  await database.query({ name: 'bare', text: 'INSERT INTO bare_row VALUES ($1)', values: [randomUUID()] });
  return performance.now() - startedAt;
}
