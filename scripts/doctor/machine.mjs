import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireNode } from '../program.mjs';
import { fail, ok, textOf, warn } from './finding.mjs';

const MIN_FREE_GB = 1;
const MIN_OPEN_FILES = 4_096;
/** Minimum number of different characters of a secret. Random text of 32 characters has about 20. */
const MIN_DIFFERENT_CHARACTERS = 10;

/** @returns {import('./finding.mjs').Finding} */
export function checkNode() {
  try {
    requireNode();
    return ok(`Node ${process.versions.node} on ${process.platform} ${process.arch}`);
  } catch (error) {
    return fail(error.message, 'install Node 20.19 or newer');
  }
}

/** @returns {import('./finding.mjs').Finding} */
export function checkSecrets() {
  const { NEXTAUTH_SECRET = '', KEY_ENCRYPTION_KEY = '' } = process.env;
  const weak = Object.entries({ NEXTAUTH_SECRET, KEY_ENCRYPTION_KEY })
    .filter(([, value]) => value !== '' && new Set(value).size < MIN_DIFFERENT_CHARACTERS)
    .map(([name]) => name);
  if (weak.length > 0) return fail(`${weak.join(' and ')}: not random`, 'generate each with: openssl rand -base64 48');
  if (NEXTAUTH_SECRET === '' || KEY_ENCRYPTION_KEY === '')
    return fail('a secret is not set', 'set NEXTAUTH_SECRET and KEY_ENCRYPTION_KEY, the same on every node');
  if (NEXTAUTH_SECRET === KEY_ENCRYPTION_KEY)
    return warn('NEXTAUTH_SECRET and KEY_ENCRYPTION_KEY are equal', 'use a secret of its own for each');
  return ok('both secrets are set');
}

/** @returns {import('./finding.mjs').Finding} */
export function checkDataFolder() {
  const folder = process.env.DATA_DIR;
  const existing = firstExisting(folder);
  const probe = path.join(existing, `.parley-doctor-${process.pid}`);
  try {
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } catch (error) {
    return fail(
      `DATA_DIR: ${folder} is not writable (${error.code})`,
      'make it writable for this user, or set DATA_DIR',
    );
  }
  const { bavail, bsize } = statfsSync(existing);
  const freeGb = (bavail * bsize) / 1e9;
  if (freeGb < MIN_FREE_GB) return warn(`DATA_DIR: ${freeGb.toFixed(1)} GB free`, `free at least ${MIN_FREE_GB} GB`);
  return ok(`DATA_DIR: ${folder} is writable, ${freeGb.toFixed(1)} GB free`);
}

function firstExisting(folder) {
  return existsSync(folder) ? folder : firstExisting(path.dirname(folder));
}

/** @returns {import('./finding.mjs').Finding} */
export function checkOpenFiles() {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (!soft || Number(soft) >= MIN_OPEN_FILES) return ok(`${soft ?? 'any number of'} open files`);
  return warn(
    `at most ${soft} open files`,
    'each caller, stream and agent needs one; raise the limit to 65536 (systemd: LimitNOFILE=65536)',
  );
}

/**
 * Runs a check. An unexpected error is a failure.
 *
 * @param {() => import('./finding.mjs').Finding | Promise<import('./finding.mjs').Finding>} check
 * @returns {Promise<import('./finding.mjs').Finding>}
 */
export async function finding(check) {
  try {
    return await check();
  } catch (error) {
    return fail(textOf(error), 'correct the cause and run parley doctor again');
  }
}
