import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { applicationName, connectionSettings } from './database-connection';
import {
  lostAfterChecks,
  probeTimeoutMs,
  silentAfterChecks,
  suspectAfterChecks,
  watchdogIntervalMs,
} from './database-limits';
import { errorFields, log } from './log';
import { processSingleton } from './singleton';

/** What the driver does not declare: the number of the server process, and whether an answer is awaited. */
type Client = pg.ClientBase & { processID: number | null; readyForQuery: boolean; connection: { stream: Socket } };

interface WatchedConnection {
  client: Client;
  bytesRead: number;
  /** Looks in a row at which no byte had come since the look before. */
  checksWithoutData: number;
  /** Looks in a row at which an answer was awaited and no byte had come since the look before. */
  checksWithoutAnswer: number;
}

interface Watchdog {
  connections: Set<WatchedConnection>;
  isProbing: boolean;
}

/**
 * Watches a connection until it ends. A frozen network path says nothing: a statement on it would wait for ever. One that gets no
 * byte for 1.5 s is compared with what the server does for it, over a connection of its own: a statement that is really being
 * worked on is left to `statement_timeout`; otherwise the connection is closed on both sides and whoever waits is told that it broke.
 * Looks are counted, not time: a process that was held up itself has not read what came. Costs nothing per statement.
 */
export function watchConnection(client: pg.ClientBase): void {
  const { connections } = watchdog();
  const watched: WatchedConnection = {
    client: client as Client,
    bytesRead: 0,
    checksWithoutData: 0,
    checksWithoutAnswer: 0,
  };
  connections.add(watched);
  client.once('end', () => connections.delete(watched));
  // Whoever uses the connection is told by the failure of the statement.
  client.on('error', () => connections.delete(watched));
}

function watchdog(): Watchdog {
  return processSingleton('database-watchdog', () => {
    const state: Watchdog = { connections: new Set(), isProbing: false };
    setInterval(() => checkConnections(state), watchdogIntervalMs).unref();
    return state;
  });
}

function checkConnections(state: Watchdog): void {
  for (const watched of state.connections) {
    const { bytesRead } = watched.client.connection.stream;
    watched.checksWithoutData = bytesRead === watched.bytesRead ? watched.checksWithoutData + 1 : 0;
    watched.checksWithoutAnswer =
      watched.checksWithoutData > 0 && !watched.client.readyForQuery ? watched.checksWithoutAnswer + 1 : 0;
    watched.bytesRead = bytesRead;
  }
  if (state.isProbing || ![...state.connections].some(isSuspect)) return;
  state.isProbing = true;
  inspectSuspects(state.connections)
    .catch((error) => log.warn('database.watchdog_failed', errorFields(error)))
    .finally(() => {
      state.isProbing = false;
    });
}

const isSuspect = ({ checksWithoutAnswer: silent }: WatchedConnection): boolean => silent >= suspectAfterChecks;

/** Without a byte for nearly as long as a suspect, whether it waits or idles. */
const hasNoTraffic = ({ checksWithoutData: quiet }: WatchedConnection): boolean => quiet >= suspectAfterChecks - 1;

async function inspectSuspects(all: Set<WatchedConnection>): Promise<void> {
  const waiting = [...all].filter((watched) => !watched.client.readyForQuery && hasNoTraffic(watched));
  const before = waiting.map(({ client }) => client.connection.stream.bytesRead);
  const monitor = new pg.Client({
    ...connectionSettings(),
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  monitor.on('error', (error) => log.debug('database.watchdog_failed', errorFields(error)));
  try {
    await monitor.connect();
    const busyPids = await findBusyBackends(monitor, waiting);
    // What had come in the meantime is read before it is decided.
    await nextTurn();
    const stuck = waiting.filter(({ client }, at) => {
      const moved = client.readyForQuery || client.connection.stream.bytesRead !== before[at];
      return !moved && !busyPids.has(client.processID);
    });
    for (const watched of waiting) if (!stuck.includes(watched)) watched.checksWithoutAnswer = 0;
    if (!stuck.some(isSuspect)) return;
    // All that are quiet took the same path; each would cost another caller the same wait.
    const idle = [...all].filter((watched) => watched.client.readyForQuery && hasNoTraffic(watched));
    const frozen = [...stuck, ...idle];
    destroyConnections(frozen, 'the server does nothing for them');
    await terminateBackends(monitor, frozen);
  } catch (error) {
    const answered = error instanceof Error && 'severity' in error;
    const threshold = answered ? lostAfterChecks : silentAfterChecks;
    destroyConnections(
      waiting.filter(({ checksWithoutAnswer: silent }) => silent >= threshold),
      'the server cannot be asked',
    );
  } finally {
    monitor.end().catch((error) => log.debug('database.watchdog_failed', errorFields(error)));
  }
}

/** The server processes that work on a statement, and do not merely wait for us to read or to send. */
async function findBusyBackends(monitor: pg.Client, suspects: WatchedConnection[]): Promise<Set<number | null>> {
  const { rows } = await monitor.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND application_name = $2
       AND (state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')`,
    [suspects.map(({ client }) => client.processID), applicationName()],
  );
  return new Set(rows.map(({ pid }) => pid));
}

/** Ends the server's side too, which would keep its locks: it has not noticed either. */
async function terminateBackends(monitor: pg.Client, frozen: WatchedConnection[]): Promise<void> {
  await monitor.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1) AND application_name = $2',
    [frozen.map(({ client }) => client.processID), applicationName()],
  );
}

function destroyConnections(connections: WatchedConnection[], reason: string): void {
  if (connections.length === 0) return;
  log.warn('database.connections_frozen', { count: connections.length, reason });
  for (const { client } of connections) client.connection.stream.destroy();
}
