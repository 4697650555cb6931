import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * Mounts a file system of its own, which can be filled. Needs root.
 *
 * @param {string} folder does not exist yet
 * @param {string} size such as `400m`
 * @returns {{ fill: () => () => void, unmount: () => void }} `fill` writes into the last free block, and returns the
 *   function that frees the space
 */
export function mountSmallDisk(folder, size) {
  mkdirSync(folder);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status !== 0)
    throw new Error('expected root, which may mount a file system');
  return { fill: () => fill(path.join(folder, 'filler')), unmount: () => void spawnSync('umount', [folder]) };
}

function fill(file) {
  const target = openSync(file, 'w');
  try {
    for (const block of [Buffer.alloc(1 << 20), Buffer.alloc(1 << 12)]) {
      for (;;) {
        try {
          writeSync(target, block);
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error;
          break;
        }
      }
    }
  } finally {
    closeSync(target);
  }
  return () => rmSync(file);
}
