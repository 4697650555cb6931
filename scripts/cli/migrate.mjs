import { buildIndexes } from '../concurrent-indexes.mjs';
import { migrate as applyMigrations } from '../migrate.mjs';
import { readTaskDatabases } from '../task-databases.mjs';
import { databaseUrl } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const migrate = {
  summary: 'brings the database to the schema of this version',
  usage: '[--without-indexes]',
  help: `
Applies the pending migrations to the database of DATABASE_URL and to those of TASK_DATABASE_URLS, prints their names, and builds the indexes that are
built while nodes serve, which may take hours on a large database. It may be killed and repeated. Several processes may
run it at once: they wait for each other. A failed migration is rolled back.

  --without-indexes  only apply migrations; the indexes can be built later`,
  options: { 'without-indexes': { type: 'boolean' } },
  most: 0,
  async run({ values }) {
    const print = console.log;
    const databases = [{ name: 'main', url: await databaseUrl() }, ...(await readTaskDatabases())];
    for (const { name, url } of databases) {
      const of = databases.length > 1 ? `${name}: ` : '';
      const applied = await applyMigrations(url, undefined, { print });
      for (const migration of applied) print(`${of}applied ${migration}`);
      print(`${of}${applied.length === 0 ? 'the schema is up to date' : `${applied.length} migrations applied`}`);
      if (!values['without-indexes']) await buildIndexes(url, { print, nodesUrl: databases[0].url });
    }
  },
};
