// npm run keys: lists, rotates and removes signing keys, also while Parley runs. scripts/keys.ts contains the commands.

import { runMain } from './cli-output.mjs';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { checkEnvironment, completeEnvironment, loadEnvFile } from './environment.mjs';
import { bundleOf, ROOT } from './program.mjs';
import { loadSecrets } from './secrets.mjs';
import { build, prepare } from './setup.mjs';
import { onShutdown, shutDown, shutDownOnSignals } from './shutdown.mjs';

await runMain(async () => {
  process.chdir(ROOT);
  shutDownOnSignals();
  loadEnvFile();
  const { dataDir } = completeEnvironment({ dev: false });
  await prepare();
  await build({ pages: false });
  loadSecrets({ dataDir, environment: process.env });
  await checkEnvironment();
  if (!process.env.DATABASE_URL) {
    const database = await startEmbeddedPostgres({ dataDir });
    onShutdown(database.stop);
    process.env.DATABASE_URL = database.url;
  }
  const { runKeys } = await import(bundleOf('keys'));
  await runKeys(process.argv.slice(2));
  await shutDown(0);
});
