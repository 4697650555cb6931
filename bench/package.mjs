// A node of the archive with a migrated database: archive <= 150 MB; ready within 2 s, times the machine's factor (median of five starts, from the
// start of the process to the first 200 of /readyz); idle memory <= 250 MB (resident set a minute after the start, when
// no search has loaded the embeddings model).
// node bench/package.mjs dist/parley-….tar.gz measures an existing archive.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.mjs';
import { freePort } from '../scripts/processes.mjs';
import { goalHere } from './lib/machine.mjs';
import { stopProcess } from './lib/peer.mjs';

const starts = 5;
const goal = { megabytes: 150, startMs: goalHere(2_000), idleMb: 250 };
const idleMs = 60_000;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function makeArchive() {
  if (process.argv[2]) return process.argv[2];
  const { stdout, status, stderr } = spawnSync(process.execPath, ['scripts/package.mjs'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return /^(dist\/\S+): /m.exec(stdout)[1];
}

const archive = makeArchive();
const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
spawnSync('tar', ['-xzf', archive, '-C', folder, '--no-same-owner']);
const program = path.join(folder, readdirSync(folder)[0], 'bin/parley');
const database = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data') });
const port = await freePort();
const env = {
  ...{ PORT: String(port), DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'warn' },
  ...{ NEXTAUTH_SECRET: randomBytes(32).toString('hex'), KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') },
};

/** Starts a node; resolves with the process and the milliseconds until it is ready. */
async function start() {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const ready = await fetch(`http://localhost:${port}/readyz`).catch(() => null);
    await ready?.arrayBuffer();
    if (ready?.status === 200) return { child, ms: performance.now() - startedAt };
    if (child.exitCode !== null) throw new Error(`the node exited with ${child.exitCode}`);
    await wait(10);
  }
}

/** Returns the first start creates the keys and computes the vectors of the initial listings. */
async function prepare() {
  const { child } = await start();
  const mode = async () => (await (await fetch(`http://localhost:${port}/api/status`)).json()).search.mode;
  while ((await mode()) !== 'meaning') await wait(500);
  await stopProcess(child);
}

const residentMb = ({ pid }) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;

try {
  spawnSync(process.execPath, [program, 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await prepare();
  const times = [];
  for (let round = 1; round < starts; round++) {
    const { child, ms } = await start();
    times.push(ms);
    await stopProcess(child);
  }
  const { child, ms } = await start();
  times.push(ms);
  const readyMb = residentMb(child);
  await wait(idleMs);
  const idleMb = residentMb(child);
  await stopProcess(child);
  const startMs = times.sort((a, b) => a - b)[Math.floor(starts / 2)];
  const megabytes = statSync(archive).size / 1e6;
  console.log(`archive: ${megabytes.toFixed(1)} MB; goal <= ${goal.megabytes}`);
  console.log(
    `start: ${startMs.toFixed(0)} ms, median of ${times.map((each) => each.toFixed(0)).join(', ')}; goal <= ${goal.startMs}`,
  );
  console.log(
    `resident: ${readyMb.toFixed(0)} MB when ready, ${idleMb.toFixed(0)} MB a minute later; goal <= ${goal.idleMb}`,
  );
  process.exitCode = megabytes <= goal.megabytes && startMs <= goal.startMs && idleMb <= goal.idleMb ? 0 : 1;
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
