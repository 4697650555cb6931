import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll } from 'vitest';
import { setting } from './settings';
import { taskDatabaseCount, taskDatabasesOf, taskDatabaseUrls } from './task-databases';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates an empty, migrated database by copying this run's template (about 50 ms). Databases that a test does not drop
 * are dropped when the run ends.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return taskDatabaseCount > 0 ? createSeparateDatabases(setting('template')) : copyDatabase(setting('template'));
}

async function createSeparateDatabases(template: string): Promise<TestDatabase> {
  const main = await copyDatabase(mainTemplateOf(template));
  const others = taskDatabasesOf(main.url).map(({ url }) => databaseNameOf(url));
  const server = setting('serverUrl');
  for (const name of others) await query(server, `CREATE DATABASE ${name} TEMPLATE ${taskTemplateOf(template)}`);
  const drop = async (): Promise<void> => {
    await main.drop();
    for (const name of others) await query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url: main.url, drop };
}

function databaseNameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Names of the templates of a run with `TEST_TASK_DATABASES`. */
export const mainTemplateOf = (template: string): string => `${template}_main`;
export const taskTemplateOf = (template: string): string => `${template}_tasks`;

/** Creates a database without any of our tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return copyDatabase('template0');
}

async function copyDatabase(template: string): Promise<TestDatabase> {
  const server = setting('serverUrl');
  const name = `${setting('databasePrefix')}${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: databaseUrl(server, name),
    drop: () => query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

let fileDatabases: Promise<{ url: string }> | undefined;

/**
 * The database of this test file, created on first use. It is also this process's DATABASE_URL, so code that a test
 * calls directly and every Parley it starts see the same rows.
 */
export function fileDatabase(): Promise<{ url: string }> {
  fileDatabases ??= createTestDatabase().then((database) => {
    useDatabase(database.url);
    return database;
  });
  return fileDatabases;
}

/** Makes an existing database that of this test file. */
export function adoptDatabase(url: string): void {
  fileDatabases = Promise.resolve({ url });
  useDatabase(url);
}

function useDatabase(url: string): void {
  process.env.DATABASE_URL = url;
  process.env.TASK_DATABASE_URLS = taskDatabaseUrls(url);
}

/** Gives a test file that starts no Parley its database before the first test. */
export function useTestDatabase(): void {
  beforeAll(async () => {
    await fileDatabase();
  });
}

/** URL of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

async function query(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
