import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFileLock } from '../../../scripts/file-lock.mjs';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-lock-'));
  lock = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the file lock is held by one operation at a time, and is released if the operation throws', async () => {
  let running = 0;
  async function work(): Promise<void> {
    running += 1;
    await new Promise((resolve) => setImmediate(resolve));
    expect(running).toBe(1);
    running -= 1;
    throw new Error('done');
  }
  const results = await Promise.allSettled([1, 2, 3].map(() => withFileLock(lock, work)));
  expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual(
    Array(3).fill('Error: done'),
  );
  expect(existsSync(lock)).toBe(false);
});

test('a dead process’s file lock is acquired by another process', async () => {
  const dead = spawnSync(process.execPath, ['--version']).pid;
  writeFileSync(lock, `${dead}:1`);
  expect(await withFileLock(lock, async () => 'mine')).toBe('mine');
});
