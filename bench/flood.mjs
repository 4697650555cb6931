// Introspection while another process floods the node with forged tokens at a constant rate. Goal: p99 of the
// introspections <= 3 times that without a flood, for rates at which a flood to /healthz stays below this limit too;
// above, the node and the load generator, which share the machine, both run out of CPU.
// node bench/flood.mjs 1000,3000 "wrong signature,expired" restricts the rates and the kinds of tokens.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { saveResults } from './lib/compare.mjs';
import { forgeries } from './lib/forged-tokens.mjs';
import { textOf } from './lib/load.mjs';
import { messageTo } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { cpuMicros } from './lib/peer.mjs';
import { probe } from './lib/steady-introspections.mjs';

const [, , givenRates = '1000,3000,8000', givenKinds] = process.argv;
const rates = givenRates.split(',').map(Number);
const seconds = 5;
const maxRatio = 3;
/** Different texts of each kind. */
const variants = 200;

const parley = await startParley();
// Tokens come from another node: a node does not check the signatures of tokens that it issued.
const node = await parley.another();
const { host } = new URL(node.origin);
const basic = ({ clientId, clientSecret }) => `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

const introspection = (authorization) => (token) => ({
  method: 'POST',
  path: '/api/auth/introspect',
  headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
  body: `token=${token}`,
});
const call = (token) => ({
  method: 'POST',
  path: `/agents/${parley.slug}/a2a/jsonrpc`,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: messageTo(1),
});
const wrongSecret = { ...parley.app, clientSecret: `parley_cs_${randomBytes(32).toString('base64url')}` };
const targets = {
  'bare /healthz': () => ({ method: 'GET', path: '/healthz' }),
  'introspected by the app': introspection(basic(parley.app)),
  'introspected with a wrong secret': introspection(basic(wrongSecret)),
  'bearer token of a call': call,
};

async function flood(plan) {
  const running = promisify(execFile)(process.execPath, [fileURLToPath(new URL('./lib/flooder.mjs', import.meta.url))]);
  running.child.stdin.end(JSON.stringify({ origin: node.origin, seconds, ...plan }));
  return JSON.parse((await running).stdout);
}

const kinds = forgeries(await parley.handshake());
const named = givenKinds?.split(',') ?? Object.keys(kinds);
const forged = Array.from({ length: variants }, () => named.map((kind) => kinds[kind]())).flat();
const fresh = await Promise.all(Array.from({ length: 40 }, parley.handshake));
while (fresh.length < 600) fresh.push(...(await Promise.all(Array.from({ length: 20 }, parley.handshake))));
const steady = probe({ origin: node.origin, app: parley.app, fresh });

const rows = [];
let isMet = true;
try {
  await steady(3);
  for (const rate of rates) {
    const idle = await steady(seconds);
    let limit = maxRatio;
    for (const [name, requestOf] of Object.entries(targets)) {
      const texts = forged.map((token) => textOf(requestOf(token), host));
      const cpuBefore = cpuMicros(node.pid);
      const [sums, probes] = await Promise.all([flood({ texts, rate }), steady(seconds)]);
      const cpu = (cpuMicros(node.pid) - cpuBefore) / sums.sent;
      const ratio = probes.p99 / idle.p99;
      if (name === 'bare /healthz') limit = Math.max(maxRatio, ratio);
      else isMet &&= ratio <= limit && probes.wrong === 0;
      rows.push({
        flood: name,
        offered: rate,
        sent: Math.round(sums.sent / seconds),
        answered: Math.round(sums.answered / seconds),
        cpu: Math.round(cpu),
        'idle p50': idle.p50,
        'idle p99': idle.p99,
        p50: probes.p50,
        p99: probes.p99,
        ratio: Number(ratio.toFixed(1)),
        wrong: probes.wrong,
        statuses: JSON.stringify(sums.statuses),
      });
    }
  }
} finally {
  await parley.stop();
}
console.log(`\nflood: ${named.join(', ')}; requests per second, CPU µs per request of the flood, ms`);
console.table(rows);
saveResults('flood', rows);
process.exitCode = isMet ? 0 : 1;
