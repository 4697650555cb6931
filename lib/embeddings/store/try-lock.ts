import type { Connection } from '../../platform/db/connections';

/** Runs `work` under the advisory lock of that name; returns false, without waiting, while another node holds it. */
export async function withTryLock(connection: Connection, name: string, work: () => Promise<void>): Promise<boolean> {
  const { rows } = await connection.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS acquired', [name]);
  if (rows[0]?.acquired !== true) return false;
  try {
    await work();
  } finally {
    await connection.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
  return true;
}
