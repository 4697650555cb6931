// Time to wake a reader on another node after a commit, at several rates, with NOTIFY and with NATS. The controls are
// the same path without Parley: a bare LISTEN and a bare NATS subscription, in the same processes. Goal: with NATS, p99
// at most 5 ms, times the factor of the machine, unless the bare subscription takes half of that.
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.mjs';
import { migrate } from '../scripts/migrate.mjs';
import { freePort } from '../scripts/processes.mjs';
import { ROOT } from '../scripts/program.mjs';
import { saveResults } from './lib/compare.mjs';
import { goalHere } from './lib/machine.mjs';
import { cpuMicros } from './lib/peer.mjs';

const rates = (process.argv[2] ?? '100,1000,3000').split(',').map(Number);
const seconds = 3;
const goalMs = goalHere(5);
const program = path.join(ROOT, 'node_modules/.cache/parley-bench/bus-node.mjs');

await build({
  entryPoints: [path.join(ROOT, 'bench/peers/bus-node.mjs')],
  outfile: program,
  bundle: true,
  packages: 'external',
  alias: { '@': ROOT },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
});
const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
const database = await startEmbeddedPostgres({ dataDir });
await migrate(database.url);
const natsPort = await freePort();
const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)], { stdio: 'ignore' });

function next(child, name) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`the node exited with ${code}`));
    child.once('exit', onExit);
    const onMessage = (message) => {
      if (!(name in message)) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message[name]);
    };
    child.on('message', onMessage);
  });
}

async function startNode(role, natsServer) {
  const secret = randomBytes(32).toString('base64url');
  const child = fork(program, [role, database.url, ...(natsServer ? [natsServer] : [])], {
    cwd: ROOT,
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      APP_URL: 'http://localhost:3000',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      NEXTAUTH_SECRET: secret,
      KEY_ENCRYPTION_KEY: secret,
      ...(natsServer && { NOTICES_URL: `nats://${natsServer}` }),
    },
  });
  await next(child, 'started');
  return {
    pid: child.pid,
    ask(what, answer, plan) {
      const answered = next(child, answer);
      child.send({ ask: what, plan });
      return answered;
    },
    stop() {
      const exited = once(child, 'exit');
      child.send({ ask: 'stop' });
      return exited;
    },
  };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const ms = (value) => Number(value.toFixed(2));

async function measure({ writer, reader }, { carrier, kind, rate }) {
  const label = `${carrier}-${kind}-${rate}`;
  const before = [writer, reader].map(({ pid }) => cpuMicros(pid));
  const { times, perSecond } = await writer.ask('send', 'sent', { kind, rate, seconds, label });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [writerMicros, readerMicros] = [writer, reader].map(({ pid }, at) => cpuMicros(pid) - before[at]);
  const arrivals = await reader.ask('arrivals', 'arrivals', { kind });
  const keys = Object.keys(times);
  const waits = keys.filter((key) => key in arrivals).map((key) => Math.max(0, arrivals[key] - times[key].committedAt));
  const commits = keys.map((key) => times[key].committedAt - times[key].startedAt);
  for (const list of [waits, commits]) list.sort((a, b) => a - b);
  console.log(`${label}: ${keys.length} events, ${waits.length} arrived`);
  return {
    carrier: kind === 'parley' ? `Parley, ${carrier}` : `bare ${kind}`,
    'events/s': Math.round(perSecond),
    'wake-up p50, ms': ms(quantile(waits, 0.5)),
    'p99, ms': ms(quantile(waits, 0.99)),
    'commit p50, ms': ms(quantile(commits, 0.5)),
    'writer, µs of CPU': Math.round(writerMicros / keys.length),
    'reader, µs of CPU': Math.round(readerMicros / keys.length),
    lost: keys.length - waits.length,
  };
}

async function run(carrier, natsServer) {
  const [reader, writer] = [await startNode('reader', natsServer), await startNode('writer', natsServer)];
  for (let waited = 0; !(await writer.ask('ready', 'ready')); waited++) {
    if (waited > 300) throw new Error('the nodes do not know each other');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const rows = [];
  // Warms up statements and the compiler.
  await measure({ writer, reader }, { carrier: 'warm-up', kind: 'parley', rate: 500 });
  for (const rate of rates)
    for (const kind of ['parley', carrier === 'NATS' ? 'nats' : 'LISTEN'])
      rows.push(await measure({ writer, reader }, { carrier, kind, rate }));
  for (const node of [reader, writer]) await node.stop();
  return rows;
}

try {
  const rows = [...(await run('NOTIFY', null)), ...(await run('NATS', `127.0.0.1:${natsPort}`))];
  console.log(`\nA reader on another node wakes up after a commit; ${seconds} s at each rate`);
  console.table(rows);
  saveResults('notices', rows);
  const worst = Math.max(...rows.filter(({ carrier }) => carrier === 'Parley, NATS').map((row) => row['p99, ms']));
  const bare = Math.max(...rows.filter(({ carrier }) => carrier === 'bare nats').map((row) => row['p99, ms']));
  const met = worst <= goalMs || worst <= 2 * bare;
  console.log(`NATS: p99 ${worst} ms at most (goal <= ${goalMs}; bare ${bare}): ${met ? 'met' : 'MISSED'}`);
  process.exitCode = met ? 0 : 1;
} finally {
  nats.kill('SIGKILL');
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
