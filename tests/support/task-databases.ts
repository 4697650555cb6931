import type { Client } from 'pg';
import { ownedTables } from './owned-tables';

/**
 * With `TEST_TASK_DATABASES=3`, every test database is a main one that rejects rows of owners, and three without the global
 * tables, so that a statement that is sent to the wrong one fails or finds no rows.
 */
export const taskDatabaseCount = Number(process.env.TEST_TASK_DATABASES ?? '0');

const names = Array.from({ length: taskDatabaseCount }, (_, index) => `t${index + 1}`);

/** Names of the databases of owners for the database at this URL, with their URLs. */
export function taskDatabasesOf(url: string): { name: string; url: string }[] {
  return names.map((name) => {
    const database = new URL(url);
    database.pathname += `_${name}`;
    return { name, url: database.href };
  });
}

/** `TASK_DATABASE_URLS` for the database at this URL. */
export function taskDatabaseUrls(url: string): string {
  return taskDatabasesOf(url)
    .map((database) => `${database.name}=${database.url}`)
    .join(' ');
}

/** Makes a migrated database reject new rows of owners, and registers their databases. */
export async function keepGlobalRows(client: Client): Promise<void> {
  await client.query(`CREATE FUNCTION reject_owned_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'a row of % was sent to the main database', TG_TABLE_NAME; END $$`);
  for (const table of ownedTables) {
    await client.query(`CREATE TRIGGER reject_owned_row BEFORE INSERT ON ${table}
      FOR EACH ROW EXECUTE FUNCTION reject_owned_row()`);
  }
  await client.query(`UPDATE task_database SET accepts_new = false WHERE name = 'main'`);
  await client.query(`INSERT INTO task_database (name, accepts_new, added_at) SELECT unnest($1::text[]), true, now()`, [
    names,
  ]);
}

/** Leaves the tables of owners in a migrated database. */
export async function keepOwnedTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
  );
  const others = rows.filter(({ name }) => !ownedTables.has(name) && name !== '_prisma_migrations');
  await client.query(`DROP TABLE ${others.map(({ name }) => `"${name}"`).join(', ')} CASCADE`);
}
