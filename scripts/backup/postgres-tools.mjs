import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../cli-output.mjs';
import { SYSTEM_FOLDERS } from '../postgres-binaries.mjs';
import { onShutdown } from '../shutdown.mjs';

/** The names under which libpq verifies certificates. The driver's `no-verify` is its `require`. */
const SSL_MODES = { 'no-verify': 'require', require: 'verify-full', 'verify-ca': 'verify-full' };

/**
 * Finds one of PostgreSQL's client programs, in a version not older than the server's, because an older pg_dump refuses
 * to run.
 *
 * @param {'pg_dump' | 'pg_restore'} program
 * @param {number} serverMajor
 * @returns {string} its path
 * @throws {CliError} with the versions that were found
 */
export function findTool(program, serverMajor) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...SYSTEM_FOLDERS].filter(Boolean);
  const found = [];
  for (const file of new Set(folders.map((folder) => path.join(folder, program)))) {
    if (!existsSync(file)) continue;
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
    const major = Number(/(\d+)/.exec(stdout ?? '')?.[1]);
    if (major >= serverMajor) return file;
    if (major) found.push(`${file} (${major})`);
  }
  const seen = found.length > 0 ? `found only ${found.join(', ')}` : 'found none';
  throw new CliError(
    `${program}: ${seen}; expected version ${serverMajor} or newer in PATH, like the server; ` +
      `install PostgreSQL's client programs (Debian: postgresql-client-${serverMajor})`,
  );
}

/**
 * Runs a client program on the database of a URL. The password is passed in the environment, because other users can
 * read arguments.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {string} url
 * @returns {Promise<void>}
 * @throws {CliError} with the program's messages
 */
export async function runTool(file, args, url) {
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...connectionVariables(url) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onShutdown(async () => {
    child.kill('SIGKILL');
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-4_000);
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new CliError(`${path.basename(file)} exited with ${code}: ${errors.trim()}`);
}

/** Returns the variables of libpq for a connection URL. */
function connectionVariables(url) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  const variables = {
    PGHOST: searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: mode && (SSL_MODES[mode] ?? mode),
    PGSSLROOTCERT: searchParams.get('sslrootcert'),
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
}
