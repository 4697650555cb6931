import { setTimeout as delay } from 'node:timers/promises';
import { canSeePeers, nodeId, nodeIsSilentSql } from '../bus';
import { type Connection, withPooledConnection } from '../db/connections';
import { databaseCodeOf } from '../db/database-errors';
import { findTooNewSchema, lastMigration, ownRelease, releaseSql } from '../db/database-readiness';
import { bool, row, text, textArray } from '../db/rows';
import { execute } from '../db/sql';
import { PEER_RECONNECT_CHECK_MS, PEER_RECONNECT_MS } from '../limits';
import { sealingKeyIds } from '../secrets/crypto';

interface Membership {
  isMember: boolean;
  /** The reason why this node may not serve; null if it may. */
  refusal: string | null;
  /** The peers that did not hold their locks at the last check. */
  silent: string[];
}

const insertSql = `INSERT INTO node (id, release, oldest_peer, started_at, key_ids, last_migration) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO NOTHING`;
/** Peers that may not run alongside this release. */
const foreignSql = `FROM node WHERE id <> $1
  AND (${releaseSql('release')} < ${releaseSql('$2')} OR ${releaseSql('oldest_peer')} > ${releaseSql('$3')})`;

const foreignPeer = row({ id: text(), isSilent: bool() });
const silentPeers = row({ ids: textArray() });

const membership: Membership = { isMember: false, refusal: null, silent: [] };

/**
 * Publishes this node and its release to migrations and other nodes, also if its row was lost. Before that, it checks
 * the schema and the releases of its peers. The bus must be connected, because its lock marks the node as alive.
 *
 * @returns why this node may not serve; null if it may
 */
export async function joinPeers(now: Date): Promise<string | null> {
  const { release, oldestPeer } = ownRelease();
  const own = [nodeId(), release, oldestPeer, now, sealingKeyIds(), lastMigration()];
  try {
    if (membership.isMember) await execute('join-peers', insertSql, own);
    else membership.refusal = await join(own);
  } catch (error) {
    // The schema does not have the table or a column yet: the node is not ready, and joins once the migrations are
    // applied.
    if (['42P01', '42703'].includes(databaseCodeOf(error))) return null;
    throw error;
  }
  membership.isMember = membership.refusal === null;
  if (membership.isMember) await removeDeadPeers();
  return membership.refusal;
}

/** Returns the current time if this node has not joined or a peer may be dead; otherwise null. */
export async function nextPeerLook(): Promise<Date | null> {
  const { isMember, silent } = membership;
  return isMember && silent.length === 0 ? null : new Date(0);
}

/** Removes this node at shutdown. */
export async function leavePeers(): Promise<void> {
  membership.isMember = false;
  await execute('leave-peers', 'DELETE FROM node WHERE id = $1', [nodeId()]);
}

/** Returns why this node may not serve alongside its peers, as determined by {@link joinPeers}; null if it may. */
export function peerError(): string | null {
  return membership.refusal;
}

/**
 * Checks and joins under a lock of the table, which migrations that break a release acquire too. Of two incompatible
 * nodes, the first one joins, and the second one detects it.
 */
async function join(own: unknown[]): Promise<string | null> {
  await removeForeignPeers();
  return withPooledConnection(async (connection) => {
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE node IN SHARE ROW EXCLUSIVE MODE');
    const refusal = (await findTooNewSchema()) ?? (await findPeerError(connection));
    if (refusal === null) await connection.query(insertSql, own);
    await connection.query('COMMIT');
    return refusal;
  });
}

async function findPeerError(connection: Connection): Promise<string | null> {
  const { release, oldestPeer } = ownRelease();
  const statement = `SELECT release, oldest_peer AS "oldestPeer" ${foreignSql} LIMIT 1`;
  const { rows } = await connection.query(statement, [nodeId(), oldestPeer, release]);
  const [peer] = rows;
  if (!peer) return null;
  const rule = `a node of release ${peer.release} runs, which runs beside ${peer.oldestPeer} or newer`;
  return `this is release ${release}, which runs beside ${oldestPeer} or newer; found: ${rule}; upgrade one release at a time, or stop the other nodes`;
}

/**
 * Removes peers that may not run alongside this release if all of them are dead. They must stay silent for some time,
 * because a peer that reconnects does not hold its lock for a moment.
 */
async function removeForeignPeers(): Promise<void> {
  const { release, oldestPeer } = ownRelease();
  const values = [nodeId(), oldestPeer, release];
  const statement = `SELECT id, ${nodeIsSilentSql('id')} AS "isSilent" ${foreignSql}`;
  for (let waitedMs = 0; ; waitedMs += PEER_RECONNECT_CHECK_MS) {
    const found = await foreignPeer.query('foreign-peers', statement, values);
    if (found.length === 0 || found.some(({ isSilent }) => !isSilent)) return;
    const ids = found.map(({ id }) => id);
    if (waitedMs >= PEER_RECONNECT_MS) {
      await execute('remove-foreign-peers', 'DELETE FROM node WHERE id = ANY($1)', [ids]);
      return;
    }
    await delay(PEER_RECONNECT_CHECK_MS);
  }
}

/** Removes peers that did not hold their locks at two consecutive checks. */
async function removeDeadPeers(): Promise<void> {
  if (!canSeePeers()) {
    membership.silent = [];
    return;
  }
  const statement = `WITH silent AS MATERIALIZED (SELECT id FROM node WHERE id <> $1 AND ${nodeIsSilentSql('id')}),
      removed AS (DELETE FROM node USING silent WHERE node.id = silent.id AND node.id = ANY($2))
    SELECT array_agg(id) AS ids FROM silent HAVING count(*) > 0`;
  const found = await silentPeers.queryFirst('remove-dead-peers', statement, [nodeId(), membership.silent]);
  membership.silent = found?.ids ?? [];
}
