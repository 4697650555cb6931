import type pg from 'pg';
import { newId } from '../ids';
import {
  ALONE_AFTER_HEARTBEATS,
  BUS_RECONNECT_INITIAL_DELAY_MS,
  HEARTBEAT_INTERVAL_MS,
  PEER_RECONNECT_MS,
} from '../limits';
import { once } from '../runtime/once';

/** The connection of this process that listens for notifications, and the state of its peers. */
export interface BusState {
  node: string;
  listening: boolean;
  stopped: boolean;
  client: pg.Client | null;
  reconnectDelayMs: number;
  /** The time at which peers that lost their connections together with this node hold their locks again. */
  settledAt: number;
  /** The server process of the last connection that tried to acquire this node's lock. */
  sessionPid: number | null;
  /**
   * Answered heartbeats since the last notification from a peer. A heartbeat's notifications arrive before its
   * response.
   */
  heartbeatsWithoutPeer: number;
  /** The time at which this node last sent a heartbeat to its peers, milliseconds. */
  announcedAt: number;
  /** The time at which the database last answered a heartbeat, and the duration of the answer; milliseconds. */
  answeredAt: number;
  roundTripMs: number;
}

export const busState = once(
  (): BusState => ({
    node: newId('req'),
    listening: false,
    stopped: false,
    client: null,
    reconnectDelayMs: BUS_RECONNECT_INITIAL_DELAY_MS,
    settledAt: 0,
    sessionPid: null,
    heartbeatsWithoutPeer: 0,
    announcedAt: performance.now(),
    answeredAt: performance.now(),
    roundTripMs: 0,
  }),
);

/** The id of this process among the nodes that share the database. */
export function nodeId(): string {
  return busState().node;
}

/**
 * SQL that is true only when the node in `column` is dead: its advisory lock can be acquired. Never true right after
 * the database has started: live nodes have not reconnected yet.
 */
export function nodeIsDeadSql(column: string): string {
  return `CASE WHEN pg_postmaster_start_time() < now() - interval '${PEER_RECONNECT_MS} ms'
    THEN pg_try_advisory_xact_lock(hashtextextended(${column}, 7)) ELSE false END`;
}

/**
 * Like {@link nodeIsDeadSql}, for a check that several nodes may make at the same time: it does not acquire the lock of
 * the node in `column`. Also true for a moment while that node reconnects.
 */
export function nodeIsSilentSql(column: string): string {
  return nodeIsDeadSql(column).replace('pg_try_advisory_xact_lock', 'pg_try_advisory_xact_lock_shared');
}

/** False while the listening connection is down: caches then read from the database. */
export function isListening(): boolean {
  return busState().listening;
}

/**
 * True if this node may check for dead nodes: it is connected, and after a reconnect its peers have had time to
 * reconnect too. They may have lost their connections together, without the database having restarted.
 */
export function canSeePeers(): boolean {
  const { listening, settledAt } = busState();
  return listening && performance.now() >= settledAt;
}

/** True when no other node shares the database. A new node is detected as soon as it is connected. */
export function isOnlyNode(): boolean {
  const { listening, heartbeatsWithoutPeer } = busState();
  return listening && heartbeatsWithoutPeer > ALONE_AFTER_HEARTBEATS;
}

/**
 * The current delay of a notification over PostgreSQL: the round trip of the last heartbeat, whose own notification
 * precedes its response, or the delay of the next one. Grows while the connection is down.
 */
export function busLagMs(): number {
  const { answeredAt, roundTripMs } = busState();
  return Math.max(roundTripMs, performance.now() - answeredAt - HEARTBEAT_INTERVAL_MS);
}
