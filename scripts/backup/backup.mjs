import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CliError } from '../cli-output.mjs';
import { connectTo } from '../migrate.mjs';
import { version } from '../program.mjs';
import { onShutdown } from '../shutdown.mjs';
import { differences, prepareFingerprints, readFingerprints } from './fingerprints.mjs';
import { findTool, runTool } from './postgres-tools.mjs';

const DUMP = 'database.dump';
const MANIFEST = 'manifest.json';
const SECRETS_FILE = 'secrets.env';
const SECRETS = ['NEXTAUTH_SECRET', 'KEY_ENCRYPTION_KEY'];
const FORMAT = 1;

const LAST_MIGRATION = `SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name DESC LIMIT 1`;

/**
 * Writes a consistent backup of a database that is in use: a dump in PostgreSQL's custom format, and a manifest with
 * the counts and checksums of all tables, read in the dump's own snapshot.
 *
 * @param {{ url: string, folder: string, withSecrets: boolean, now: Date }} options `folder` contains one folder per
 * backup
 * @returns {Promise<{ folder: string, rows: number }>}
 * @throws {CliError}
 */
export async function createBackup({ url, folder, withSecrets, now }) {
  const client = await connectTo(url);
  const target = path.join(folder, `parley-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`);
  const draft = `${target}.partial`;
  onShutdown(async () => rmSync(draft, { recursive: true, force: true }));
  if (existsSync(target)) throw new CliError(`${target} exists already; wait a second or choose another folder`);
  try {
    const server = await describeServer(client);
    const pgDump = findTool('pg_dump', server.major);
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    await prepareFingerprints(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: snapshots } = await client.query('SELECT pg_export_snapshot() AS id');
    const dump = path.join(draft, DUMP);
    writeFileSync(dump, '', { mode: 0o600 });
    const args = [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--snapshot=${snapshots[0].id}`,
      `--file=${dump}`,
    ];
    const [, contents] = await Promise.all([runTool(pgDump, args, url), describeContents(client)]);
    await client.query('COMMIT');
    const manifest = {
      ...{ format: FORMAT, createdAt: now.toISOString(), parley: version(), postgres: server.version, ...contents },
      dump: { file: DUMP, bytes: statSync(dump).size, sha256: await sha256Of(dump) },
      secrets: withSecrets,
    };
    write(path.join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    if (withSecrets) write(path.join(draft, SECRETS_FILE), secretsOf(process.env));
    // Only a complete backup has the final name.
    renameSync(draft, target);
    return { folder: target, rows: totalRows(manifest.tables) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
    await client.end();
  }
}

/**
 * Restores a backup into an empty database and compares every table with the manifest.
 *
 * @param {{ url: string, backup: string }} options
 * @returns {Promise<{ tables: number, rows: number }>}
 * @throws {CliError} if the database is not empty, the dump is damaged, or a table differs
 */
export async function restoreBackup({ url, backup }) {
  const manifest = await readBackup(backup);
  const client = await connectTo(url);
  try {
    const { rows } = await client.query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'");
    if (rows[0].tables > 0) {
      throw new CliError(
        `the database of DATABASE_URL has ${rows[0].tables} tables; expected an empty one: create it (CREATE DATABASE) and try again`,
      );
    }
    const { major } = await describeServer(client);
    const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
    const database = decodeURIComponent(new URL(url).pathname.slice(1));
    await runTool(
      findTool('pg_restore', Math.max(major, majorOf(manifest.postgres))),
      [...args, `--dbname=${database}`, path.join(backup, DUMP)],
      url,
    );
  } finally {
    await client.end();
  }
  return verifyBackup({ url, backup });
}

/**
 * Compares a database with a backup's manifest, table by table.
 *
 * @param {{ url: string, backup: string }} options
 * @returns {Promise<{ tables: number, rows: number }>}
 * @throws {CliError} with one line per table that differs
 */
export async function verifyBackup({ url, backup }) {
  const { tables } = await readBackup(backup);
  const client = await connectTo(url);
  try {
    await prepareFingerprints(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const found = differences(tables, await readFingerprints(client));
    if (found.length > 0) {
      throw new CliError(`the database differs from ${backup} in ${found.length} tables:\n${found.join('\n')}`);
    }
    return { tables: Object.keys(tables).length, rows: totalRows(tables) };
  } finally {
    await client.end();
  }
}

/**
 * Reads the manifest of a backup, and compares the dump with it.
 *
 * @param {string} backup the backup's folder
 * @throws {CliError} if a file is missing or damaged
 */
async function readBackup(backup) {
  const [file, dump] = [path.join(backup, MANIFEST), path.join(backup, DUMP)];
  for (const needed of [file, dump]) {
    if (!existsSync(needed)) throw new CliError(`${needed} does not exist; expected a folder that parley backup wrote`);
  }
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  if (manifest.format !== FORMAT) {
    throw new CliError(`${file}: found format ${manifest.format}; this version of Parley reads format ${FORMAT}`);
  }
  if ((await sha256Of(dump)) !== manifest.dump.sha256) {
    throw new CliError(`${dump} is damaged: its SHA-256 differs from the manifest's; use another copy`);
  }
  return manifest;
}

async function describeServer(client) {
  const { rows } = await client.query('SHOW server_version');
  return { version: rows[0].server_version, major: majorOf(rows[0].server_version) };
}

const majorOf = (text) => Number.parseInt(text, 10);

async function describeContents(client) {
  const { rows: migrations } = await client.query(LAST_MIGRATION);
  const { rows: marks } = await client.query('SELECT seq, hash FROM audit_entry ORDER BY seq DESC LIMIT 1');
  return {
    migration: migrations[0]?.name ?? null,
    auditMark: marks[0] ? `${marks[0].seq}:${marks[0].hash}` : null,
    tables: await readFingerprints(client),
  };
}

const totalRows = (tables) => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

/**
 * Returns the secrets of the environment, including KEY_DECRYPTION_KEY, which a backup that was written during a key
 * exchange requires.
 */
function secretsOf(environment) {
  const missing = SECRETS.filter((name) => !environment[name]);
  if (missing.length > 0) throw new CliError(`--with-secrets: ${missing.join(' and ')} must be set`);
  return [...SECRETS, 'KEY_DECRYPTION_KEY']
    .filter((name) => environment[name])
    .map((name) => `${name}=${environment[name]}\n`)
    .join('');
}

function write(file, text) {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}

async function sha256Of(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
