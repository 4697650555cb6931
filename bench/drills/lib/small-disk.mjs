import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCluster, remove } from './cluster.mjs';
import { skipUnless } from './drill.mjs';

/**
 * Starts a PostgreSQL cluster with one empty database on a file system of its own. Skips the drill without root.
 *
 * @param {string} name of the database
 * @returns {Promise<{ cluster: Awaited<ReturnType<typeof createCluster>>, url: string, fillDisk: () => () => void,
 *   makeReadOnly: () => Promise<() => Promise<void>>, remove: () => Promise<void> }>} the faults return the function that ends them
 */
export async function startOnSmallDisk(name) {
  skipUnless(process.getuid?.() === 0, 'only root may mount a small file system');
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-drill-'));
  const disk = path.join(folder, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).status !== 0)
    throw new Error('expected root, which may mount a file system');
  const cluster = await createCluster({ folder: disk, settings: ['max_wal_size = 64MB', 'shared_buffers = 64MB'] });
  cluster.start();
  await cluster.query('postgres', `CREATE DATABASE ${name}`);
  const alter = (setting) => cluster.query('postgres', `ALTER DATABASE ${name} ${setting}`);
  const reconnect = () =>
    cluster.query('postgres', `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  return {
    cluster,
    url: cluster.url(name),
    fillDisk: () => fill(path.join(disk, 'filler')),
    async makeReadOnly() {
      await alter('SET default_transaction_read_only = on');
      await reconnect();
      return async () => {
        await alter('RESET default_transaction_read_only');
        await reconnect();
      };
    },
    async remove() {
      await cluster.stop();
      spawnSync('umount', [disk]);
      remove(folder);
    },
  };
}

/** Writes into the last free block. */
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
