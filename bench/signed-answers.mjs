// CPU cost of a signed introspection response (RFC 9701): Parley compared with bare node:http and one jose signature.
// Goal: at most 1.3 times bare.
import { compare } from './lib/compare.mjs';
import { load } from './lib/load.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const count = 3_000;
const connections = 32;

const parley = await startParley();
const bare = await startPeer('bare-handshake');
const stops = [parley.stop, bare.stop];
try {
  const tokens = [];
  while (tokens.length < 200) tokens.push(await parley.handshake());
  const met = await compare({
    name: 'signed-answers',
    rounds: 7,
    targets: [
      { name: 'bare node:http + jose sign', measure: signBare },
      { name: 'Parley, signed introspection', measure: introspectSigned, goal: 1.3 },
    ],
  });
  process.exitCode = met ? 0 : 1;

  function signBare() {
    const target = { pid: bare.pid, origin: `http://127.0.0.1:${bare.info.port}` };
    const headers = { authorization: `Bearer ${bare.info.bearer}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ agentSlug: 'bench' });
    const request = () => ({ method: 'POST', path: '/', headers, body });
    return load({ target, count, connections, request, isRight: (text) => text.includes('"token":"ey') });
  }

  function introspectSigned() {
    const { clientId, clientSecret } = parley.app;
    const headers = {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/token-introspection+jwt',
    };
    const path = '/api/auth/introspect';
    const request = (index) => ({ method: 'POST', path, headers, body: `token=${tokens[index % tokens.length]}` });
    return load({ target: parley, count, connections, request, isRight: (text) => text.startsWith('ey') });
  }
} finally {
  for (const stop of stops) await stop();
}
