// R16: one machine loses power: a node and its embedded database are killed at the same time, at a random moment during
// writes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { damageIn } from './lib/cluster.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { wait } from './lib/wait.mjs';
import { countLost, ledgerError, startWriting } from './lib/writer.mjs';

const agent = await startPeer('unary-agent');
const parley = await startParley({ people: 8, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const cluster = path.join(parley.dataDir, 'postgres');
let { pid, origin } = parley;

/** Returns the processes of the cluster's server and its backends. */
function databaseProcesses() {
  const server = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0];
  const children = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === server);
  return [server, ...children].map(Number);
}

function parentOf(id) {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
  } catch {
    return null;
  }
}

function kill(id) {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

await drill('After a power cut, the embedded database opens and has every acknowledged write', async (report) => {
  const { figure, check } = report;
  const cuts = rounds(200);
  const tokens = await parley.tokens();
  const writer = startWriting({ origin: () => origin, path: `/agents/${parley.slug}/a2a/jsonrpc`, tokens });
  let longestMs = 0;
  let database;
  for (let cut = 1; cut <= cuts; cut++) {
    await wait(200 + Math.random() * 800);
    for (const id of [pid, ...databaseProcesses()]) kill(id);
    const startedAt = performance.now();
    database = await startEmbeddedPostgres({ dataDir: parley.dataDir });
    const node = await parley.another();
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    ({ pid, origin } = node);
    const lost = await countLost(parley.databaseUrl, writer.acknowledged);
    if (lost > 0) figure(`cut ${cut}`, `${lost} acknowledged writes are missing`);
  }
  await wait(1_000);
  await writer.stop();
  const lost = await countLost(parley.databaseUrl, writer.acknowledged);
  figure('power cuts', cuts);
  figure('acknowledged writes', writer.acknowledged.length);
  figure('longest time until a node was ready, s', (longestMs / 1_000).toFixed(1));
  check('each acknowledged write is there', lost === 0 || `${lost} of ${writer.acknowledged.length} are missing`);
  check('the database reports no damage', damageIn(path.join(cluster, 'server.log')).length === 0);
  check('the ledger adds up to zero', await ledgerError(parley.databaseUrl));
  await database.stop();
});
await parley.stop();
await agent.stop();
