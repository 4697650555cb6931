// CPU cost of token introspection: Parley compared with bare node:http and jose, and with oidc-provider.
// Goals: at most 0.65 times bare, because a token is verified once and a secret hashed once; at least 2.5 times
// oidc-provider's rate with opaque tokens; a forged token costs no more than a valid one seen for the first time.
import { randomBytes } from 'node:crypto';
import { compare } from './lib/compare.mjs';
import { introspecting, introspectingPeer } from './lib/introspecting.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const count = 10_000;
// Burst limit of inactive introspections per app.
const unseen = 1_000;

/** Returns the token with a random signature of the right length. */
function forge(token) {
  const [header, payload, signature] = token.split('.');
  return [header, payload, randomBytes(Buffer.from(signature, 'base64url').length).toString('base64url')].join('.');
}

const parley = await startParley();
// Has not received the tokens that the first one issued.
const other = await parley.another();
const bare = await startPeer('bare-introspection');
const oidc = await startPeer('oidc-provider');
const stops = [parley.stop, bare.stop, oidc.stop];
try {
  const path = '/api/auth/introspect';
  const tokens = [];
  while (tokens.length < 200) tokens.push(await parley.handshake());
  const introspectBare = introspectingPeer(bare, path);
  const introspectOidc = introspectingPeer(oidc, '/token/introspection');
  const introspectParley = introspecting({ target: parley, path, client: parley.app, tokens });
  const met = await compare({
    name: 'introspection',
    rounds: 5,
    targets: [
      { name: 'bare node:http + jose jwtVerify', measure: () => introspectBare(count) },
      { name: 'Parley', measure: () => introspectParley(count), goal: 0.65 },
      { name: 'Parley, every token for the first time', measure: introspectUnseen },
      { name: 'Parley, every token forged, for the first time', measure: introspectForged },
      { name: 'oidc-provider, opaque tokens', measure: () => introspectOidc(count) },
    ],
  });
  process.exitCode = met ? 0 : 1;

  async function introspectUnseen() {
    const fresh = [];
    while (fresh.length < unseen) fresh.push(...(await Promise.all(Array.from({ length: 20 }, parley.handshake))));
    return introspecting({ target: other, path, client: parley.app, tokens: fresh })(unseen);
  }

  async function introspectForged() {
    const client = await parley.addApp();
    const forged = Array.from({ length: unseen }, (_, index) => forge(tokens[index % tokens.length]));
    return introspecting({ target: other, path, client, tokens: forged, active: false })(unseen);
  }
} finally {
  for (const stop of stops) await stop();
}
