import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { canSeePeers, subscribe, type Topic } from '../platform/bus';
import { createRest, type Rest } from '../platform/runtime/activity';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { HUB_CLOSE } from '../protocol/hub/errors';
import { HUB_SUBPROTOCOL } from '../protocol/hub/hub-schema';
import { publishPresence } from './connections/connect-worker';
import type { WorkerConnection } from './connections/connection';
import {
  DEAD_WORKER_POLL_MS,
  MAX_FRAME_BYTES,
  PING_INTERVAL_MS,
  RECONNECT_WITHIN_MS,
  SILENCE_CHECK_MS,
  STOP_TIMEOUT_MS,
} from './limits';
import { HubConnection } from './protocol/hub-connection';
import { startDispatching, stopDispatching } from './runs/dispatch';
import { SocietyConnection } from './society/society-connection';
import { deleteLeftWorkers, markDeadWorkers, nextDeadWorkerLook } from './store/workers';

/** The path at which workers connect. */
export const HUB_PATH = '/ws/agents';

/** Topics of changes that can revoke a worker's authorization. */
const authorizationTopics: Topic[] = ['credential', 'app', 'user', 'agent', 'revoked', 'keys'];

interface Hub {
  server: WebSocketServer;
  connections: Set<WorkerConnection>;
  stop: () => void;
}

const hub = once(
  (): Hub => ({
    server: new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handleProtocols: (offered) => (offered.has(HUB_SUBPROTOCOL) ? HUB_SUBPROTOCOL : false),
    }),
    connections: new Set<WorkerConnection>(),
    stop: () => undefined,
  }),
);

/** Starts offering runs to workers, and the periodic checks of their connections. */
export function startHub(): void {
  startDispatching();
  const { connections } = hub();
  const timers = [
    setInterval(() => {
      const now = performance.now();
      for (const connection of connections) connection.check(now);
    }, PING_INTERVAL_MS),
    setInterval(() => {
      const now = performance.now();
      for (const connection of connections) connection.endIfSilent(now);
    }, SILENCE_CHECK_MS),
    setInterval(lostWorkerRemover(), DEAD_WORKER_POLL_MS),
  ];
  for (const timer of timers) timer.unref();
  const unsubscribes = authorizationTopics.map((topic) =>
    subscribe(topic, '*', (key) => {
      const affectsAll = topic === 'revoked' || topic === 'keys' || topic === 'app';
      for (const connection of connections) if (affectsAll || connection.dependsOn(key)) connection.recheck();
    }),
  );
  hub().stop = () => {
    for (const timer of timers) clearInterval(timer);
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

function lostWorkerRemover(): () => void {
  const rest = createRest({ nextDue: nextDeadWorkerLook });
  return () => {
    if (canSeePeers()) removeLostWorkers(rest).catch((error) => log.warn('hub.presence_failed', errorFields(error)));
  };
}

async function removeLostWorkers({ isRoundDue }: Rest): Promise<void> {
  if (!(await isRoundDue())) return;
  for (const agentId of await markDeadWorkers()) publishPresence(agentId);
  await deleteLeftWorkers();
}

/** A request to upgrade to WebSocket. */
interface UpgradeOffer {
  socket: Duplex;
  head: Buffer;
  /** The token of the Authorization header or, for a Society AI client, of the URL. */
  token: string | null;
}

/** Accepts an upgrade to WebSocket. Society AI's clients request no subprotocol. */
export function acceptWorker(request: IncomingMessage, { socket, head, token }: UpgradeOffer): void {
  const { server, connections } = hub();
  const Connection = namesSubprotocol(request) ? HubConnection : SocietyConnection;
  server.handleUpgrade(request, socket, head, (webSocket) => {
    connections.add(new Connection(webSocket, token, (closed) => connections.delete(closed)));
  });
}

/** Returns true for a request with a subprotocol. Society AI's clients request none. */
export function namesSubprotocol({ headers }: IncomingMessage): boolean {
  return headers['sec-websocket-protocol'] !== undefined;
}

/** Counts the open connections of workers. */
export function countConnections(): number {
  return hub().connections.size;
}

/** Stops offering runs, and asks the workers to connect to another node. */
export function drainHub(): void {
  stopDispatching();
  for (const connection of hub().connections) connection.drain(RECONNECT_WITHIN_MS);
}

/** Closes every connection. Workers reconnect to another node, or after the restart, and continue their runs. */
export function closeHub(): void {
  const { connections, stop } = hub();
  stop();
  for (const connection of connections) connection.close(HUB_CLOSE.restart, 'The server is restarting.');
  // The HTTP server does not close upgraded sockets.
  setTimeout(() => {
    for (const connection of connections) connection.terminate();
  }, STOP_TIMEOUT_MS).unref();
}
