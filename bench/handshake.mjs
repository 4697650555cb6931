// CPU cost of an agent token: Parley's full handshake compared with bare node:http and one jose signature.
// Goal: at most 1.5 times bare.
import { compare } from './lib/compare.mjs';
import { load } from './lib/load.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const count = 3_000;
const connections = 32;

function handshakes({ target, path, bearer, slug }) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ agentSlug: slug });
  return () =>
    load({
      target,
      count,
      connections,
      request: () => ({ method: 'POST', path, headers, body }),
      isRight: (text) => text.includes('"token":"ey'),
    });
}

const parley = await startParley();
const bare = await startPeer('bare-handshake');
const stops = [parley.stop, bare.stop];
try {
  const target = { pid: bare.pid, origin: `http://127.0.0.1:${bare.info.port}` };
  const path = '/api/auth/handshake';
  const met = await compare({
    name: 'handshake',
    rounds: 7,
    targets: [
      {
        name: 'bare node:http + jose sign',
        measure: handshakes({ target, path, bearer: bare.info.bearer, slug: 'bench' }),
      },
      {
        name: 'Parley',
        measure: handshakes({ target: parley, path, bearer: parley.accessToken, slug: parley.slug }),
        goal: 1.5,
      },
    ],
  });
  process.exitCode = met ? 0 : 1;
} finally {
  for (const stop of stops) await stop();
}
