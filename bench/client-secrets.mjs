// CPU cost of verifying a client secret, and whether response times distinguish an unknown client from a wrong secret.
// Goals: 5 µs of CPU, times the machine's factor; Welch's |t| below 4.5 over 1,000 samples of each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Client } from 'undici';
import { ROOT } from '../scripts/program.mjs';
import { goalHere } from './lib/machine.mjs';
import { startParley } from './lib/parley.mjs';

const checks = 200_000;
const goalMicros = goalHere(5);
const samples = 1_000;
const goalT = 4.5;
/** Required by lib/platform/runtime/env.ts; nothing is connected. */
const variables = {
  KEY_ENCRYPTION_KEY: 'k'.repeat(43),
  NEXTAUTH_SECRET: 's'.repeat(43),
  DATABASE_URL: 'postgres://127.0.0.1/none',
};

const micros = await secretCheck();
const t = await welch();
console.table([
  { what: 'secret verification, µs', measured: micros.toFixed(2), goal: `<= ${goalMicros}` },
  { what: "unknown client vs. wrong secret, Welch's |t|", measured: t.toFixed(2), goal: `< ${goalT}` },
]);
process.exitCode = micros <= goalMicros && t < goalT ? 0 : 1;

/** Measures the CPU time of one verification, in µs: the server's code, repeated in this process. */
async function secretCheck() {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    const outfile = path.join(folder, 'client-secret.mjs');
    await build({
      stdin: {
        contents: `export { hashClientSecret, newClientSecret } from './lib/tokens/oauth/client-secrets';
          export { constantTimeEqual } from './lib/platform/secrets/crypto';`,
        resolveDir: ROOT,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'error',
      define: { 'process.env': JSON.stringify(variables) },
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    const { constantTimeEqual, hashClientSecret, newClientSecret } = await import(pathToFileURL(outfile).href);
    const { clientSecret, row } = newClientSecret(new Date());
    let accepted = 0;
    const run = (amount) => {
      for (let at = 0; at < amount; at++)
        if (constantTimeEqual(row.secretHash, hashClientSecret(clientSecret))) accepted++;
    };
    run(checks);
    const before = process.cpuUsage();
    run(checks);
    const { user, system } = process.cpuUsage(before);
    if (accepted !== 2 * checks) throw new Error('a valid secret was rejected');
    return (user + system) / checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns Welch's t between the times of both rejections, requested alternately over one connection. */
async function welch() {
  const parley = await startParley();
  const client = new Client(parley.origin);
  try {
    const { clientId, clientSecret } = parley.app;
    const [wrong, unknown] = [`${clientSecret.slice(0, -4)}0000`, clientId.replace(/^app_...../, 'app_zzzzz')];
    const kinds = [
      { id: clientId, secret: wrong, times: [] },
      { id: unknown, secret: clientSecret, times: [] },
    ];
    for (let round = -200; round < samples; round++) {
      const order = Math.random() < 0.5 ? kinds : [...kinds].reverse();
      for (const kind of order) {
        const ms = await timeRejection(client, kind);
        if (round >= 0) kind.times.push(ms);
      }
    }
    const [a, b] = kinds.map(({ times }) => describe(times));
    return Math.abs(a.mean - b.mean) / Math.sqrt(a.variance / samples + b.variance / samples);
  } finally {
    await client.close();
    await parley.stop();
  }
}

async function timeRejection(client, { id, secret }) {
  const startedAt = performance.now();
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/api/auth/introspect',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'token=x',
  });
  await body.text();
  if (statusCode !== 401) throw new Error(`expected 401, got ${statusCode}`);
  return performance.now() - startedAt;
}

function describe(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance };
}
