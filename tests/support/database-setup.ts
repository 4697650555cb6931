import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { buildIndexes } from '../../scripts/concurrent-indexes.mjs';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs';
import { connectTo, listMigrations, migrate } from '../../scripts/migrate.mjs';
import { processMark } from '../../scripts/processes.mjs';
import { databaseUrl, mainTemplateOf, taskTemplateOf } from './database';
import { publishSettings } from './settings';
import { keepGlobalRows, keepOwnedTables, taskDatabaseCount } from './task-databases';

/** Data directory of the embedded server shared by all test runs. */
const testData = '.data/test';

/** Arbitrary advisory lock key: concurrent runs wait on it while one creates the template. */
const templateLock = 72_707_370;

/**
 * Starts or joins the test server (DATABASE_URL when set), creates the template for the current migrations and
 * publishes both. The returned function drops this run's databases and leaves the server.
 */
export async function setUpDatabases(): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  const server = given
    ? { url: given, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: testData, isDurable: false });
  const databasePrefix = `parley_t${process.pid}_`;
  const client = await connectTo(server.url);
  try {
    const template = await makeTemplate(client, server.url);
    // Process ids do not identify runs on other machines, which may share the server of DATABASE_URL.
    if (!given) await dropWhere(client, (name) => isLeftOver(name) || isOldTemplate(name, template));
    publishSettings({ serverUrl: server.url, template, databasePrefix });
  } finally {
    await client.end();
  }
  return async () => {
    const closing = await connectTo(server.url);
    try {
      await dropWhere(closing, (name) => name.startsWith(databasePrefix));
    } finally {
      await closing.end();
    }
    await server.stop();
  };
}

/** Migrated under a draft name, then renamed: a template that exists is complete. */
async function makeTemplate(client: Client, server: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, checksum, concurrentSql, keysSql } of listMigrations())
    hash.update(`${name} ${checksum} ${concurrentSql ?? ''} ${keysSql ?? ''}\n`);
  const template = `parley_template_${hash.digest('hex').slice(0, 16)}`;
  const draft = `${template}_draft`;
  await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
  if (rowCount === 0) {
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await migrate(databaseUrl(server, draft));
    await buildIndexes(databaseUrl(server, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  }
  if (taskDatabaseCount > 0) {
    await copyTemplate(client, { server, from: template, to: mainTemplateOf(template), change: keepGlobalRows });
    await copyTemplate(client, { server, from: template, to: taskTemplateOf(template), change: keepOwnedTables });
  }
  await client.query('SELECT pg_advisory_unlock($1)', [templateLock]);
  return template;
}

interface Copy {
  server: string;
  from: string;
  to: string;
  change: (client: Client) => Promise<void>;
}

async function copyTemplate(client: Client, { server, from, to, change }: Copy): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${to} TEMPLATE ${from}`);
  const copy = await connectTo(databaseUrl(server, to));
  await change(copy);
  await copy.end();
}

function isLeftOver(name: string): boolean {
  const owner = /^parley_t(\d+)_/.exec(name)?.[1];
  return owner !== undefined && processMark(Number(owner)) === null;
}

function isOldTemplate(name: string, current: string): boolean {
  return /^parley_template_[0-9a-f]{16}(?:_\w+)?$/.test(name) && !name.startsWith(current);
}

async function dropWhere(client: Client, matches: (name: string) => boolean): Promise<void> {
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
  for (const { datname } of rows.filter((row) => matches(row.datname))) {
    await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}
