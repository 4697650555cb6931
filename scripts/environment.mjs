import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from './cli-output.mjs';
import { probePort } from './processes.mjs';
import { bundleOf } from './program.mjs';

/**
 * Loads `.env` from the working directory. Variables that are already set take precedence.
 *
 * @returns {void}
 */
export function loadEnvFile() {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/**
 * Sets the interdependent defaults in this process's environment before it is read. An empty variable counts as unset.
 *
 * @param {{ dev: boolean }} mode
 * @returns {{ port: number, host: string, dataDir: string }}
 * @throws {CliError} if PORT is not a port; lib/platform/runtime/env.ts checks the rest
 */
export function completeEnvironment({ dev }) {
  const { env } = process;
  env.NODE_ENV = dev ? 'development' : 'production';
  env.NEXT_TELEMETRY_DISABLED = '1';
  env.PORT ||= '3000';
  env.HOST ||= '127.0.0.1';
  env.DATA_DIR = path.resolve(env.DATA_DIR || '.data');
  const port = Number(env.PORT);
  if (!/^\d+$/.test(env.PORT) || port < 1 || port > 65_535) {
    throw new CliError(`PORT: found ${JSON.stringify(env.PORT)}; expected a whole number from 1 to 65535`);
  }
  env.APP_URL ||= new URL(`http://localhost:${port}`).origin;
  return { port, host: env.HOST, dataDir: env.DATA_DIR };
}

/**
 * Checks that the port is available, before a first start that may take minutes.
 *
 * @param {{ port: number, host: string }} address
 * @returns {Promise<void>}
 * @throws {CliError}
 */
export async function requireFreePort({ port, host }) {
  let state;
  try {
    state = await probePort({ port, host });
  } catch (error) {
    throw new CliError(
      `HOST: found ${JSON.stringify(host)}; expected an IP address or name of this machine (${error.message})`,
    );
  }
  if (state === 'free') return;
  throw new CliError(
    state === 'taken'
      ? `port ${port} on ${host} is in use by another program; stop it, or choose another port: PORT=${port + 1} npm start`
      : `this user may not use port ${port} on ${host}; choose a port above 1023: PORT=3000 npm start`,
  );
}

/**
 * Validates every variable as the server will, before the database starts. The error contains the name of the invalid
 * variable.
 *
 * @returns {Promise<void>}
 * @throws {Error} named EnvError
 */
export async function checkEnvironment() {
  const { readEnv } = await import(bundleOf('env'));
  // The embedded database has no URL yet.
  readEnv({ ...process.env, DATABASE_URL: process.env.DATABASE_URL || 'postgresql://embedded' });
}
