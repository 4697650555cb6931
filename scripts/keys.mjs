// npm run keys: lists, rotates and removes signing keys, also while Parley runs. scripts/keys.ts says how.
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { atEnd, end, endOnSignals } from './ending.mjs';
import { checkEnvironment, completeEnvironment, loadEnvFile } from './environment.mjs';
import { runMain } from './report.mjs';
import { loadSecrets } from './secrets.mjs';
import { build, bundleOf, prepare, ROOT } from './setup.mjs';

await runMain(async () => {
  process.chdir(ROOT);
  endOnSignals();
  loadEnvFile();
  const { dataDir } = completeEnvironment({ dev: false });
  await prepare();
  await build({ pages: false });
  loadSecrets({ dataDir, environment: process.env });
  await checkEnvironment();
  if (!process.env.DATABASE_URL) {
    const database = await startEmbeddedPostgres({ dataDir });
    atEnd(database.stop);
    process.env.DATABASE_URL = database.url;
  }
  const { runKeys } = await import(bundleOf('keys'));
  await runKeys(process.argv.slice(2));
  await end(0);
});
