import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Returns the CPU time of PostgreSQL, µs: the postmaster, the ended backends and the running ones. */
export function databaseMicros(postmaster) {
  const statOf = (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  };
  const [user, system, endedUser, endedSystem] = statOf(postmaster).slice(11, 15).map(Number);
  let ticks = user + system + endedUser + endedSystem;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = statOf(pid);
      if (Number(fields[1]) === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has just ended.
    }
  }
  return ticks * 10_000;
}

/** Returns the process id of the server of a database on this machine. */
export async function findPostmaster(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const status = readFileSync(`/proc/${rows[0].pid}/status`, 'utf8');
  await client.end();
  return Number(/^PPid:\s+(\d+)/m.exec(status)[1]);
}

/**
 * Returns what the database has done since its start.
 *
 * @param {pg.Client} client
 * @returns {Promise<{ commits: number, wal: number, size: number }>} `wal` and `size` in bytes
 */
export async function readDatabaseWork(client) {
  // A backend reports its commits at most once a second, unless it is asked to.
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query(
    `SELECT xact_commit AS commits, pg_current_wal_lsn() - '0/0' AS wal, pg_database_size(datname) AS size
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  const { commits, wal, size } = rows[0];
  return { commits: Number(commits), wal: Number(wal), size: Number(size) };
}
