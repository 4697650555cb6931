import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { changeOwner, findRunner } from '../../../scripts/postgres-binaries.mjs';
import { freePort } from '../../../scripts/processes.mjs';
import { ROOT } from '../../../scripts/program.mjs';
import { systemPostgres } from './cluster.mjs';
import { isAlive } from './processes.mjs';
import { startProxy } from './tcp-proxy.mjs';
import { until } from './wait.mjs';

const startMs = 60_000;
const password = 'only-for-drills';

/** Returns true if Patroni is version 4 or newer. Patroni 3.0 loses acknowledged commits after a freeze. */
export function hasSafePatroni() {
  const { stdout } = spawnSync('patroni', ['--version'], { encoding: 'utf8' });
  return Number(/^patroni (\d+)/.exec(stdout ?? '')?.[1]) >= 4;
}

/**
 * Starts three PostgreSQL servers under Patroni, with etcd, and HAProxy, which forwards to the primary. The network of
 * each server, to its clients, standbys and etcd, passes through proxies that can be cut.
 *
 * @param {{ isSynchronous: boolean }} options
 */
export async function startPatroni({ isSynchronous }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-patroni-'));
  chmodSync(folder, 0o755);
  const binaries = systemPostgres();
  const runner = findRunner({ binaries, directory: folder });
  const etcd = await startEtcd(folder);
  const servers = [];
  for (const name of ['db1', 'db2', 'db3'])
    servers.push(await createServer({ name, folder, binaries, runner, etcd, isSynchronous }));
  for (const server of servers) server.start();
  const haproxy = await startHaproxy({ folder, servers });

  /** Returns the state of a server from Patroni's REST API; null if it does not respond. */
  const stateOf = async ({ restPort }) => {
    const response = await fetch(`http://127.0.0.1:${restPort}/patroni`, { signal: AbortSignal.timeout(1_000) });
    return response.json();
  };
  const findPrimary = async () => {
    const states = await Promise.all(servers.map((server) => stateOf(server).catch(() => null)));
    const at = states.findIndex((state) => state?.state === 'running' && ['master', 'primary'].includes(state.role));
    return at < 0 ? null : servers[at];
  };
  /** Waits until there is a primary other than `former`, with two streaming standbys if `isWhole`. */
  const untilPrimary = async ({ former = null, isWhole = false } = {}) => {
    let primary;
    await until(
      async () => {
        primary = await findPrimary();
        if (!primary || primary === former) return false;
        if (!isWhole) return true;
        const { replication = [] } = await stateOf(primary);
        const isReplicated = replication.filter(({ state }) => state === 'streaming').length === servers.length - 1;
        return isReplicated && (!isSynchronous || replication.some(({ sync_state: sync }) => sync === 'sync'));
      },
      { withinMs: 120_000, what: isWhole ? 'a primary with two standbys' : 'a primary' },
    );
    return primary;
  };
  await untilPrimary({ isWhole: true });
  return {
    servers,
    untilPrimary,
    /** The URL of the primary through HAProxy. */
    url: `postgresql://parley:${password}@127.0.0.1:${haproxy.port}/parley`,
    /** The URL with all servers. */
    listUrl: `postgresql://parley:${password}@${servers.map(({ port }) => `127.0.0.1:${port}`)}/parley?target_session_attrs=read-write`,
    /** Requests a switchover from Patroni, as an operator does. */
    async switchOver(primary) {
      const leader = primary.name;
      const response = await fetch(`http://127.0.0.1:${primary.restPort}/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}` },
        body: JSON.stringify({ leader }),
      });
      if (!response.ok) throw new Error(`the switchover responded ${response.status}: ${await response.text()}`);
    },
    async stop() {
      for (const server of servers) server.stop();
      haproxy.child.kill('SIGKILL');
      etcd.child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Output goes to a file that is removed with the folder. */
function spawnLogged(program, args, { folder, name, owner, env = {} }) {
  const log = openSync(path.join(folder, `${name}.log`), 'a');
  return spawn(program, args, { stdio: ['ignore', log, log], ...owner, env: { PATH: process.env.PATH, ...env } });
}

async function startEtcd(folder) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const peer = `http://127.0.0.1:${peerPort}`;
  const args = [
    ...['--name', 'etcd', '--data-dir', path.join(folder, 'etcd')],
    ...['--listen-client-urls', `http://127.0.0.1:${port}`, '--advertise-client-urls', `http://127.0.0.1:${port}`],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
  ];
  const child = spawnLogged('etcd', args, { folder, name: 'etcd' });
  const isHealthy = async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  await until(isHealthy, { withinMs: startMs, what: 'etcd' });
  return { child, port };
}

async function createServer({ name, folder, binaries, runner, etcd, isSynchronous }) {
  const home = path.join(folder, name);
  const data = path.join(home, 'data');
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const [localPort, restPort, toClients, toEtcd] = [
    await freePort(),
    await freePort(),
    await startProxy(),
    await startProxy(),
  ];
  toClients.moveTo(localPort);
  toEtcd.moveTo(etcd.port);
  const file = path.join(home, 'patroni.json');
  writeFileSync(file, JSON.stringify(configurationOf({ isSynchronous, home })));
  const env = {
    HOME: home,
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${localPort}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${toClients.port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: binaries,
    PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${toEtcd.port}`,
    // Without discovery of the members, which would bypass the proxy.
    PATRONI_ETCD3_USE_PROXIES: 'true',
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: password,
    PARLEY_PASSWORD: password,
  };
  changeOwner(runner, home);
  let patroni = null;
  const signal = (name, pids = [patroni.pid, ...postgresProcesses(data)]) => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, name);
  };
  const server = {
    name,
    restPort,
    port: toClients.port,
    localPort,
    start() {
      patroni = spawnLogged('patroni', [file], { folder, name, owner: runner.owner, env });
    },
    /** The machine dies. */
    kill: () => signal('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    cut() {
      toClients.cut();
      toEtcd.cut();
    },
    restore() {
      toClients.restore();
      toEtcd.restore();
    },
    /** PostgreSQL crashes; Patroni survives. */
    crash: () => signal('SIGKILL', postgresProcesses(data)),
    stop() {
      signal('SIGKILL');
      toClients.stop();
      toEtcd.stop();
    },
  };
  return server;
}

/** Returns the configuration of `deploy/patroni`, with the paths of a server. */
function configurationOf({ isSynchronous, home }) {
  const configuration = parse(readFileSync(path.join(ROOT, 'deploy/patroni/patroni.yml'), 'utf8'));
  Object.assign(configuration.bootstrap.dcs, {
    synchronous_mode: isSynchronous,
    synchronous_mode_strict: isSynchronous,
  });
  configuration.bootstrap.post_bootstrap = path.join(ROOT, 'deploy/patroni/create-database.sh');
  configuration.postgresql.parameters.unix_socket_directories = home;
  return configuration;
}

/** Returns the postmaster of a data directory and its children. */
function postgresProcesses(data) {
  let postmaster;
  try {
    postmaster = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === postmaster);
  return [postmaster, ...children.map(Number)];
}

function parentOf(pid) {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[1],
    );
  } catch {
    return null;
  }
}

/** Starts HAProxy with the configuration of `deploy/patroni`, and the addresses of these servers. */
async function startHaproxy({ folder, servers }) {
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  const deployed = readFileSync(path.join(ROOT, 'deploy/patroni/haproxy.cfg'), 'utf8');
  const configuration = servers.reduce(
    (text, { name, port: at, restPort }) =>
      text.replace(`${name}:5432 check port 8008`, `127.0.0.1:${at} check port ${restPort}`),
    deployed.replace('bind *:5432', `bind 127.0.0.1:${port}`),
  );
  writeFileSync(file, configuration);
  const child = spawnLogged('haproxy', ['-db', '-f', file], { folder, name: 'haproxy' });
  return { child, port };
}
