// CPU cost of checking a cart: checks C1 to C13 of docs/payments.md for a cart of ten lines (3 KB), including signature
// and hashes, compared with verifying one ES256 JWT with jose. Goal: at most 1 ms of CPU.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { jwtVerify, SignJWT } from 'jose';
import { sdkSources } from '../scripts/bundle.mjs';
import { compare } from './lib/compare.mjs';
import { cpuMicros } from './lib/peer.mjs';

const goalRatio = 4;
const count = 500;

const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
const outfile = path.join(folder, 'check-cart.mjs');
const alias = { '@': path.resolve('.'), ...sdkSources() };
const shape = { bundle: true, packages: 'external', format: 'esm', platform: 'node', target: 'node20' };
await build({ entryPoints: ['lib/protocol/ap2/check-cart.ts'], outfile, alias, logLevel: 'error', ...shape });
const { checkCart } = await import(pathToFileURL(outfile).href);

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const kid = 'bench';
const item = (label, value) => ({ label, amount: { currency: 'EUR', value }, refund_period: 1 });
const contents = {
  // Members are in RFC 8785 order, so that this text is canonical.
  cart_expiry: new Date(Date.now() + 900_000).toISOString(),
  id: 'cart_1',
  merchant_name: 'Bench',
  payment_request: {
    details: {
      display_items: Array.from({ length: 10 }, (_, at) => item(`Line ${at}, with some words about what it is`, 1.5)),
      id: 'order_1',
      total: item('Total', 15),
    },
    method_data: [{ data: {}, supported_methods: 'parley' }],
  },
  user_cart_confirmation_required: true,
};
const canonical = JSON.stringify(sortMembers(contents));
const iat = Math.floor(Date.now() / 1000);
const claims = {
  iss: 'https://shop.example',
  sub: 'https://shop.example',
  aud: 'https://parley.example',
  iat,
  exp: iat + 900,
};
const token = await new SignJWT({
  ...claims,
  jti: 'j',
  cart_hash: createHash('sha256').update(canonical).digest('base64url'),
})
  .setProtectedHeader({ alg: 'ES256', kid })
  .sign(privateKey);
const text = JSON.stringify({ 'ap2.mandates.CartMandate': { contents, merchant_authorization: token } });
const trust = {
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid }],
  issuer: claims.iss,
  subject: null,
  audience: claims.aud,
};

function sortMembers(value) {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortMembers(value[name])]),
  );
}

/** CPU of this process per call, sequentially. */
function costOf(call) {
  return async () => {
    const before = cpuMicros(process.pid);
    const startedAt = performance.now();
    for (let at = 0; at < count; at++) await call();
    const seconds = (performance.now() - startedAt) / 1000;
    return { cpu: (cpuMicros(process.pid) - before) / count, rate: count / seconds };
  };
}

const check = costOf(async () => {
  // As when read from the database: a new key object each time.
  const { code } = await checkCart(text, { ...trust, keys: structuredClone(trust.keys), now: new Date() });
  if (code !== null) throw new Error(`the cart was rejected: ${code}`);
});
try {
  const met = await compare({
    name: 'cart-check',
    rounds: 7,
    targets: [
      { name: 'jose jwtVerify (ES256)', measure: costOf(() => jwtVerify(token, publicKey, { algorithms: ['ES256'] })) },
      { name: 'Parley', measure: check, goal: goalRatio },
    ],
  });
  process.exitCode = met ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
