import { ALONE_AFTER_HEARTBEATS, LATE_PEER_HEARTBEATS, QUIET_HEARTBEATS } from '../limits';
import { markPeerActive } from '../runtime/activity';

/** Number of own heartbeats after which every running peer has sent one. */
const HEARTBEATS_TO_KNOW_PEERS = QUIET_HEARTBEATS + 2;

/** The state of a peer in its heartbeat. */
export interface PeerState {
  receivesNats: boolean;
  isAtRest: boolean;
}

interface Peer {
  receivesNats: boolean;
  /** The number of own heartbeats when the peer last sent one. */
  beat: number;
}

interface Peers {
  known: Map<string, Peer>;
  /** The number of own heartbeats since the connection. */
  beats: number;
  allReceiveNats: boolean;
}

const peers: Peers = { known: new Map(), beats: 0, allReceiveNats: false };

/** True if every running peer receives notifications over NATS. */
export function doPeersReceiveNats(): boolean {
  return peers.allReceiveNats;
}

/** Call when a peer has sent a heartbeat. A new peer may have created work before it was registered. */
export function onPeerHeartbeat(node: string, { receivesNats, isAtRest }: PeerState): void {
  if (!isAtRest || !peers.known.has(node)) markPeerActive();
  peers.known.set(node, { receivesNats, beat: peers.beats });
  update();
}

/** Call when the database has received a heartbeat of this node. */
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
  peers.allReceiveNats =
    peers.beats >= HEARTBEATS_TO_KNOW_PEERS && [...peers.known.values()].every(({ receivesNats }) => receivesNats);
}
