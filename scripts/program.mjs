import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError } from './cli-output.mjs';

/**
 * The root of the repository, or of an unpacked archive. The commands change to it, regardless of the working
 * directory.
 */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_NODE = [20, 19];

/**
 * Rejects a Node version that is too old.
 *
 * @returns {void}
 * @throws {CliError}
 */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new CliError(
    `Node ${OLDEST_NODE.join('.')} or newer is required; this is ${process.versions.node} (${process.execPath})`,
  );
}

/**
 * Returns the URL of a program's bundle for a dynamic import: a static import would not resolve before the first build.
 *
 * @param {'server' | 'demo' | 'env' | 'keys' | 'fees' | 'tax' | 'x402' | 'doctor' | 'move-owners' | 'database-url'} program
 * @returns {string}
 */
export function bundleOf(program) {
  return new URL(`../dist/${program}.mjs`, import.meta.url).href;
}

/**
 * Returns the version of Parley.
 *
 * @returns {string}
 */
export function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
