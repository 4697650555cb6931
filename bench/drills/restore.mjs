// R14: a database is destroyed and restored: from a backup taken under load, and to a moment between two writes.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { connectTo } from '../../scripts/migrate.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { createCluster, remove, systemPostgres } from './lib/cluster.mjs';
import { drill, skipUnless } from './lib/drill.mjs';
import { wait } from './lib/wait.mjs';
import { countLost, ledgerError, startWriting } from './lib/writer.mjs';

const binaries = systemPostgres();
skipUnless(binaries !== null, 'PostgreSQL with pg_dump is not installed (Debian: apt-get install postgresql)');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-drill-'));
const archive = path.join(folder, 'archive');
const backups = path.join(folder, 'backups');
mkdirSync(archive);
const cluster = await createCluster({
  folder: path.join(folder, 'cluster'),
  binaries,
  settings: ['archive_mode = on', `archive_command = 'cp %p ${archive}/%f.new && mv ${archive}/%f.new ${archive}/%f'`],
});
cluster.adopt(archive);
cluster.start();
for (const name of ['before', 'after']) await cluster.query('postgres', `CREATE DATABASE ${name}`);

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const database = { url: cluster.url('before'), stop: async () => undefined };
const parley = await startParley({ people: 10, agentUrl, database });
const apiPath = `/agents/${parley.slug}/a2a/jsonrpc`;

/** Runs the program `parley` on a database; returns its output or throws. Calls continue in the meantime. */
async function command(name, ...args) {
  const env = { ...parley.variables, PATH: process.env.PATH, DATABASE_URL: cluster.url(name) };
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/cli/main.mjs', ...args], { env });
  return stdout.trim();
}

/** Returns the status of a call with an agent token. */
async function callWith(origin, token) {
  const writer = startWriting({ origin: () => origin, path: apiPath, tokens: [token] });
  while (writer.statuses.size === 0) await wait(20);
  await writer.stop();
  return [...writer.statuses.keys()][0];
}

async function backUpAndRestore({ figure, check }) {
  const tokens = await parley.tokens();
  const writer = startWriting({ origin: () => parley.origin, path: apiPath, tokens });
  await wait(3_000);
  const before = [...writer.acknowledged];
  const startedAt = performance.now();
  const backingUp = await command('before', 'backup', '--to', backups);
  const during = writer.acknowledged.length - before.length;
  figure('backup under load, s', ((performance.now() - startedAt) / 1_000).toFixed(1));
  await wait(1_000);
  await writer.stop();
  const [late] = await parley.tokens();
  figure('acknowledged before, in all', `${before.length}, ${writer.acknowledged.length}`);
  process.kill(parley.pid, 'SIGKILL');
  await cluster.query('postgres', 'DROP DATABASE before WITH (FORCE)');
  const backup = path.join(backups, readdirSync(backups)[0]);
  const { auditMark } = JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8'));
  const restoringAt = performance.now();
  figure('restored', await command('after', 'backup', 'restore', backup));
  figure('restore, s', ((performance.now() - restoringAt) / 1_000).toFixed(1));
  check('calls were served during the backup', (during > 0 && backingUp.includes(' rows')) || `${during} calls`);
  check(
    'the audit log is whole and contains the mark of the backup',
    /verified/.test(await command('after', 'audit', auditMark)),
  );
  const lost = await countLost(cluster.url('after'), before);
  check('each write acknowledged before the backup is there', lost === 0 || `${lost} are missing`);
  check('the ledger adds up to zero', await ledgerError(cluster.url('after')));
  const node = await parley.another({ DATABASE_URL: cluster.url('after') });
  check('an agent token from before the backup still works', (await callWith(node.origin, tokens[0])) === 200);
  figure('status of a call with an agent token issued after the backup', await callWith(node.origin, late));
  return { node, token: tokens[0] };
}

async function switchedSegment() {
  await cluster.query('postgres', 'SELECT pg_switch_wal()');
  const [{ name }] = await cluster.query('postgres', 'SELECT last_archived_wal AS name FROM pg_stat_archiver');
  return name;
}

async function restoreToMoment({ node, token }, { figure, check }) {
  const base = path.join(folder, 'base');
  const client = await connectTo(cluster.url('postgres'));
  await client.query("SELECT pg_backup_start('drill', true)");
  cpSync(cluster.data, base, { recursive: true, filter: (file) => !/postmaster\.(pid|opts)$|\/pg_wal\/.+/.test(file) });
  const { rows } = await client.query('SELECT labelfile, spcmapfile FROM pg_backup_stop(false)');
  writeFileSync(path.join(base, 'backup_label'), rows[0].labelfile);
  await client.end();
  const write = async () => {
    const writer = startWriting({ origin: () => node.origin, path: apiPath, tokens: [token] });
    while (writer.acknowledged.length === 0) await wait(20);
    await writer.stop();
    return writer.acknowledged;
  };
  const first = await write();
  await wait(200);
  const [{ moment }] = await cluster.query('postgres', 'SELECT clock_timestamp()::text AS moment');
  await wait(200);
  const second = await write();
  const segment = await switchedSegment();
  while ((await switchedSegment()) === segment) await wait(200);
  process.kill(node.pid, 'SIGKILL');
  cluster.stop('immediate');
  remove(cluster.data);
  const startedAt = performance.now();
  cpSync(base, cluster.data, { recursive: true });
  const settings = [`restore_command = 'cp ${archive}/%f %p'`, `recovery_target_time = '${moment}'`];
  const lines = [...settings, "recovery_target_action = 'promote'"].join('\n');
  writeFileSync(path.join(cluster.data, 'postgresql.auto.conf'), `${lines}\n`);
  writeFileSync(path.join(cluster.data, 'recovery.signal'), '');
  cluster.adopt(cluster.data);
  cluster.start();
  while ((await cluster.query('postgres', 'SELECT pg_is_in_recovery() AS is'))[0].is) await wait(100);
  figure('restore to a moment, s', ((performance.now() - startedAt) / 1_000).toFixed(1));
  const url = cluster.url('after');
  const lost = await countLost(url, first);
  check('each write before the moment is there', lost === 0 || `${lost} are missing`);
  const absent = await countLost(url, second);
  check('no write after the moment is there', absent === second.length || `${second.length - absent} are there`);
  check('the audit log is whole at that moment', /verified/.test(await command('after', 'audit')));
  const restarted = await parley.another({ DATABASE_URL: url });
  check('a node serves calls at that moment', (await callWith(restarted.origin, token)) === 200);
}

await drill('A destroyed database is restored, as of the backup and as of a moment', async (report) => {
  await restoreToMoment(await backUpAndRestore(report), report);
});
for (const { stop } of [parley, agent, cluster]) await stop();
remove(folder);
