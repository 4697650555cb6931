// npm start: sets up a fresh clone and runs Parley. npm run dev (--dev): does the same and reloads when sources change.
import path from 'node:path';
import { runMain, seconds, step } from './cli-output.mjs';
import { buildIndexes, pendingIndexes } from './concurrent-indexes.mjs';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { checkEnvironment, completeEnvironment, loadEnvFile, requireFreePort } from './environment.mjs';
import { migrate } from './migrate.mjs';
import { primaryUrl } from './primary-url.mjs';
import { ROOT, requireNode } from './program.mjs';
import { loadSecrets } from './secrets.mjs';
import { build, prepare } from './setup.mjs';
import { onShutdown, shutDownOnSignals } from './shutdown.mjs';
import { startServices } from './supervisor.mjs';
import { readTaskDatabases } from './task-databases.mjs';

const dev = process.argv.includes('--dev');

async function openDatabase(dataDir) {
  if (process.env.DATABASE_URL) {
    process.env.DEMO ||= '0';
    return;
  }
  process.env.DEMO ||= '1';
  await step(async () => {
    const database = await startEmbeddedPostgres({ dataDir });
    onShutdown(database.stop);
    process.env.DATABASE_URL = database.url;
    return `PostgreSQL ${database.joined ? 'joined' : 'started'} on 127.0.0.1:${database.port}`;
  });
}

async function applyMigrations() {
  const applied = await migrate(await primaryUrl(process.env.DATABASE_URL));
  for (const { url } of await readTaskDatabases()) applied.push(...(await migrate(url)));
  return applied.length === 0 ? null : `migrations applied: ${applied.length}`;
}

/**
 * Builds the indexes of the embedded database, which is small. In a large database this takes hours, so the operator
 * chooses the time.
 */
async function completeIndexes(isEmbedded) {
  const url = await primaryUrl(process.env.DATABASE_URL);
  const missing = await pendingIndexes(url);
  if (missing.length === 0) return null;
  if (!isEmbedded) return `indexes not built yet: ${missing.join(', ')}; npm run migrate builds them while nodes serve`;
  return `indexes built: ${(await buildIndexes(url, { print: () => undefined })).length}`;
}

function describeSignIn(signIn, dataDir) {
  if (!signIn) return '';
  const stored = `the password in ${path.join(dataDir, 'demo.json')}`;
  return `\nSign in as ${signIn.email} with ${signIn.password ? `the password ${signIn.password}` : stored}`;
}

await runMain(async () => {
  const startedAt = performance.now();
  requireNode();
  process.chdir(ROOT);
  shutDownOnSignals();
  loadEnvFile();
  const settings = completeEnvironment({ dev });
  await requireFreePort(settings);
  await prepare();
  await build({ pages: !dev });
  loadSecrets({ dataDir: settings.dataDir, environment: process.env });
  await checkEnvironment();
  const isEmbedded = !process.env.DATABASE_URL;
  await openDatabase(settings.dataDir);
  await step(applyMigrations);
  const { url, signIn } = await startServices();
  console.log(`\nParley is ready at ${url} (${seconds(startedAt)})${describeSignIn(signIn, settings.dataDir)}`);
  await step(() => completeIndexes(isEmbedded).catch((error) => error.message));
});
