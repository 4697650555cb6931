import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { changeOwner, findPostgres, findRunner, SYSTEM_FOLDERS } from '../../../scripts/postgres-binaries.mjs';
import { freePort } from '../../../scripts/processes.mjs';

/** Folder of the system's PostgreSQL, which includes pg_dump; null if there is none. */
export const systemPostgres = () => SYSTEM_FOLDERS.find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;

/**
 * Creates a separate PostgreSQL cluster, which a drill can break and restore.
 *
 * @param {{ folder: string, binaries?: string, settings?: string[] }} options `folder` gets the data; lines of
 *   postgresql.conf
 * @returns {Promise<{ data: string, url: (database: string) => string, start: () => void, stop: (mode?: string) =>
 *   void,
 *   adopt: (target: string) => void, query: (database: string, text: string, values?: unknown[]) =>
 *   Promise<Record<string, unknown>[]> }>}
 */
export async function createCluster({ folder, binaries = findPostgres().folder, settings = [] }) {
  const data = path.join(folder, 'data');
  const port = await freePort();
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o755);
  const runner = findRunner({ binaries, directory: folder });
  const adopt = (target) => changeOwner(runner, target);
  function run(program, args) {
    const { status, stdout, stderr } = runner.run(path.join(binaries, program), args);
    if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stdout}${stderr}`);
  }
  adopt(data);
  run('initdb', ['-D', data, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const own = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'max_connections = 200',
  ];
  writeFileSync(path.join(data, 'postgresql.conf'), `${[...own, ...settings].join('\n')}\n`);
  const url = (database) => `postgresql://parley@127.0.0.1:${port}/${database}`;
  return {
    data,
    url,
    adopt,
    start: () => run('pg_ctl', ['start', '-D', data, '-l', path.join(data, 'server.log'), '-w', '-t', '60']),
    stop: (mode = 'fast') => run('pg_ctl', ['stop', '-D', data, '-m', mode, '-w', '-t', '60']),
    query: (database, text, values) => queryOnce(url(database), text, values),
  };
}

/**
 * Runs one statement on a separate connection.
 *
 * @param {string} url
 * @param {string} text
 * @param {unknown[]} [values]
 */
export async function queryOnce(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the lines of a log file that report damaged data. */
export function damageIn(log) {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /PANIC|invalid page|could not read block|checksum|corrupt/i.test(line));
}

/** Removes a folder and its contents. */
export const remove = (folder) => rmSync(folder, { recursive: true, force: true });
