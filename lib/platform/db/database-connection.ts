import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import {
  DATABASE_ACQUIRE_TIMEOUT_MS,
  DATABASE_KEEP_ALIVE_DELAY_MS,
  IDLE_IN_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  LOST_AFTER_CHECKS,
  SERVER_KEEP_ALIVE_OPTIONS,
  SILENT_AFTER_CHECKS,
  STATEMENT_TIMEOUT_MS,
  SUSPECT_AFTER_CHECKS,
  WATCHDOG_INTERVAL_MS,
  WATCHDOG_PROBE_TIMEOUT_MS,
} from '../limits';
import { errorFields, log } from '../runtime/log';
import { once } from '../runtime/once';
import { type Cluster, mainCluster } from './primary';
import { PrimaryClient, type PrimaryClientConfig } from './primary-client';

/** The `application_name` of this process's connections, unique to the process. */
export const applicationName = once((): string => `parley-${process.pid}-${randomBytes(4).toString('hex')}`);

/**
 * Returns the settings of a connection to a database, by default to the main one: server-side timeouts for statements, locks and idle transactions,
 * TCP keepalive on both sides, and a connect timeout.
 */
export function connectionSettings(cluster = mainCluster()): PrimaryClientConfig {
  return {
    cluster,
    connectionString: cluster.urls[0],
    connectionTimeoutMillis: DATABASE_ACQUIRE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: DATABASE_KEEP_ALIVE_DELAY_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: SERVER_KEEP_ALIVE_OPTIONS,
    application_name: applicationName(),
  };
}

/**
 * Members of the client that the driver does not declare: the backend's process id, and a flag that is true if no
 * response is pending.
 */
type Client = pg.ClientBase & { processID: number | null; readyForQuery: boolean; connection: { stream: Socket } };

interface WatchedConnection {
  client: Client;
  bytesRead: number;
  /** Consecutive checks without a byte received. */
  checksWithoutData: number;
  /** Consecutive checks without a byte received while a response was pending. */
  checksWithoutResponse: number;
}

interface Watchdog {
  cluster: Cluster;
  connections: Set<WatchedConnection>;
  isProbing: boolean;
}

/**
 * Closes a connection whose network path is blocked: no byte was received for 1.5 s and, according to
 * `pg_stat_activity` (read over another connection), its backend is not working. Statements in progress are ended by
 * `statement_timeout`. Counts checks instead of time, because a stalled process reads late.
 */
export function watchConnection(client: pg.ClientBase, cluster = mainCluster()): void {
  const { connections } = watchdogOf(cluster);
  const watched: WatchedConnection = {
    client: client as Client,
    bytesRead: 0,
    checksWithoutData: 0,
    checksWithoutResponse: 0,
  };
  connections.add(watched);
  client.once('end', () => connections.delete(watched));
  // The failed statement reports the error to its caller.
  client.on('error', () => connections.delete(watched));
}

const watchdogs = new Map<Cluster, Watchdog>();

function watchdogOf(cluster: Cluster): Watchdog {
  const known = watchdogs.get(cluster);
  if (known) return known;
  const state: Watchdog = { cluster, connections: new Set(), isProbing: false };
  watchdogs.set(cluster, state);
  setInterval(() => checkConnections(state), WATCHDOG_INTERVAL_MS).unref();
  return state;
}

function checkConnections(state: Watchdog): void {
  for (const watched of state.connections) {
    const { bytesRead } = watched.client.connection.stream;
    watched.checksWithoutData = bytesRead === watched.bytesRead ? watched.checksWithoutData + 1 : 0;
    watched.checksWithoutResponse =
      watched.checksWithoutData > 0 && !watched.client.readyForQuery ? watched.checksWithoutResponse + 1 : 0;
    watched.bytesRead = bytesRead;
  }
  if (state.isProbing || ![...state.connections].some(isSuspect)) return;
  state.isProbing = true;
  inspectSuspects(state)
    .catch((error) => log.warn('database.watchdog_failed', errorFields(error)))
    .finally(() => {
      state.isProbing = false;
    });
}

/** True if no byte was received for SUSPECT_AFTER_CHECKS checks while a response was pending. */
const isSuspect = ({ checksWithoutResponse }: WatchedConnection): boolean =>
  checksWithoutResponse >= SUSPECT_AFTER_CHECKS;

/** True if no byte was received for one check fewer, regardless of pending responses. */
const hasNoTraffic = ({ checksWithoutData }: WatchedConnection): boolean =>
  checksWithoutData >= SUSPECT_AFTER_CHECKS - 1;

async function inspectSuspects({ cluster, connections: all }: Watchdog): Promise<void> {
  const waiting = [...all].filter((watched) => !watched.client.readyForQuery && hasNoTraffic(watched));
  const before = waiting.map(({ client }) => client.connection.stream.bytesRead);
  const monitor = new PrimaryClient({
    ...connectionSettings(cluster),
    connectionTimeoutMillis: WATCHDOG_PROBE_TIMEOUT_MS,
    query_timeout: WATCHDOG_PROBE_TIMEOUT_MS,
  });
  monitor.on('error', (error) => log.debug('database.watchdog_failed', errorFields(error)));
  try {
    await monitor.connect();
    const busyPids = await findBusyBackends(monitor, waiting);
    // Reads data that arrived in the meantime before the check.
    await nextTurn();
    const stuck = waiting.filter(({ client }, at) => {
      const moved = client.readyForQuery || client.connection.stream.bytesRead !== before[at];
      return !moved && !busyPids.has(client.processID);
    });
    for (const watched of waiting) if (!stuck.includes(watched)) watched.checksWithoutResponse = 0;
    if (!stuck.some(isSuspect)) return;
    // All connections without traffic use the same path; each of them would cause the same delay for another caller.
    const idle = [...all].filter((watched) => watched.client.readyForQuery && hasNoTraffic(watched));
    const frozen = [...stuck, ...idle];
    destroyConnections(frozen, 'they make no progress on the server');
    await terminateBackends(monitor, frozen);
  } catch (error) {
    const hasResponded = error instanceof Error && 'severity' in error;
    const threshold = hasResponded ? LOST_AFTER_CHECKS : SILENT_AFTER_CHECKS;
    destroyConnections(
      waiting.filter(({ checksWithoutResponse }) => checksWithoutResponse >= threshold),
      'the server does not report their state',
    );
  } finally {
    monitor.end().catch((error) => log.debug('database.watchdog_failed', errorFields(error)));
  }
}

/** Returns the backends that execute a statement instead of waiting for the client to read or send. */
async function findBusyBackends(monitor: pg.Client, suspects: WatchedConnection[]): Promise<Set<number | null>> {
  const { rows } = await monitor.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND application_name = $2
       AND (state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')`,
    [suspects.map(({ client }) => client.processID), applicationName()],
  );
  return new Set(rows.map(({ pid }) => pid));
}

/** Terminates the backends, which would otherwise hold their locks. */
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
