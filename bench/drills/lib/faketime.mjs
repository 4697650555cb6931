import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const library = ['x86_64', 'aarch64']
  .map((processor) => `/usr/lib/${processor}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** True if libfaketime is installed. */
export const hasFaketime = library !== undefined;

/**
 * Creates a clock for one node with libfaketime. Only the wall clock is changed; monotonic time continues, as when an
 * operator or NTP sets a machine's clock.
 *
 * @param {number} [seconds] offset ahead of the real time
 * @returns {{ env: Record<string, string>, set: (seconds: number) => void }}
 */
export function fakeClock(seconds = 0) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'parley-clock-')), 'clock');
  const set = (ahead) => {
    writeFileSync(`${file}.new`, `${ahead < 0 ? '' : '+'}${ahead}s\n`);
    renameSync(`${file}.new`, file);
  };
  set(seconds);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { env, set };
}
