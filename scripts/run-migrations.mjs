// npm run migrate: applies pending migrations, then builds the indexes of concurrent.sql files while nodes serve.
import { CliError, runMain } from './cli-output.mjs';
import { buildIndexes } from './concurrent-indexes.mjs';
import { migrate } from './migrate.mjs';

await runMain(async () => {
  const { DATABASE_URL: url } = process.env;
  if (!url) throw new CliError('DATABASE_URL: found nothing; expected postgresql://user:password@host:5432/database');
  const print = console.log;
  const applied = await migrate(url, undefined, { print });
  for (const name of applied) print(`applied ${name}`);
  const built = await buildIndexes(url, { print });
  if (applied.length === 0 && built.length === 0) print('the database is up to date');
});
