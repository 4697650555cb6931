// Runs a command with DATABASE_URL set: the embedded PostgreSQL of DATA_DIR, or the server that DATABASE_URL names.
//   npm run db -- npx prisma migrate dev --name add_orders
import { spawnSync } from 'node:child_process';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { Refusal, runMain } from './report.mjs';

await runMain(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (!command) throw new Refusal('name a command, for example: npm run db -- npx prisma migrate status');
  const database = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR || '.data' });
  const env = { ...process.env, DATABASE_URL: database.url };
  const { status } = spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  await database.stop();
  process.exitCode = status ?? 1;
});
