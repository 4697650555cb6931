import { CliError } from './cli-output.mjs';
import { compareReleases } from './release.mjs';

/**
 * Refuses to continue while a node of an older release is alive.
 *
 * @param {import('pg').Client} client
 * @param {{ oldest: string, advice: string, lock?: boolean }} what the oldest release that may run; what to do; with
 *   `lock`, no node can join until the transaction ends
 * @returns {Promise<void>}
 * @throws {CliError} with the releases that were found
 */
export async function requireNoOlderNode(client, { oldest, advice, lock = false }) {
  const { rows: tables } = await client.query("SELECT to_regclass('node') IS NOT NULL AS exists");
  if (!tables[0].exists) return;
  if (lock) await client.query('LOCK TABLE node IN SHARE MODE');
  // A live node holds the lock of its id (lib/platform/bus.ts).
  const { rows } = await client.query(
    'SELECT release FROM node WHERE NOT pg_try_advisory_xact_lock(hashtextextended(id, 7))',
  );
  const older = rows.map(({ release }) => release).filter((release) => compareReleases(release, oldest) < 0);
  if (older.length === 0) return;
  const found = older.length === 1 ? 'a running node' : `${older.length} running nodes`;
  throw new CliError(`found ${found} of release ${[...new Set(older)].sort().join(', ')}; ${advice}`);
}
