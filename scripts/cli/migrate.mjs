import { migrate as applyMigrations } from '../migrate.mjs';
import { databaseUrl } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const migrate = {
  summary: 'brings the database to the schema of this version',
  usage: '',
  help: `
Applies the pending migrations to the database of DATABASE_URL and prints their names. Several processes may run it at
once: they wait for each other. A failed migration is rolled back.`,
  options: {},
  most: 0,
  async run() {
    const applied = await applyMigrations(databaseUrl());
    for (const name of applied) console.log(`applied ${name}`);
    console.log(applied.length === 0 ? 'the schema is up to date' : `${applied.length} migrations applied`);
  },
};
