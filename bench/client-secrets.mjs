// What it costs to tell whether a client's secret is right, and whether a stranger can tell an unknown client from a wrong
// secret by the time that the refusal takes. Goals: 5 µs of CPU; Welch's |t| below 4.5 over 1,000 samples of each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Client } from 'undici';
import { ROOT } from '../scripts/setup.mjs';
import { startParley } from './lib/parley.mjs';

const checks = 200_000;
const goalMicros = 5;
const samples = 1_000;
const goalT = 4.5;
/** What the code asks for before it runs; nothing is called. */
const variables = {
  KEY_ENCRYPTION_KEY: 'k'.repeat(43),
  NEXTAUTH_SECRET: 's'.repeat(43),
  DATABASE_URL: 'postgres://127.0.0.1/none',
};

const micros = await secretCheck();
const t = await welch();
console.table([
  { what: 'check of a secret, µs', measured: micros.toFixed(2), goal: `<= ${goalMicros}` },
  { what: "unknown client against wrong secret, Welch's |t|", measured: t.toFixed(2), goal: `< ${goalT}` },
]);
process.exitCode = micros <= goalMicros && t < goalT ? 0 : 1;

/** CPU of one check, µs: the same code as in the server, over again in this process. */
async function secretCheck() {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    const outfile = path.join(folder, 'client-secret.mjs');
    await build({
      stdin: {
        contents: `export { hashClientSecret, newClientSecret } from './lib/tokens/client-secret';
          export { equalInConstantTime } from './lib/platform/crypto';`,
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
    const { equalInConstantTime, hashClientSecret, newClientSecret } = await import(pathToFileURL(outfile).href);
    const { clientSecret, row } = newClientSecret(new Date());
    let right = 0;
    const run = (amount) => {
      for (let at = 0; at < amount; at++)
        if (equalInConstantTime(row.secretHash, hashClientSecret(clientSecret))) right++;
    };
    run(checks);
    const before = process.cpuUsage();
    run(checks);
    const { user, system } = process.cpuUsage(before);
    if (right !== 2 * checks) throw new Error('a right secret was refused');
    return (user + system) / checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Welch's t between the times of both refusals, asked one after the other over one connection. */
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
        const ms = await refusal(client, kind);
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

async function refusal(client, { id, secret }) {
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
  if (statusCode !== 401) throw new Error(`expected 401, found ${statusCode}`);
  return performance.now() - startedAt;
}

function describe(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance };
}
