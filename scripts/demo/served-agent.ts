import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, processMark } from '../processes.mjs';
import { endProcess } from './end-process';

/** An agent without an address: `parley serve` runs its bundle, as a developer would. */
export interface ServedLaunch {
  slug: string;
  /** The bundled handler. */
  bundle: string;
  logFile: string;
  /** The Parley to connect to. */
  parleyUrl: string;
  clientId: string;
  clientSecret: string;
  /** Where the command line may keep files of its own. */
  configFolder: string;
}

const PROGRAM = 'packages/cli/bin/parley.mjs';
const CAPACITY = '20';
/** How long the running turns of an orderly stop may take. */
const DRAIN_MS = 3_000;

/** SHA-256 of a bundle. */
export function buildOf(bundle: string): string {
  return createHash('sha256').update(readFileSync(bundle)).digest('hex');
}

/**
 * Starts the agent and returns its `processMark`; it connects a moment later. The process is detached, so that Ctrl-C
 * does not reach it before the server.
 */
export async function startServed(launch: ServedLaunch): Promise<string> {
  const { slug, bundle, logFile, parleyUrl, clientId, clientSecret, configFolder } = launch;
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const args = ['--api-url', parleyUrl, 'serve', bundle, '--agent', slug, '--capacity', CAPACITY];
  const child = spawn(process.execPath, [path.resolve(PROGRAM), ...args], {
    env: {
      NODE_ENV: 'production',
      PARLEY_CLIENT_ID: clientId,
      PARLEY_CLIENT_SECRET: clientSecret,
      PARLEY_CONFIG_DIR: configFolder,
    },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return (child.pid && processMark(child.pid)) || '';
}

/** Stops the agent with SIGTERM, upon which it finishes its running turns, and with SIGKILL after three seconds. */
export async function stopServed(slug: string, mark: string | null): Promise<void> {
  if (mark === null || !isAlive(mark) || !isOurs(mark)) return;
  await endProcess(mark, { name: `the demo agent ${slug}`, termMs: DRAIN_MS });
}

/** A mark without a start time may name another program's process by now. */
function isOurs(mark: string): boolean {
  if (!mark.endsWith(':')) return true;
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', mark.slice(0, -1)], { encoding: 'utf8' });
  return stdout?.includes(PROGRAM) ?? false;
}
