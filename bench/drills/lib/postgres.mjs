import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { findPostgres, findRunner } from '../../../scripts/postgres-binaries.mjs';

/**
 * Controls the PostgreSQL server of a Parley started by `startParley`.
 *
 * @param {string} dataDir
 * @returns {{ restart: (mode: 'fast' | 'immediate') => Promise<void>, stop: (mode: 'fast' | 'immediate') => Promise<void>,
 *   start: (port?: number) => Promise<void> }} `start`: on another port, if given
 */
export function controlPostgres(dataDir) {
  const data = path.join(dataDir, 'postgres');
  const options = readFileSync(path.join(data, 'postmaster.opts'), 'utf8')
    .match(/"[^"]*"/g)
    .slice(2);
  const control = (...args) =>
    new Promise((resolve, reject) => {
      // In a thread: the programs run synchronously, and the load must continue.
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { dataDir, args: ['-D', data, '-w', ...args] },
      });
      worker.once('message', ({ status, output }) =>
        status === 0 ? resolve() : reject(new Error(`pg_ctl ${args.join(' ')}: ${output}`)),
      );
      worker.once('error', reject);
    });
  return {
    restart: (mode) => control('restart', '-m', mode, '-l', path.join(data, 'server.log')),
    stop: (mode) => control('stop', '-m', mode),
    start(port) {
      const at = port === undefined ? [] : ['"-p"', `"${port}"`];
      return control('start', '-l', path.join(data, 'server.log'), '-o', [...options, ...at].join(' '));
    },
  };
}

if (!isMainThread) {
  const { folder } = findPostgres();
  const runner = findRunner({ binaries: folder, directory: workerData.dataDir });
  const { status, stdout, stderr } = runner.run(path.join(folder, 'pg_ctl'), workerData.args);
  parentPort.postMessage({ status, output: `${stdout}${stderr}` });
}
