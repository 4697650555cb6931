import { markPeerActive } from '../activity';
import { ALONE_AFTER_HEARTBEATS, LATE_PEER_HEARTBEATS, QUIET_HEARTBEATS } from '../limits';

/** Own heartbeats after which every running peer has sent one. */
const HEARTBEATS_TO_KNOW_PEERS = QUIET_HEARTBEATS + 2;

/** What a peer says in its heartbeat. */
export interface PeerState {
  receivesNats: boolean;
  isAtRest: boolean;
}

interface Peer {
  receivesNats: boolean;
  /** Own heartbeats when it last sent one. */
  beat: number;
}

interface Peers {
  known: Map<string, Peer>;
  /** Own heartbeats since the connection. */
  beats: number;
  allReceiveNats: boolean;
}

const peers: Peers = { known: new Map(), beats: 0, allReceiveNats: false };

/** True when every running peer is known to receive notifications over NATS. */
export function doPeersReceiveNats(): boolean {
  return peers.allReceiveNats;
}

/** A peer sent a heartbeat. A new one may have left work before it was known. */
export function onPeerHeartbeat(node: string, { receivesNats, isAtRest }: PeerState): void {
  if (!isAtRest || !peers.known.has(node)) markPeerActive();
  peers.known.set(node, { receivesNats, beat: peers.beats });
  update();
}

/** The database received a heartbeat of this node. */
export function onOwnHeartbeat(): void {
  peers.beats += 1;
  for (const [node, { beat }] of peers.known) {
    // It may have died, and left work.
    if (peers.beats - beat >= LATE_PEER_HEARTBEATS) markPeerActive();
    if (peers.beats - beat > ALONE_AFTER_HEARTBEATS) peers.known.delete(node);
  }
  update();
}

/** Peers may come and go unnoticed from now on, until the connection is back. */
export function forgetPeers(): void {
  peers.known.clear();
  peers.beats = 0;
  update();
}

function update(): void {
  peers.allReceiveNats =
    peers.beats >= HEARTBEATS_TO_KNOW_PEERS && [...peers.known.values()].every(({ receivesNats }) => receivesNats);
}
