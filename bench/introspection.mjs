// What an agent's question "who is calling?" costs: Parley against bare node:http with jose, and against oidc-provider.
// Goal: at most 0.65 times bare, as a token is verified once and a secret hashed once; so at least 2.5 times as many per second
// as oidc-provider's opaque tokens. A forged token is never dearer than a good one that is seen for the first time.
import { randomBytes } from 'node:crypto';
import { compare } from './lib/compare.mjs';
import { load } from './lib/load.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const count = 10_000;
// One app is told of no more inactive tokens in a row.
const unseen = 1_000;
const connections = 32;

function asking({ target, path, client, tokens, active = true }) {
  const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  return (amount) =>
    load({
      target,
      count: amount,
      connections,
      request: (index) => ({ method: 'POST', path, headers, body: `token=${tokens[index % tokens.length]}` }),
      isRight: (body) => body.includes(`"active":${active}`),
    });
}

/** The token with a signature of the right length that nobody made. */
function forge(token) {
  const [header, payload, signature] = token.split('.');
  return [header, payload, randomBytes(Buffer.from(signature, 'base64url').length).toString('base64url')].join('.');
}

function peerTarget(peer, path) {
  const target = { pid: peer.pid, origin: `http://127.0.0.1:${peer.info.port}` };
  return asking({ target, path, client: peer.info, tokens: peer.info.tokens });
}

const parley = await startParley();
const bare = await startPeer('bare-introspection');
const oidc = await startPeer('oidc-provider');
const stops = [parley.stop, bare.stop, oidc.stop];
try {
  const path = '/api/auth/introspect';
  const tokens = [];
  while (tokens.length < 200) tokens.push(await parley.handshake());
  const askBare = peerTarget(bare, path);
  const askOidc = peerTarget(oidc, '/token/introspection');
  const askParley = asking({ target: parley, path, client: parley.app, tokens });
  const met = await compare({
    name: 'introspection',
    rounds: 5,
    targets: [
      { name: 'bare node:http + jose jwtVerify', measure: () => askBare(count) },
      { name: 'Parley', measure: () => askParley(count), goal: 0.65 },
      { name: 'Parley, every token for the first time', measure: askFresh },
      { name: 'Parley, every token forged, for the first time', measure: askForged },
      { name: 'oidc-provider, opaque tokens', measure: () => askOidc(count) },
    ],
  });
  process.exitCode = met ? 0 : 1;

  async function askFresh() {
    const fresh = [];
    while (fresh.length < unseen) fresh.push(...(await Promise.all(Array.from({ length: 20 }, parley.handshake))));
    return asking({ target: parley, path, client: parley.app, tokens: fresh })(unseen);
  }

  async function askForged() {
    const client = await parley.addApp();
    const forged = Array.from({ length: unseen }, (_, index) => forge(tokens[index % tokens.length]));
    return asking({ target: parley, path, client, tokens: forged, active: false })(unseen);
  }
} finally {
  for (const stop of stops) await stop();
}
