import type pg from 'pg';
import { connectionSettings, watchConnection } from '../db/database-connection';
import { PrimaryClient } from '../db/primary-client';
import { eventStream } from '../event-stream/event-stream';
import {
  BUS_RECONNECT_INITIAL_DELAY_MS,
  BUS_RECONNECT_MAX_DELAY_MS,
  HEARTBEAT_INTERVAL_MS,
  LATE_HEARTBEAT_MS,
  MAX_UNANSWERED_HEARTBEATS,
  PEER_RECONNECT_MS,
  QUIET_HEARTBEATS,
} from '../limits';
import { isNodeActive, markActive, onNodeWake } from '../runtime/activity';
import { errorFields, log } from '../runtime/log';
import { nats } from './nats-transport';
import { listenAndLock } from './node-session';
import { CHANNEL, emitGap, notifyListeners } from './notifications';
import { busState, forgetPeers, onOwnHeartbeat, onPeerHeartbeat, type PeerState } from './state';
import type { Topic } from './topics';

/**
 * Suffixes of the node id in a heartbeat: for a node that receives hot notifications over NATS, for one that reads the
 * event stream, and for an idle node.
 */
const RECEIVES_NATS = 'nats';
const READS_EVENTS = 'events';
const AT_REST = 'rest';
/** Earlier releases send this instead of a node id in notifications that their sender also receives. */
const ALL_NODES = '*';

/** Subscribes to notifications, and reconnects after every disconnect until {@link stopBus}. */
export async function startBus(): Promise<void> {
  const state = busState();
  if (state.client || state.stopped) return;
  nats()?.start({ onChange: onNatsChange, onNotice: (topic, key) => notifyListeners(topic, key, 'elsewhere') });
  const client = new PrimaryClient(connectionSettings());
  state.client = client;
  client.on('notification', (notification) => onNotification(notification.payload ?? ''));
  client.on('error', (error) => onDisconnect(client, error));
  client.on('end', () => onDisconnect(client, new Error('connection closed')));
  try {
    await client.connect();
    if (state.stopped) return await client.end();
    watchConnection(client);
    // The writes of this connection do not have to be durable.
    await client.query('SET synchronous_commit = off');
    await listenAndLock(client, state);
    state.heartbeatsWithoutPeer = 0;
    forgetPeers();
    await sendHeartbeat(client);
    state.listening = true;
    if (state.settledAt > 0) state.settledAt = performance.now() + PEER_RECONNECT_MS;
    state.reconnectDelayMs = BUS_RECONNECT_INITIAL_DELAY_MS;
    startHeartbeat(client);
    onNodeWake(() => beatNow(client));
    onGap();
  } catch (error) {
    onDisconnect(client, error);
  }
}

async function sendHeartbeat(client: pg.Client): Promise<void> {
  const { node } = busState();
  const sentAt = performance.now();
  const states = [
    ...(nats()?.isUp ? [RECEIVES_NATS] : []),
    ...(eventStream()?.isUp ? [READS_EVENTS] : []),
    ...(isNodeActive() ? [] : [AT_REST]),
  ];
  const payload = states.length > 0 ? `${node} ${states.join('-')}` : node;
  busState().announcedAt = sentAt;
  await client.query({ name: 'heartbeat', text: `SELECT pg_notify('${CHANNEL}', $1)`, values: [payload] });
  const answeredAt = performance.now();
  Object.assign(busState(), { answeredAt, roundTripMs: answeredAt - sentAt });
}

/**
 * Checks that the server responds: sends a Sync without a statement, which requires no transaction. A notification
 * requires a transaction on this node and on each node that receives it.
 */
async function ping(client: pg.Client): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sync = {
      submit(connection: { sync: () => void }): void {
        connection.sync();
      },
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    };
    client.query(sync as pg.Submittable & typeof sync);
  });
  busState().answeredAt = performance.now();
}

/**
 * Sends a heartbeat, because peers send over PostgreSQL to a node that lost NATS as soon as they receive its heartbeat.
 */
function onNatsChange(): void {
  const { client } = busState();
  if (client) beatNow(client);
  emitGap('hot');
}

/**
 * Sends a heartbeat before the next interval: the transport has changed, or this node has work that peers may have to
 * take over.
 */
function beatNow(client: pg.Client): void {
  if (busState().client !== client || !busState().listening) return;
  sendHeartbeat(client).catch((error) => onDisconnect(client, error));
}

/** Called when notifications, and therefore activities of peers, may have been missed. */
function onGap(): void {
  markActive();
  emitGap('any');
}

/**
 * Sends a heartbeat at every interval; while idle, only some are notifications to the other nodes. Treats the
 * connection as lost when the database does not respond: a silently dropped connection would otherwise stay open for
 * hours, and revocations on other nodes would be missed.
 */
function startHeartbeat(client: pg.Client): void {
  let unanswered = 0;
  let lastBeatAt = performance.now();
  // At startup or after a stall, peers may not have registered this node yet, so subscribers read the changes since
  // then.
  let pendingGaps = 1;
  const beat = async (): Promise<void> => {
    const now = performance.now();
    if (now - lastBeatAt > LATE_HEARTBEAT_MS) pendingGaps = 2;
    lastBeatAt = now;
    unanswered += 1;
    const isQuiet = now - busState().announcedAt < (QUIET_HEARTBEATS + 0.5) * HEARTBEAT_INTERVAL_MS;
    await (isQuiet && !isNodeActive() ? ping(client) : sendHeartbeat(client));
    unanswered = 0;
    busState().heartbeatsWithoutPeer += 1;
    onOwnHeartbeat();
    if (pendingGaps === 0) return;
    pendingGaps -= 1;
    onGap();
  };
  // Counted in heartbeats and not in time, because this process sends none during a stall.
  const timer = setInterval(() => {
    if (busState().client !== client) return clearInterval(timer);
    if (unanswered >= MAX_UNANSWERED_HEARTBEATS) return onDisconnect(client, new Error('the database does not answer'));
    beat().catch((error) => onDisconnect(client, error));
  }, HEARTBEAT_INTERVAL_MS);
  timer.unref();
}

/** Unsubscribes permanently. For shutdown. */
export async function stopBus(): Promise<void> {
  const state = busState();
  state.stopped = true;
  state.listening = false;
  await nats()?.stop();
  await state.client?.end();
}

/** Calls the subscribers of a notification from another node. */
export function onNotification(payload: string): void {
  const [node, topic, key] = payload.split(' ');
  if (node === undefined || node === busState().node) return;
  if (node !== ALL_NODES) busState().heartbeatsWithoutPeer = 0;
  if (key === undefined) onPeerHeartbeat(node, peerStateOf(topic));
  else for (const objectKey of key.split(',')) notifyListeners(topic as Topic, objectKey, 'elsewhere');
}

function peerStateOf(states = ''): PeerState {
  const words = states.split('-');
  return {
    receivesNats: words.includes(RECEIVES_NATS),
    readsEvents: words.includes(READS_EVENTS),
    isAtRest: words.includes(AT_REST),
  };
}

function onDisconnect(client: pg.Client, error: unknown): void {
  const state = busState();
  if (state.client !== client) return;
  state.client = null;
  state.listening = false;
  state.settledAt = Number.POSITIVE_INFINITY;
  if (state.stopped) return;
  log.warn('bus.connection_lost', errorFields(error));
  onGap();
  client.end().catch((failure) => log.debug('bus.end_failed', errorFields(failure)));
  setTimeout(() => void startBus(), state.reconnectDelayMs).unref();
  state.reconnectDelayMs = Math.min(state.reconnectDelayMs * 2, BUS_RECONNECT_MAX_DELAY_MS);
}
