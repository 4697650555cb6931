import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { isAlive, processMark } from './processes.mjs';

/**
 * Maximum time to wait for a lock. Exceeds the duration of a first start on a slow machine, because installing and
 * building hold a lock.
 */
const MAX_WAIT_MS = 15 * 60_000;
/** Delay after which the wait is reported once. */
const REPORT_AFTER_MS = 5_000;

/**
 * Runs `work` while holding the lock file exclusively. If its holder has died, the lock is acquired regardless.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {CliError} if a live process holds the lock for 15 minutes
 */
export async function withFileLock(file, work) {
  const startedAt = Date.now();
  let isReported = false;
  while (!acquireLock(file)) {
    const waited = Date.now() - startedAt;
    if (waited > MAX_WAIT_MS)
      throw new CliError(`${file} is locked by process ${holderOf(file)}; stop it and try again`);
    if (waited > REPORT_AFTER_MS && !isReported) {
      isReported = true;
      console.error(`  waiting for process ${holderOf(file)}, which has locked ${file}`);
    }
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function acquireLock(file) {
  try {
    writeFileSync(file, processMark(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = readLock(file);
  // An empty file is a lock that was just created and has not been written yet.
  if (holder && !isAlive(holder)) discard(file);
  return false;
}

/** Renames the file before deleting it, so that only one of two processes that find a dead holder removes the lock. */
function discard(file) {
  const renamed = `${file}.${process.pid}`;
  try {
    renameSync(file, renamed);
    rmSync(renamed);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function holderOf(file) {
  return readLock(file).split(':')[0];
}

function readLock(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
