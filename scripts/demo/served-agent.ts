import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, processMark } from '../processes.mjs';
import { endProcess } from './end-process';

/** A program of agents that have no URL. */
export interface ServedLaunch {
  /** Slug of the agent whose handler `parley serve` runs; null for a standalone program. */
  slug: string | null;
  /** The bundled handler or program. */
  bundle: string;
  logFile: string;
  /** The Parley to connect to. */
  parleyUrl: string;
  clientId: string;
  clientSecret: string;
  /** Folder for the command line's own files. */
  configFolder: string;
}

const PROGRAM = 'packages/cli/bin/parley.mjs';
const CAPACITY = '20';
/** Maximum time in which running turns may finish at an orderly stop, milliseconds. */
const DRAIN_MS = 3_000;

/** Returns SHA-256 of a bundle. */
export function buildOf(bundle: string): string {
  return createHash('sha256').update(readFileSync(bundle)).digest('hex');
}

/**
 * Starts the program and returns its `processMark`. Its agents connect shortly afterwards. The process is detached, so
 * that Ctrl-C does not reach it before the server.
 */
export async function startServed(launch: ServedLaunch): Promise<string> {
  const { slug, bundle, logFile, parleyUrl, clientId, clientSecret, configFolder } = launch;
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const served = ['--api-url', parleyUrl, 'serve', bundle, '--agent', slug ?? '', '--capacity', CAPACITY];
  const args = slug === null ? [path.resolve(bundle)] : [path.resolve(PROGRAM), ...served];
  const child = spawn(process.execPath, args, {
    env: {
      NODE_ENV: 'production',
      PARLEY_URL: parleyUrl,
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

/** Stops the program with SIGTERM, after which it finishes its running turns, and with SIGKILL after three seconds. */
export async function stopServed(name: string, mark: string | null): Promise<void> {
  if (mark === null || !isAlive(mark) || !isOurs(mark)) return;
  await endProcess(mark, { name: `the demo agent ${name}`, termMs: DRAIN_MS });
}

/** Returns false for a mark without a start time, which may refer to another program's process. */
function isOurs(mark: string): boolean {
  if (!mark.endsWith(':')) return true;
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', mark.slice(0, -1)], { encoding: 'utf8' });
  return /packages\/cli\/bin\/parley\.mjs|dist\/agents\//.test(stdout ?? '');
}
