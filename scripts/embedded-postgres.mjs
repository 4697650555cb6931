import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { withFileLock } from './file-lock.mjs';
import { changeOwner, findPostgres, findRunner } from './postgres-binaries.mjs';
import { freePort, isAlive, isProgram, processMark } from './processes.mjs';

const USER = 'parley';
const DATABASE = 'parley';
const SETTINGS =
  '-c max_connections=200 -c shared_buffers=256MB -c listen_addresses=127.0.0.1 -c unix_socket_directories=';
/** Without these, each commit waits for the disk. A process that ends loses nothing; a machine that ends may lose all. */
const NOT_DURABLE = '-c fsync=off -c full_page_writes=off';
const START_ATTEMPTS = 40;

/**
 * @typedef {object} EmbeddedDatabase
 * @property {string} url connection string of the database `parley`, whose user may create databases
 * @property {number} port
 * @property {boolean} joined true if the server was already running
 * @property {() => Promise<void>} stop detaches from the server; the last process to detach stops it
 */

/**
 * Starts the PostgreSQL server whose data directory is in `dataDir`, or joins it if it is running. `postgres.json`
 * lists the processes that use it; a server whose users were all killed is joined again. With `isDurable: false`, commits
 * do not wait for the disk, and the data is deleted at the start after the server did not shut down properly.
 *
 * @param {{ dataDir: string, isDurable?: boolean }} options
 * @returns {Promise<EmbeddedDatabase>}
 * @throws {CliError} if it cannot run here, with PostgreSQL's own message
 */
export async function startEmbeddedPostgres({ dataDir, isDurable = true }) {
  mkdirSync(dataDir, { recursive: true });
  const folder = realpathSync(dataDir);
  const { folder: binaries, major } = findPostgres();
  const server = {
    folder,
    data: path.join(folder, 'postgres'),
    stateFile: path.join(folder, 'postgres.json'),
    lockFile: path.join(folder, 'postgres.lock'),
    binaries,
    major,
    isDurable,
  };
  return withFileLock(server.lockFile, async () => {
    const runner = findRunner({ binaries, directory: folder });
    if (!isDurable && isCrashed(server)) rmSync(server.data, { recursive: true });
    if (!existsSync(server.data)) await createCluster(server, runner);
    const joined = await isRunning(server);
    if (!joined) await startServer(server, runner);
    const state = readState(server);
    await createDatabaseOnce(state);
    writeState(server, { ...state, users: [...state.users.filter(isAlive), processMark(process.pid)] });
    return { url: urlOf(state, DATABASE), port: state.port, joined, stop: () => leaveServer(server, runner) };
  });
}

/**
 * Creates the cluster in a temporary folder and renames it at the end, so that a killed first start leaves no
 * incomplete cluster.
 */
async function createCluster(server, runner) {
  const draft = `${server.data}.new`;
  const passwordFile = path.join(server.folder, 'postgres.password');
  const password = randomBytes(24).toString('base64url');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    for (const target of [draft, passwordFile]) changeOwner(runner, target);
    const initdb = runner.run(path.join(server.binaries, 'initdb'), [
      ...[
        '-D',
        draft,
        '-U',
        USER,
        `--pwfile=${passwordFile}`,
        '-A',
        'scram-sha-256',
        '-E',
        'UTF8',
        '--no-instructions',
      ],
      ...localeFlags(server.major),
    ]);
    if (initdb.status !== 0) throw new CliError(`initdb failed: ${initdb.stderr || initdb.error?.message}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  writeState(server, { password, port: await freePort(), users: [] });
  renameSync(draft, server.data);
}

/**
 * Returns the locale flags. The locale `C` does not fold case and does not support trigrams outside of ASCII.
 * PostgreSQL 17 added a builtin C.UTF-8.
 */
function localeFlags(major) {
  if (major < 17) return ['--locale=C.UTF-8'];
  return ['--locale=C.UTF-8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
}

async function startServer(server, runner) {
  changeOwner(runner, server.data);
  const log = path.join(server.data, 'server.log');
  // Immediately after a kill, old backends may still hold the shared memory, so the server itself is checked before a
  // retry.
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    removeStalePidFile(server);
    const state = readState(server);
    const options = `-p ${state.port} ${SETTINGS} ${server.isDurable ? '' : NOT_DURABLE}`;
    runner.run(path.join(server.binaries, 'pg_ctl'), [
      'start',
      '-D',
      server.data,
      '-l',
      log,
      '-w',
      '-t',
      '60',
      '-o',
      options,
    ]);
    if (await isRunning(server)) return;
    if (/could not bind/.test(lastLines(log))) writeState(server, { ...state, port: await freePort() });
    await sleep(250);
  }
  throw new CliError(`PostgreSQL did not start in ${server.data}; its log ends with:\n${lastLines(log)}`);
}

/**
 * Removes a stale postmaster.pid. Its process may be a zombie, another program after a reboot, or the server of the
 * folder from which this one was copied; in each case, PostgreSQL would refuse to start.
 */
function removeStalePidFile(server) {
  if (isCrashed(server)) rmSync(pidFileOf(server), { force: true });
}

/** True if the file of the server's process id was left by a server that no longer runs. */
function isCrashed(server) {
  const pidFile = pidFileOf(server);
  if (!existsSync(pidFile)) return false;
  const [pid, directory] = readFileSync(pidFile, 'utf8').split('\n');
  return directory !== server.data || !isProgram(Number(pid), 'postgres');
}

function pidFileOf({ data }) {
  return path.join(data, 'postmaster.pid');
}

/** Returns true if this cluster responds. A copied folder has the port and password of the original's server. */
async function isRunning(server) {
  const client = await connect(readState(server), 'postgres');
  if (!client) return false;
  try {
    const { rows } = await client.query("SELECT current_setting('data_directory') AS directory");
    return rows[0].directory === server.data;
  } finally {
    await client.end();
  }
}

async function createDatabaseOnce(state) {
  const client = await connect(state, 'postgres');
  if (!client) throw new CliError('PostgreSQL exited while Parley was starting; start again');
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Returns a client, or null if no server responds, in which case the server's log contains the reason. */
async function connect(state, database) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: urlOf(state, database), connectionTimeoutMillis: 15_000 });
  try {
    await client.connect();
    return client;
  } catch {
    await client.end();
    return null;
  }
}

async function leaveServer(server, runner) {
  await withFileLock(server.lockFile, async () => {
    const state = readState(server);
    const position = state.users.indexOf(processMark(process.pid));
    const users = state.users.filter((user, index) => index !== position && isAlive(user));
    writeState(server, { ...state, users });
    if (users.length > 0) return;
    const stopped = runner.run(path.join(server.binaries, 'pg_ctl'), [
      'stop',
      '-D',
      server.data,
      '-m',
      'fast',
      '-w',
      '-t',
      '30',
    ]);
    if (stopped.status !== 0 && (await isRunning(server)))
      throw new CliError(`PostgreSQL did not stop: ${stopped.stderr}`);
  });
}

function urlOf({ password, port }, database) {
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
}

function readState(server) {
  if (existsSync(server.stateFile)) return JSON.parse(readFileSync(server.stateFile, 'utf8'));
  throw new CliError(
    `${server.data} contains a database, but ${server.stateFile} with its password is missing; ` +
      'restore the file, or remove the folder to start with an empty database',
  );
}

/** Writes a temporary file and renames it, so that a process killed while writing does not lose the password. */
function writeState(server, state) {
  const draft = `${server.stateFile}.new`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, server.stateFile);
}

function lastLines(file) {
  if (!existsSync(file)) return '(no log)';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
}
