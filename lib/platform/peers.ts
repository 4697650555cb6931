import { nodeId, nodeIsDeadSql } from './bus';
import { sealingKeyIds } from './crypto';
import { databaseCodeOf } from './database-errors';
import { findTooNewSchema } from './database-readiness';
import { ownRelease, releaseSql } from './release';
import { row, text } from './rows';
import { processSingleton } from './singleton';
import { execute } from './sql';

interface Membership {
  isMember: boolean;
  /** Why this node may not serve; null if it may. */
  refusal: string | null;
}

const peerRow = row({ release: text(), oldestPeer: text() });

function membership(): Membership {
  return processSingleton('peers', () => ({ isMember: false, refusal: null }));
}

/**
 * Announces this node and its release to migrations and other nodes, again if its row was lost. Before it joins, it
 * checks the schema and the releases of its peers; the bus must be connected, because its lock means alive.
 *
 * @returns why this node may not serve, or null
 */
export async function joinPeers(now: Date): Promise<string | null> {
  const state = membership();
  const { release, oldestPeer } = ownRelease();
  const statement = `INSERT INTO node (id, release, oldest_peer, started_at, key_ids) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO NOTHING`;
  try {
    // First the row, then the checks: a migration that breaks this release either sees the row or is seen here.
    await execute('join-peers', statement, [nodeId(), release, oldestPeer, now, sealingKeyIds()]);
  } catch (error) {
    // The schema is older than the table or a column: the node is not ready, and joins once the migrations are applied.
    if (['42P01', '42703'].includes(databaseCodeOf(error))) return null;
    throw error;
  }
  if (state.isMember) return null;
  state.refusal = (await findTooNewSchema()) ?? (await findPeerError());
  state.isMember = state.refusal === null;
  if (state.isMember) await execute('remove-dead-peers', `DELETE FROM node WHERE ${nodeIsDeadSql('id')}`);
  else await leavePeers();
  return state.refusal;
}

/** Removes this node at shutdown. */
export async function leavePeers(): Promise<void> {
  membership().isMember = false;
  await execute('leave-peers', 'DELETE FROM node WHERE id = $1', [nodeId()]);
}

/** Why this node may not serve alongside its peers, as {@link joinPeers} found; null if it may. */
export function peerError(): string | null {
  return membership().refusal;
}

async function findPeerError(): Promise<string | null> {
  const { release, oldestPeer } = ownRelease();
  const statement = `SELECT release, oldest_peer AS "oldestPeer" FROM node
    WHERE id <> $1 AND NOT ${nodeIsDeadSql('id')}
      AND (${releaseSql('release')} < ${releaseSql('$2')} OR ${releaseSql('oldest_peer')} > ${releaseSql('$3')})`;
  const peer = await peerRow.queryFirst('peers-of-other-releases', statement, [nodeId(), oldestPeer, release]);
  if (!peer) return null;
  const rule = `a node of release ${peer.release} runs, which runs beside ${peer.oldestPeer} or newer`;
  return `this is release ${release}, which runs beside ${oldestPeer} or newer; found: ${rule}; upgrade one release at a time, or stop the other nodes`;
}
