import { watch } from 'node:fs';
import { step } from './cli-output.mjs';
import { build } from './setup.mjs';
import { startReplaceableServer } from './workers.mjs';

const SOURCES = ['lib', 'server.ts'];
/** Delay after a change, because editors write several files at the same time. */
const QUIET_MS = 100;
/** An agent that never responds must not delay a restart. */
const DRAIN_SECONDS = '1';

/**
 * Serves in development: `server.ts` and `lib` are bundled again when they change, and the server is restarted. Next
 * itself follows changes of pages.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startDevServer() {
  process.env.DRAIN_SECONDS ||= DRAIN_SECONDS;
  const server = await startReplaceableServer();
  let timer;
  let restarting = Promise.resolve();
  const restart = () => {
    restarting = restarting.then(() => step(() => update(server))).catch(({ message }) => console.error(message));
  };
  const watchers = SOURCES.map((source) =>
    watch(source, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(restart, QUIET_MS);
    }),
  );
  return {
    url: server.url,
    async stop() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
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
