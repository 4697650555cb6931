import { buildIndexes } from '../concurrent-indexes.mjs';
import { migrate as applyMigrations } from '../migrate.mjs';
import { databaseUrl } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const migrate = {
  summary: 'brings the database to the schema of this version',
  usage: '[--without-indexes]',
  help: `
Applies the pending migrations to the database of DATABASE_URL and prints their names, then builds the indexes that are
built while nodes serve, which may take hours on a large database. It may be killed and repeated. Several processes may
run it at once: they wait for each other. A failed migration is rolled back.

  --without-indexes  only apply migrations; the indexes can be built later`,
  options: { 'without-indexes': { type: 'boolean' } },
  most: 0,
  async run({ values }) {
    const print = console.log;
    const applied = await applyMigrations(await databaseUrl(), undefined, { print });
    for (const name of applied) print(`applied ${name}`);
    print(applied.length === 0 ? 'the schema is up to date' : `${applied.length} migrations applied`);
    if (!values['without-indexes']) await buildIndexes(await databaseUrl(), { print });
  },
};
