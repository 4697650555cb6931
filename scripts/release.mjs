import { readFileSync } from 'node:fs';
import { CliError } from './cli-output.mjs';

/**
 * Returns the release of a tree and the oldest release whose nodes may run alongside it (`parley.oldestPeer` in
 * package.json).
 *
 * @param {string | URL} [file] its package.json
 * @returns {{ release: string, oldestPeer: string }}
 * @throws {CliError}
 */
export function readRelease(file = new URL('../package.json', import.meta.url)) {
  const { version, parley } = JSON.parse(readFileSync(file, 'utf8'));
  const [release] = version.split('-');
  const oldestPeer = parley?.oldestPeer;
  const isValid = [release, oldestPeer].every((each) => /^\d+\.\d+\.\d+$/.test(each ?? ''));
  if (isValid && compareReleases(oldestPeer, release) <= 0) return { release, oldestPeer };
  throw new CliError(
    `package.json: found version ${version} and parley.oldestPeer ${oldestPeer}; expected releases such as 1.2.0, the peer not newer`,
  );
}

/**
 * Compares two releases such as `1.2.0`.
 *
 * @param {string} left
 * @param {string} right
 * @returns {number} negative if `left` is older, 0 if they are the same
 */
export function compareReleases(left, right) {
  const [a, b] = [left, right].map((release) => release.split('.').map(Number));
  const differs = a.findIndex((part, at) => part !== b[at]);
  return differs < 0 ? 0 : a[differs] - b[differs];
}
