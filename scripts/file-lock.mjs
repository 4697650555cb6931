import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processMark } from './processes.mjs';
import { Refusal } from './report.mjs';

/** As long as a first start takes on a slow machine: installing and building happen under a lock. */
const PATIENCE_MS = 15 * 60_000;
const NOTICE_MS = 5_000;

/**
 * Runs `work` while no other process runs work under the same lock file. A lock whose holder died is taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {Refusal} when a living process keeps the lock for a quarter of an hour
 */
export async function withFileLock(file, work) {
  const startedAt = Date.now();
  let isNoticed = false;
  while (!takeLock(file)) {
    const waited = Date.now() - startedAt;
    if (waited > PATIENCE_MS) throw new Refusal(`${file} is held by process ${holderOf(file)}; end it and try again`);
    if (waited > NOTICE_MS && !isNoticed) {
      isNoticed = true;
      console.error(`  waiting for process ${holderOf(file)}, which holds ${file}`);
    }
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(file) {
  try {
    writeFileSync(file, processMark(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = readLock(file);
  // An empty file is a lock between its creation and its first byte.
  if (holder && !isAlive(holder)) discard(file);
  return false;
}

/** Moved away before it is deleted, so that of two processes that find a dead holder only one clears the way. */
function discard(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    rmSync(aside);
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
