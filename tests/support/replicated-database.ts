import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { buildIndexes } from '../../scripts/concurrent-indexes.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { changeOwner, findPostgres, findRunner } from '../../scripts/postgres-binaries.mjs';
import { freePort } from './free-port';
import { waitFor } from './wait-for';

/** A PostgreSQL server of its own. */
export interface DatabaseServer {
  port: number;
  url: string;
  start: () => void;
  stop: (mode: 'fast' | 'immediate') => void;
  promote: () => void;
}

/** A primary with the schema of Parley, and a standby to which it streams. */
export interface ReplicatedDatabase {
  primary: DatabaseServer;
  standby: DatabaseServer;
  /** A `DATABASE_URL` with both; the standby comes first. */
  listUrl: string;
  /** Makes commits wait until the standby has them. */
  replicateSynchronously: () => Promise<void>;
  stop: () => void;
}

const SETTINGS = ["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", 'wal_log_hints = on'];

/** Starts both servers, and waits until the standby streams. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-replicated-'));
  chmodSync(folder, 0o755);
  const { folder: binaries } = findPostgres();
  const runner = findRunner({ binaries, directory: folder });
  const run = (program: string, args: string[]): void => {
    const { status, stdout, stderr } = runner.run(path.join(binaries, program), args);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  };
  const serverIn = async (name: string): Promise<DatabaseServer & { data: string }> => {
    const data = path.join(folder, name);
    const port = await freePort();
    const control = (...args: string[]): void =>
      run('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', path.join(data, 'server.log'), ...args]);
    return {
      data,
      port,
      url: `postgresql://parley@127.0.0.1:${port}/postgres`,
      start: () => control('start', '-o', `"-p" "${port}"`),
      stop: (mode) => control('stop', '-m', mode),
      promote: () => control('promote'),
    };
  };
  const [primary, standby] = [await serverIn('primary'), await serverIn('standby')];
  mkdirSync(primary.data, { mode: 0o700 });
  changeOwner(runner, primary.data);
  run('initdb', ['-D', primary.data, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  appendFileSync(path.join(primary.data, 'postgresql.conf'), `${SETTINGS.join('\n')}\n`);
  primary.start();
  await migrate(primary.url);
  await buildIndexes(primary.url, { print: () => undefined });
  primary.stop('fast');
  cpSync(primary.data, standby.data, { recursive: true });
  writeFileSync(path.join(standby.data, 'standby.signal'), '');
  appendFileSync(
    path.join(standby.data, 'postgresql.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=parley application_name=standby'\n`,
  );
  chmodSync(standby.data, 0o700);
  changeOwner(runner, path.join(standby.data, 'standby.signal'));
  changeOwner(runner, standby.data);
  primary.start();
  standby.start();
  const query = (text: string): Promise<Record<string, unknown>[]> => queryAt(primary.url, text);
  await waitFor(async () => (await query("SELECT FROM pg_stat_replication WHERE state = 'streaming'")).length === 1, {
    what: 'the standby to stream',
  });
  return {
    primary,
    standby,
    listUrl: `postgresql://parley@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`,
    async replicateSynchronously() {
      await query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await query('SELECT pg_reload_conf()');
      await waitFor(
        async () => (await query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 1,
        {
          what: 'the standby to be synchronous',
        },
      );
    },
    stop() {
      for (const server of [primary, standby]) {
        try {
          server.stop('immediate');
        } catch {
          // A test has stopped it.
        }
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement at a server. */
export async function queryAt<Row extends object = Record<string, unknown>>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
