import { markPeerActive } from '../activity';
import { ALONE_AFTER_HEARTBEATS, LATE_PEER_HEARTBEATS, QUIET_HEARTBEATS } from '../limits';
import { processSingleton } from '../singleton';

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

function peers(): Peers {
  return processSingleton('bus-peers', () => ({ known: new Map(), beats: 0, allReceiveNats: false }));
}

/** True when every running peer is known to receive notifications over NATS. */
export function doPeersReceiveNats(): boolean {
  return peers().allReceiveNats;
}

/** A peer sent a heartbeat. A new one may have left work before it was known. */
export function onPeerHeartbeat(node: string, { receivesNats, isAtRest }: PeerState): void {
  const all = peers();
  if (!isAtRest || !all.known.has(node)) markPeerActive();
  all.known.set(node, { receivesNats, beat: all.beats });
  update(all);
}

/** The database received a heartbeat of this node. */
export function onOwnHeartbeat(): void {
  const all = peers();
  all.beats += 1;
  for (const [node, { beat }] of all.known) {
    // It may have died, and left work.
    if (all.beats - beat >= LATE_PEER_HEARTBEATS) markPeerActive();
    if (all.beats - beat > ALONE_AFTER_HEARTBEATS) all.known.delete(node);
  }
  update(all);
}

/** Peers may come and go unnoticed from now on, until the connection is back. */
export function forgetPeers(): void {
  const all = peers();
  all.known.clear();
  all.beats = 0;
  update(all);
}

function update(all: Peers): void {
  all.allReceiveNats =
    all.beats >= HEARTBEATS_TO_KNOW_PEERS && [...all.known.values()].every(({ receivesNats }) => receivesNats);
}
