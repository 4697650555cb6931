import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { compareReleases } from './release.mjs';

/** Time within which a live node has reconnected and holds the lock of its id again (lib/platform/limits.ts). */
const RECONNECT_MS = 5_000;
const CHECK_MS = 500;

/** A shared lock: several commands may check at the same time. */
const NODES = `SELECT id, release, NOT pg_try_advisory_xact_lock_shared(hashtextextended(id, 7)) AS "isAlive" FROM node`;

/**
 * Refuses to continue while a node of an older release is alive. A node without its lock may be reconnecting; its row
 * is removed after five seconds without the lock.
 *
 * @param {import('pg').Client} client outside of a transaction
 * @param {{ oldest: string, advice: string, print: (line: string) => void }} what the oldest release that may run, and
 * the next step
 * @returns {Promise<void>}
 * @throws {CliError} with the releases that were found
 */
export async function requireNoOlderNode(client, { oldest, advice, print }) {
  if (!(await hasNodes(client))) return;
  for (let waitedMs = 0; ; waitedMs += CHECK_MS) {
    const older = (await client.query(NODES)).rows.filter(({ release }) => compareReleases(release, oldest) < 0);
    refuse(
      older.filter(({ isAlive }) => isAlive),
      advice,
    );
    if (older.length === 0) return;
    if (waitedMs >= RECONNECT_MS) {
      await client.query('DELETE FROM node WHERE id = ANY($1)', [older.map(({ id }) => id)]);
      return;
    }
    if (waitedMs === 0)
      print(`waiting ${RECONNECT_MS / 1_000} s for nodes that may be reconnecting: ${releasesOf(older)}`);
    await sleep(CHECK_MS);
  }
}

/**
 * Prevents nodes from joining until the transaction ends, and refuses to continue if one of an older release has joined
 * since {@link requireNoOlderNode}.
 *
 * @param {import('pg').Client} client in a transaction
 * @param {{ oldest: string, advice: string }} what the oldest release that may run, and the next step
 * @returns {Promise<void>}
 * @throws {CliError} with the releases that were found
 */
export async function lockOlderNodesOut(client, { oldest, advice }) {
  if (!(await hasNodes(client))) return;
  await client.query('LOCK TABLE node IN SHARE MODE');
  const { rows } = await client.query('SELECT release FROM node');
  refuse(
    rows.filter(({ release }) => compareReleases(release, oldest) < 0),
    advice,
  );
}

/**
 * Returns the number of running nodes whose code does not know a migration. A node without its lock may be reconnecting
 * and counts.
 *
 * @param {import('pg').Client} client
 * @param {string} migration
 * @returns {Promise<number>}
 */
export async function liveNodesBefore(client, migration) {
  if (!(await hasNodes(client))) return 0;
  const { rows } = await client.query('SELECT count(*)::int AS count FROM node WHERE last_migration < $1', [migration]);
  return rows[0].count;
}

async function hasNodes(client) {
  const { rows } = await client.query("SELECT to_regclass('node') IS NOT NULL AS exists");
  return rows[0].exists;
}

function refuse(nodes, advice) {
  if (nodes.length === 0) return;
  const found = nodes.length === 1 ? 'a running node' : `${nodes.length} running nodes`;
  throw new CliError(`found ${found} of release ${releasesOf(nodes)}; ${advice}`);
}

function releasesOf(nodes) {
  return [...new Set(nodes.map(({ release }) => release))].sort().join(', ');
}
