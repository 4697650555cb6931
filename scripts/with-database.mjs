// Runs a command with DATABASE_URL set: to the embedded PostgreSQL of DATA_DIR, unless DATABASE_URL is already set.
//   npm run db -- npx prisma migrate status
import { spawnSync } from 'node:child_process';
import { CliError, runMain } from './cli-output.mjs';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';

await runMain(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (!command) throw new CliError('expected a command, for example: npm run db -- npx prisma migrate status');
  const database = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR || '.data' });
  const env = { ...process.env, DATABASE_URL: database.url };
  const { status } = spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  await database.stop();
  process.exitCode = status ?? 1;
});
