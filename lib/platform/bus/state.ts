import type pg from 'pg';
import { newId } from '../ids';
import {
  ALONE_AFTER_HEARTBEATS,
  BUS_RECONNECT_INITIAL_DELAY_MS,
  HEARTBEAT_INTERVAL_MS,
  LATE_PEER_HEARTBEATS,
  PEER_RECONNECT_MS,
  QUIET_HEARTBEATS,
} from '../limits';
import { markPeerActive } from '../runtime/activity';
import { once } from '../runtime/once';

/** The connection on which this process listens for notifications, and the state of its peers. */
interface BusState {
  node: string;
  listening: boolean;
  stopped: boolean;
  client: pg.Client | null;
  reconnectDelayMs: number;
  /** The time from which peers that lost their connections together with this node hold their locks again. */
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
  /** The time at which the database last answered a heartbeat, and the duration of that heartbeat; milliseconds. */
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

/** Returns the id of this process among the nodes that share the database. */
export function nodeId(): string {
  return busState().node;
}

/**
 * Returns SQL that is true only if the node in `column` is dead: its advisory lock can be acquired. Never true
 * immediately after the database has started, because live nodes have not reconnected yet.
 */
export function nodeIsDeadSql(column: string): string {
  return `CASE WHEN pg_postmaster_start_time() < now() - interval '${PEER_RECONNECT_MS} ms'
    THEN pg_try_advisory_xact_lock(hashtextextended(${column}, 7)) ELSE false END`;
}

/**
 * Like {@link nodeIsDeadSql}, but takes the lock in shared mode, so that several nodes can check at once. Also true for a
 * moment while the node in `column` reconnects.
 */
export function nodeIsSilentSql(column: string): string {
  return nodeIsDeadSql(column).replace('pg_try_advisory_xact_lock', 'pg_try_advisory_xact_lock_shared');
}

/** Returns false while the listening connection is down: caches then read from the database. */
export function isListening(): boolean {
  return busState().listening;
}

/**
 * Returns true if this node may check for dead nodes: it is connected, and after a reconnect its peers have had time to
 * reconnect too. They may have lost their connections together, without the database having restarted.
 */
export function canSeePeers(): boolean {
  const { listening, settledAt } = busState();
  return listening && performance.now() >= settledAt;
}

/** Returns true if no other node shares the database. A new node is detected as soon as it is connected. */
export function isOnlyNode(): boolean {
  const { listening, heartbeatsWithoutPeer } = busState();
  return listening && heartbeatsWithoutPeer > ALONE_AFTER_HEARTBEATS;
}

/**
 * Returns the current delay of a notification over PostgreSQL: the round trip of the last heartbeat, whose own
 * notification precedes its response, or, if longer, the time by which the next response is late. Grows while the
 * connection is down.
 */
export function busLagMs(): number {
  const { answeredAt, roundTripMs } = busState();
  return Math.max(roundTripMs, performance.now() - answeredAt - HEARTBEAT_INTERVAL_MS);
}

/** Number of this node's heartbeats after which every running peer has sent one. */
const HEARTBEATS_TO_KNOW_PEERS = QUIET_HEARTBEATS + 2;

/** The state of a peer as reported by its heartbeats. */
export interface PeerState {
  receivesNats: boolean;
  readsEvents: boolean;
  isAtRest: boolean;
}

interface Peer {
  receivesNats: boolean;
  readsEvents: boolean;
  /** The number of this node's heartbeats when the peer last sent one. */
  beat: number;
}

interface Peers {
  known: Map<string, Peer>;
  /** The number of this node's heartbeats since the connection. */
  beats: number;
  allReceiveNats: boolean;
  allReadEvents: boolean;
}

const peers: Peers = { known: new Map(), beats: 0, allReceiveNats: false, allReadEvents: false };

/** Returns true if every running peer receives notifications over NATS. */
export function doPeersReceiveNats(): boolean {
  return peers.allReceiveNats;
}

/** Returns true if every running peer reads the event stream. */
export function doPeersReadEvents(): boolean {
  return peers.allReadEvents;
}

/** Must be called when a peer has sent a heartbeat. A new peer may have created work before it was registered. */
export function onPeerHeartbeat(node: string, { receivesNats, readsEvents, isAtRest }: PeerState): void {
  if (!isAtRest || !peers.known.has(node)) markPeerActive();
  peers.known.set(node, { receivesNats, readsEvents, beat: peers.beats });
  update();
}

/** Must be called when the database has received a heartbeat from this node. */
export function onOwnHeartbeat(): void {
  peers.beats += 1;
  for (const [node, { beat }] of peers.known) {
    // The peer may have died and left work.
    if (peers.beats - beat >= LATE_PEER_HEARTBEATS) markPeerActive();
    if (peers.beats - beat > ALONE_AFTER_HEARTBEATS) peers.known.delete(node);
  }
  update();
}

/** Clears all peers, because their changes are not received until the connection is restored. */
export function forgetPeers(): void {
  peers.known.clear();
  peers.beats = 0;
  update();
}

function update(): void {
  const all = [...peers.known.values()];
  const isKnown = peers.beats >= HEARTBEATS_TO_KNOW_PEERS;
  peers.allReceiveNats = isKnown && all.every(({ receivesNats }) => receivesNats);
  peers.allReadEvents = isKnown && all.every(({ readsEvents }) => readsEvents);
}
