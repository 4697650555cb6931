import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileDatabase } from './database';
import { freePort } from './free-port';
import { taskDatabaseUrls } from './task-databases';
import { waitFor } from './wait-for';

export interface ParleyOptions {
  /** Variables in addition to the defaults; an empty one counts as unset. */
  env?: Record<string, string>;
  /** Default: the database of the test file, so that two Parleys are two nodes sharing it. */
  databaseUrl?: string;
  /** Default: a private folder, removed at the end. */
  dataDir?: string;
}

export interface Parley {
  url: string;
  databaseUrl: string;
  dataDir: string;
  readonly pid: number;
  /** Sends a signal and waits until the process has exited. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Restarts on the same port, database and folder; shuts a running process down first. */
  restart(): Promise<void>;
  /** Shuts the process down and removes its folder. */
  stop(): Promise<void>;
  /** All output since the first start. */
  output(): string;
}

const startTimeoutMs = 60_000;
const tailLength = 3_000;
/** Uses the test process's keys when set, so that code called by a test can decrypt data from a Parley. */
const secrets = {
  NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? randomBytes(32).toString('base64url'),
  KEY_ENCRYPTION_KEY: process.env.KEY_ENCRYPTION_KEY ?? randomBytes(32).toString('base64url'),
};
/** Ends a process with the one that started it, even after SIGKILL: then its input ends. */
const endWithStarter = 'data:text/javascript,process.stdin.on("end",()=>process.exit(1)).resume()';

let isShared = false;

/** Rejects starts on the database of this process, which a Parley already serves. */
export function shareParley(): void {
  isShared = true;
}

/**
 * Starts the built Parley on a free port and waits until it is ready.
 * @throws with the end of its output when it exits or is not ready within a minute
 */
export async function startParley(options: ParleyOptions = {}): Promise<Parley> {
  if (isShared && options.databaseUrl === undefined)
    throw new Error(
      'This file starts a Parley, so it needs a process of its own: see startsParley in vitest.config.ts.',
    );
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const databaseUrl = options.databaseUrl ?? (await fileDatabase()).url;
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'parley-'));
  const env = environmentOf({ port, url, databaseUrl, dataDir }, options.env);
  const output: string[] = [];
  let running: ChildProcess;

  async function start(): Promise<void> {
    const args = ['--import', endWithStarter, 'scripts/serve.mjs'];
    running = spawn(process.execPath, args, { env, stdio: 'pipe' });
    for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)));
    children.add(running);
    const child = running;
    child.once('exit', () => children.delete(child));
    try {
      await waitFor(() => isReady(url, child), { timeout: startTimeoutMs, what: 'Parley to be ready' });
    } catch (error) {
      await endProcess(child, 'SIGKILL');
      throw new Error(`Parley did not start; its output ends with:\n${output.join('').slice(-tailLength)}`, {
        cause: error,
      });
    }
    if (hasEnded(child))
      throw new Error(`Parley ended at once; its output ends with:\n${output.join('').slice(-tailLength)}`);
  }

  await start();
  return {
    url,
    databaseUrl,
    dataDir,
    get pid() {
      return running.pid ?? 0;
    },
    kill: (signal) => endProcess(running, signal),
    async restart() {
      await endProcess(running, 'SIGTERM');
      await start();
    },
    async stop() {
      await endProcess(running, 'SIGTERM');
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
    output: () => output.join(''),
  };
}

/** A Parley under test does not inherit the developer's environment. */
function environmentOf(
  { port, url, databaseUrl, dataDir }: { port: number; url: string; databaseUrl: string; dataDir: string },
  extra: Record<string, string> = {},
): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // Next would load the variables of .env by itself.
    __NEXT_PROCESSED_ENV: 'true',
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: url,
    DATABASE_URL: databaseUrl,
    TASK_DATABASE_URLS: taskDatabaseUrls(databaseUrl),
    DATA_DIR: dataDir,
    DEMO: '0',
    // Listed only by its own tests, because other tests count agents.
    CONCIERGE: 'off',
    // Only tests call their agents, except in tests of probes.
    PROBE_INTERVAL_SECONDS: '0',
    // Only tests of search compare meanings: loading the model takes half a second of each start.
    EMBEDDINGS: 'off',
    // Many tests leave agents that never respond.
    DRAIN_SECONDS: '1',
    ...secrets,
    ...extra,
  };
}

/** True once `/readyz` succeeds or the process has ended. */
async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  if (hasEnded(child)) return true;
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
  await response.arrayBuffer();
  return response.status === 200;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

const children = new Set<ChildProcess>();
// A test file that fails between start and stop leaves no server running.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
