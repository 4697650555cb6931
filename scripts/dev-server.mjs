import { createRequire } from 'node:module';
import { step } from './cli-output.mjs';
import { build } from './setup.mjs';
import { startReplaceableServer } from './workers.mjs';

const require = createRequire(import.meta.url);
const SOURCES = { files: ['server.ts'], directories: ['lib', 'packages/sdk/src'] };
/** Delay after a change, because editors write several files at the same time. */
const QUIET_MS = 100;
/** An agent that never responds must not delay a restart. */
const DRAIN_SECONDS = '1';

/**
 * Serves in development: when `server.ts` or `lib` changes, bundles them again and restarts the server. Next itself
 * handles changes of pages.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startDevServer() {
  process.env.DRAIN_SECONDS ||= DRAIN_SECONDS;
  const server = await startReplaceableServer();
  let restarting = Promise.resolve();
  // Node's own recursive watch on Linux loses files that an editor replaces.
  const Watchpack = require('next/dist/compiled/watchpack');
  const watcher = new Watchpack({ aggregateTimeout: QUIET_MS });
  watcher.on('aggregated', () => {
    restarting = restarting.then(() => step(() => update(server))).catch(({ message }) => console.error(message));
  });
  watcher.watch({ ...SOURCES, startTime: Date.now() });
  return {
    url: server.url,
    async stop() {
      watcher.close();
      await restarting;
      await server.stop();
    },
  };
}

async function update(server) {
  if (!(await build({ pages: false }))) return null;
  await server.restart();
  return 'server restarted';
}
