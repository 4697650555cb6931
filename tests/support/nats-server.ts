import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port';
import { waitFor } from './wait-for';

/** The reason why tests of NATS cannot run here, or null when they can. Debian's package is `nats-server`. */
export const natsMissing = spawnSync('nats-server', ['--version']).status === 0 ? null : 'nats-server is not installed';

export interface NatsServer {
  /** Without credentials. */
  url: string;
  port: number;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** The names of its clients. */
  clients(): Promise<string[]>;
  /** The subjects of each client. */
  subscriptions(): Promise<string[][]>;
  kill(): Promise<void>;
  /** Restarts it on the same port, without its earlier state. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real `nats-server` on a free port. `config`: lines of its configuration file. */
export async function startNats(config = ''): Promise<NatsServer> {
  const port = await freePort();
  const monitoringPort = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  const file = path.join(folder, 'nats.conf');
  writeFileSync(file, `host: 127.0.0.1\nport: ${port}\nhttp: "127.0.0.1:${monitoringPort}"\n${config}\n`);
  let running: ChildProcess;

  async function start(): Promise<void> {
    running = spawn('nats-server', ['--config', file], { stdio: 'ignore' });
    const end = (): boolean => running.kill('SIGKILL');
    process.once('exit', end);
    running.once('exit', () => process.off('exit', end));
    await waitFor(() => accepts(port), { what: 'nats-server to listen' });
  }

  async function kill(): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  async function connections(): Promise<{ name?: string; subscriptions_list?: string[] }[]> {
    const response = await fetch(`http://127.0.0.1:${monitoringPort}/connz?subs=1`);
    return ((await response.json()) as { connections: { name?: string; subscriptions_list?: string[] }[] }).connections;
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    signal: (name) => running.kill(name),
    clients: async () => (await connections()).map(({ name = '' }) => name),
    subscriptions: async () => (await connections()).map(({ subscriptions_list: subjects = [] }) => subjects),
    kill,
    restart: async () => {
      await kill();
      await start();
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });
}
