import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { applicationName, connectionSettings } from './database-connection';
import { askMs, lostLooks, silentLooks, suspectLooks, watchMs } from './database-limits';
import { errorFields, log } from './log';
import { shared } from './registry';

/** What the driver does not declare: the number of the server process, and whether an answer is awaited. */
type Client = pg.ClientBase & { processID: number | null; readyForQuery: boolean; connection: { stream: Socket } };

interface Watched {
  client: Client;
  bytesRead: number;
  /** Looks in a row at which no byte had come since the look before. */
  quiet: number;
  /** Looks in a row at which an answer was awaited and no byte had come since the look before. */
  silent: number;
}

interface Watchdog {
  connections: Set<Watched>;
  asking: boolean;
}

/**
 * Watches a connection until it ends. A frozen network path says nothing: a statement on it would wait for ever. One that gets no
 * byte for 1.5 s is compared with what the server does for it, over a connection of its own: a statement that is really being
 * worked on is left to `statement_timeout`; otherwise the connection is closed on both sides and whoever waits is told that it broke.
 * Looks are counted, not time: a process that was held up itself has not read what came. Costs nothing per statement.
 */
export function watchConnection(client: pg.ClientBase): void {
  const { connections } = watchdog();
  const watched: Watched = { client: client as Client, bytesRead: 0, quiet: 0, silent: 0 };
  connections.add(watched);
  client.once('end', () => connections.delete(watched));
  // Whoever uses the connection is told by the failure of the statement.
  client.on('error', () => connections.delete(watched));
}

function watchdog(): Watchdog {
  return shared('database-watchdog', () => {
    const state: Watchdog = { connections: new Set(), asking: false };
    setInterval(() => look(state), watchMs).unref();
    return state;
  });
}

function look(state: Watchdog): void {
  for (const watched of state.connections) {
    const { bytesRead } = watched.client.connection.stream;
    watched.quiet = bytesRead === watched.bytesRead ? watched.quiet + 1 : 0;
    watched.silent = watched.quiet > 0 && !watched.client.readyForQuery ? watched.silent + 1 : 0;
    watched.bytesRead = bytesRead;
  }
  if (state.asking || ![...state.connections].some(isSuspect)) return;
  state.asking = true;
  examine(state.connections)
    .catch((error) => log.warn('database.watchdog_failed', errorFields(error)))
    .finally(() => {
      state.asking = false;
    });
}

const isSuspect = ({ silent }: Watched): boolean => silent >= suspectLooks;

/** Without a byte for nearly as long as a suspect, whether it waits or idles. */
const isQuiet = ({ quiet }: Watched): boolean => quiet >= suspectLooks - 1;

async function examine(all: Set<Watched>): Promise<void> {
  const waiting = [...all].filter((watched) => !watched.client.readyForQuery && isQuiet(watched));
  const before = waiting.map(({ client }) => client.connection.stream.bytesRead);
  const asker = new pg.Client({ ...connectionSettings(), connectionTimeoutMillis: askMs, query_timeout: askMs });
  asker.on('error', (error) => log.debug('database.watchdog_failed', errorFields(error)));
  try {
    await asker.connect();
    const working = await findWorking(asker, waiting);
    // What had come in the meantime is read before it is decided.
    await nextTurn();
    const still = waiting.filter(({ client }, at) => {
      const moved = client.readyForQuery || client.connection.stream.bytesRead !== before[at];
      return !moved && !working.has(client.processID);
    });
    for (const watched of waiting) if (!still.includes(watched)) watched.silent = 0;
    if (!still.some(isSuspect)) return;
    // All that are quiet took the same path; each would cost another caller the same wait.
    const idle = [...all].filter((watched) => watched.client.readyForQuery && isQuiet(watched));
    const frozen = [...still, ...idle];
    drop(frozen, 'the server does nothing for them');
    await terminate(asker, frozen);
  } catch (error) {
    const answered = error instanceof Error && 'severity' in error;
    const most = answered ? lostLooks : silentLooks;
    drop(
      waiting.filter(({ silent }) => silent >= most),
      'the server cannot be asked',
    );
  } finally {
    asker.end().catch((error) => log.debug('database.watchdog_failed', errorFields(error)));
  }
}

/** The server processes that work on a statement, and do not merely wait for us to read or to send. */
async function findWorking(asker: pg.Client, suspects: Watched[]): Promise<Set<number | null>> {
  const { rows } = await asker.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND application_name = $2
       AND (state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')`,
    [suspects.map(({ client }) => client.processID), applicationName()],
  );
  return new Set(rows.map(({ pid }) => pid));
}

/** Ends the server's side too, which would keep its locks: it has not noticed either. */
async function terminate(asker: pg.Client, frozen: Watched[]): Promise<void> {
  await asker.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1) AND application_name = $2',
    [frozen.map(({ client }) => client.processID), applicationName()],
  );
}

function drop(lost: Watched[], reason: string): void {
  if (lost.length === 0) return;
  log.warn('database.connections_frozen', { count: lost.length, reason });
  for (const { client } of lost) client.connection.stream.destroy();
}
