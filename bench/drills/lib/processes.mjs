import { spawnSync } from 'node:child_process';

/**
 * Returns true if a process exists.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns true if a program is installed.
 *
 * @param {string} program its name on the PATH; it supports `--version`
 */
export const isInstalled = (program) => spawnSync(program, ['--version']).error === undefined;
