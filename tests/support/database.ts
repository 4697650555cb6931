import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll } from 'vitest';
import { setting } from './settings';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates an empty, migrated database by copying this run's template (about 50 ms). Databases that a test does not drop
 * are dropped when the run ends.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyDatabase(setting('template'));
}

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
    process.env.DATABASE_URL = database.url;
    return database;
  });
  return fileDatabases;
}

/** Makes an existing database that of this test file. */
export function adoptDatabase(url: string): void {
  fileDatabases = Promise.resolve({ url });
  process.env.DATABASE_URL = url;
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
